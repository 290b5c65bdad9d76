import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { definePlugin, definePreset, operation, route, tool } from '../../core/index.js'
import http from '../../plugins/http/index.js'
import { testFolder } from '../helpers/folder.js'
import { boot, connectClient, createManualClock, eventually } from '../../presets/testing/index.js'

const echo = (greeting: string) => operation({
  name: 'echo.say',
  summary: 'Says it again',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ text: Type.String({ default: 'nothing' }) }),
  output: Type.Object({ said: Type.String() }),
  run: (_, { text }) => ({ said: `${greeting} ${text}` })
})

const plugin = definePlugin({
  name: 'echo',
  version: '1.0.0',
  kernel: '^2.0.0',
  options: Type.Object({ greeting: Type.String({ default: 'hello' }) }),
  contributes ({ greeting }) {
    const say = echo(greeting)
    return {
      routes: [route(say, { method: 'GET', path: '/echo' }), route(say, { method: 'POST', path: '/echo' })],
      tools: [tool(say, { name: 'echo' })]
    }
  }
})

t.test('a service over a virtual printer, with a plugin and its options', async t => {
  const service = await boot({ models: ['P1S'], plugins: [[plugin, { greeting: 'hi' }]] })
  t.teardown(service.close)
  t.equal(service.name, 'p1s')
  t.equal(service.kernel.printers.get('p1s')?.live, true, 'its first report is there')
  t.match(await service.http('GET', '/api/echo', { text: 'you' }), { status: 200, body: { said: 'hi you' } })
  t.match(await service.http('POST', '/api/echo', { text: 'me' }), { status: 200, body: { said: 'hi me' } })
  t.match(await service.tool('echo', { text: 'all' }), { value: { said: 'hi all' }, failed: false })
  t.match(await service.tool('echo', { text: 5 }), { failed: true })
  t.match(await service.http('GET', '/nowhere'), { status: 404 })
  t.equal(service.kernel.apiPort, 0, 'no port is opened')
  const warmed = service.kernel.printers.get('p1s')?.until(({ heat }) => heat.bed.actual === 51, 30_000)
  service.printer.patch({ bed_temper: 51 }) // it cools at once
  t.equal(await warmed, true)
  const { dataDir } = service.kernel
  t.ok(dataDir.startsWith(tmpdir()))
  t.ok(existsSync(dataDir))
  await service.close()
  t.notOk(existsSync(dataDir), 'the folder goes with it')
  t.equal(service.kernel.ready, false)
})

t.test('what fails to start leaves nothing behind', async t => {
  const folder = testFolder(t)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder // other files make such folders at the same time
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  const bad = definePlugin({ name: 'bad', version: '1.0.0', kernel: '^2.0.0', setup () { throw new Error('no') } })
  await t.rejects(boot({ models: ['X1C'], plugins: [bad] }), { code: 'PRN_ERR_PLUGIN_SETUP', message: /'bad'.*no$/ })
  t.equal(tmpdir(), folder)
  t.same(await readdir(folder), [])
})

t.test('without printers, with another application, on a port', async t => {
  const service = await boot({
    models: [], preset: definePreset({ name: 'lean', plugins: [http] }), plugins: plugin, listen: true, config: { api: { host: '127.0.0.1' } }
  })
  t.teardown(service.close)
  const reply = await fetch(`http://127.0.0.1:${service.kernel.apiPort}/api/echo?text=x`)
  t.same(await reply.json(), { said: 'hello x' })
  t.throws(() => service.printer, /no printer/)
  t.same([...service.kernel.plugins.keys()], ['http', 'echo'])
})

t.test('a clock that stands still until it is moved', async t => {
  const clock = createManualClock(Date.UTC(2026, 0, 1))
  const service = await boot({ models: [{ model: 'P1S', name: 'slow' }], clock })
  t.teardown(service.close)
  t.equal(service.kernel.now(), Date.UTC(2026, 0, 1))
  t.equal(service.name, 'slow')
  service.printer.patch({ bed_target_temper: 60 })
  const bed = () => service.kernel.printers.get('slow')?.state?.heat.bed.actual ?? 0
  const before = bed()
  clock.advance(600_000)
  await eventually(() => bed() > before + 10)
  t.equal(service.kernel.now(), Date.UTC(2026, 0, 1) + 600_000)
})

t.test('more agents than one', async t => {
  const service = await boot({ models: [], plugins: [plugin] })
  t.teardown(service.close)
  const second = await connectClient(service.kernel, { name: 'second', version: '2.0.0' })
  const { tools } = await second.listTools()
  t.ok(tools.some(({ name }) => name === 'echo'))
  await second.close()
  t.match(await service.tool('echo'), { value: { said: 'hello nothing' } }, 'the first goes on')
})

t.test('waiting says what did not come about, and why', async t => {
  await t.rejects(eventually(() => false, 30), { message: /did not come about within 30 ms: \(\) ?=> ?false/ })
  await t.rejects(eventually(() => { throw new Error('not yet') }, 30), { cause: { message: 'not yet' } })
  let count = 0
  await eventually(() => ++count === 3)
  t.equal(count, 3)
})

t.test('nothing of a test runner is needed', async t => {
  const { readFile } = await import('node:fs/promises')
  const folder = join(import.meta.dirname, '..', '..', 'presets', 'testing')
  for (const file of await readdir(folder)) {
    t.notMatch(await readFile(join(folder, file), 'utf8'), /from '(tap|node:test|@tapjs)/, file)
  }
})
