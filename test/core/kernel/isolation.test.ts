// A plugin of the configuration in which everything is broken: the service goes on, and says what is.
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import type { PluginFacts } from '../../../core/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

/** It imports nothing: a plugin is told by its shape. */
const BROKEN = `
const boom = () => { throw new Error('boom') }
const nothing = { type: 'object', properties: {} }
const does = (name, run) =>
  ({ name: 'broken.' + name, summary: name, effect: 'read', scope: 'daemon', input: nothing, output: {}, run })
const hangs = does('hang', () => new Promise(() => {}))
const throws = does('throw', boom)
const works = does('work', () => ({ fine: true }))
const works2 = does('say', () => ({ fine: true }))
const many = { name: 'many', initial: 0, detect: (now, before, memory) => ({
  findings: Array.from({ length: 20 }, () => ({ type: 'many', severity: 'low', payload: {} })), memory
}) }
export default {
  name: 'broken', version: '1.2.3', kernel: '^2.0.0', uses: ['camera'],
  contributes: {
    routes: [
      { operation: hangs, method: 'GET', path: '/broken/hang' },
      { operation: throws, method: 'GET', path: '/broken/throw' },
      { operation: works, method: 'GET', path: '/broken/work' },
      { operation: works2, method: 'GET', path: '/broken/say', reply: boom }
    ],
    tools: [{ operation: works, name: 'get_broken' }, { operation: works2, name: 'say_broken', result: boom }],
    panels: [
      { id: 'bad-hud', title: 'Bad', slot: 'hud', render: boom }, { id: 'bad-page', title: 'Bad', slot: 'dashboard', render: () => 7 }
    ],
    prompts: [
      { name: 'bad_prompt', description: 'bad', arguments: [{ name: 'x', description: 'bad', complete: boom }], get: boom },
      { name: 'slow_prompt', description: 'slow', get: () => new Promise(() => {}) }
    ],
    alerts: [{ name: 'bad rule', initial: 0, detect: boom }, many],
    collections: [{ name: 'bad_reader', unit: 'x', read: boom }],
    charts: [{ id: 'bad-chart', title: 'Bad', render: boom }],
    gauges: [{ name: 'bad_gauge', help: 'bad', read: boom }],
    healthHistory: [{ records: boom }],
    streams: [{ list: boom }],
    liveTopics: [
      { name: 'bad-watch', description: 'bad', every: true, watch: boom },
      { name: 'bad-current', description: 'bad', watch: () => () => {}, current: boom }
    ],
    resources: [
      { uri: 'bad://{x}', name: 'bad', description: 'bad', mimeType: 'text/plain', values: boom, read: boom, watch: boom },
      { uri: 'slow://', name: 'slow', description: 'slow', mimeType: 'text/plain', read: () => new Promise(() => {}) }
    ]
  },
  setup ({ app, events, printers }) {
    printers.each(session => {
      session.events.on('state', boom)
      throw new Error('cannot follow')
    })
    events.on('alert', async () => { throw new Error('deaf') })
    app.get('/plugins/broken', boom)
  }
}
`

async function begin (t: Test) {
  const dataDir = testFolder(t, { 'broken.mjs': BROKEN })
  const written: string[] = []
  const logEcho = new Writable({ write (chunk, _encoding, done) { written.push(...String(chunk).trimEnd().split('\n')); done() } })
  const booted = await boot(t, {
    models: ['P1S'],
    config: { dataDir, plugins: { './broken.mjs': {} }, log: { file: join(dataDir, 'log') } },
    dependencies: { logEcho, limits: { call: 100 } }
  })
  const facts = async (): Promise<PluginFacts> => {
    const { body } = await booted.http('GET', '/plugins')
    return body.plugins.find(({ name }: PluginFacts) => name === 'broken')
  }
  const faultOf = async (part: string) => (await facts()).faults.find(fault => fault.part === part)
  return { ...booted, facts, faultOf, written }
}

const service = await begin(t)
const { http, printer, faultOf, facts } = service

t.test('the service says what the plugin is', async t => {
  t.match(await facts(), {
    version: '1.2.3',
    kernel: '^2.0.0',
    outside: true,
    uses: ['camera'],
    routes: [{ method: 'GET', path: '/broken/hang', does: 'hang', effect: 'read' }, {}, {}, {}],
    tools: [{ name: 'get_broken' }, {}],
    contributes: { routes: 4, alerts: 2, liveTopics: 2, panels: 2 }
  })
  const { body } = await http('GET', '/plugins')
  const alerts = body.plugins.find(({ name }: PluginFacts) => name === 'alerts')
  t.match(alerts, { outside: false, faults: [], provides: ['alerts'] }, 'those of the application too')
})

t.test('a rule and a reader that throw are cut off; those of others go on', async t => {
  printer.patch({ bed_temper: 33 })
  await eventually(async () => (await faultOf("alert rule 'bad rule'"))?.cutOff === true)
  t.match(await faultOf("alert rule 'bad rule'"), { count: 1, message: 'boom', cutOff: true })
  t.match(await faultOf("collection 'bad_reader'"), { count: 1, message: 'boom', cutOff: true })
  await eventually(async () => {
    const { series } = (await http('GET', '/api/monitoring_series?field=bed')).body
    return series.data.at(-1)?.v === 33
  })
})

t.test('a follower and listeners that throw are named', async t => {
  t.match(await faultOf('follower of printers'), { message: 'cannot follow' })
  t.match(await faultOf("listener 'state'"), { message: 'boom' })
  await eventually(async () => (await faultOf("listener 'alert'"))?.cutOff === true)
  t.match(await faultOf("listener 'alert'"), { message: 'deaf' })
})

t.test('a chart, a gauge, a history and a list that throw spoil nothing beside them', async t => {
  const { status, body } = await http('GET', '/api/charts_panels')
  t.equal(status, 200)
  t.match(body.panels.at(-1), /unavailable/)
  const metrics = await http('GET', '/metrics')
  t.equal(metrics.status, 200)
  t.match(metrics.text, /^prnd_sessions\{/m)
  t.notMatch(metrics.text, /^bad_gauge \d/m)
  t.equal((await http('GET', '/api/server_info')).status, 200)
  for (const part of ["chart 'bad-chart'", "gauge 'bad_gauge'", 'health history', 'list of streams']) {
    t.match(await faultOf(part), { message: 'boom' }, part)
  }
})

t.test('topics and resources that throw leave the others alone', async t => {
  t.match(await faultOf("live topic 'bad-watch'"), { message: 'boom' })
  const { resources } = await service.client.listResources()
  t.ok(resources.length > 0)
  t.ok(resources.every(({ uri }) => !uri.startsWith('bad:')))
  await t.rejects(service.client.readResource({ uri: 'bad://1' }), /boom/)
  await t.rejects(service.client.readResource({ uri: 'slow://' }), /no answer in 0.1 s/)
  t.match(await faultOf("resource 'slow://'"), { message: 'no answer in 0.1 s' })
  t.match(await faultOf("resource 'bad://{x}'"), { message: 'boom' })
})

t.test('panels that throw or give no text are left out', async t => {
  t.equal((await http('GET', '/plugins/web/panels')).text, '[]')
  t.match(await faultOf("panel of the page 'bad-page'"), { message: 'render must return text' })
  const { port } = (await http('POST', '/api/start_stream')).body
  const panels = await (await fetch(`http://127.0.0.1:${port}/panels`)).json() as { id: string }[]
  t.ok(panels.every(({ id }) => id !== 'bad-hud'))
  t.match(await faultOf("panel of the stream page 'bad-hud'"), { count: 1, message: 'boom' })
  await http('POST', '/api/stop_stream')
})

t.test('prompts that throw or hang are answered for, and cut off when they go on', async t => {
  const { client } = service
  await t.rejects(client.getPrompt({ name: 'slow_prompt' }), /no answer in 0.1 s/)
  const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'bad_prompt' }, argument: { name: 'x', value: '' } })
  t.same(completion.values, [])
  for (let at = 0; at < 20; at++) await t.rejects(client.getPrompt({ name: 'bad_prompt' }), at < 19 ? /boom/ : /is disabled/)
  t.match(await faultOf("prompt 'bad_prompt'"), { count: 20, cutOff: true })
})

t.test('a translation of a route or a tool that throws is the plugin\'s', async t => {
  t.equal((await http('GET', '/api/broken/say')).status, 500)
  t.match(await faultOf("route 'GET /broken/say'"), { count: 1, message: 'boom' })
  await service.client.callTool({ name: 'say_broken', arguments: {} })
  t.match(await faultOf("tool 'say_broken'"), { count: 1, message: 'boom' })
})

t.test('an operation that hangs is answered for, and cut off when it goes on', async t => {
  const first = await http('GET', '/api/broken/hang')
  t.equal(first.status, 504)
  t.match(first.body, { error: 'plugin_late', reason: "'broken.hang' of plugin 'broken' did not answer within 0.1 s" })
  await Promise.all(Array.from({ length: 19 }, () => http('GET', '/api/broken/hang')))
  t.match(await http('GET', '/api/broken/hang'), { status: 503, body: { error: 'plugin_cut_off' } })
  t.match(await faultOf("operation 'broken.hang'"), { count: 20, cutOff: true })
})

t.test('an operation that throws, and one that works', async t => {
  t.equal((await http('GET', '/api/broken/throw')).status, 500)
  t.match(await faultOf("operation 'broken.throw'"), { count: 1, message: 'boom', cutOff: false })
  t.match(await http('GET', '/api/broken/work'), { status: 200, body: { fine: true } })
  t.equal(await faultOf("operation 'broken.work'"), undefined)
})

t.test('a route by hand that throws is the plugin\'s', async t => {
  t.equal((await http('GET', '/plugins/broken')).status, 500)
  t.match(await faultOf("route 'GET /plugins/broken'"), { count: 1, message: 'boom' })
})

t.test('the log names the plugin and what it cut off, a few times only', async t => {
  const own = service.written.filter(line => line.includes("of plugin 'broken'"))
  t.ok(own.some(line => line.includes("alert rule 'bad rule' of plugin 'broken' failed and is disabled")))
  t.ok(own.length < 40, `${own.length} lines`)
})

t.test('after all that the service is well', async t => {
  t.equal((await http('GET', '/readyz')).status, 200)
  t.equal(service.kernel.printers.get(service.name)?.live, true)
})
