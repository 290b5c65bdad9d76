import { createServer } from 'node:net'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import http from '../../../plugins/http/index.js'
import {
  createKernel, definePlugin, definePreset, operation, route, tool, type AnyPlugin, type KernelDependencies,
  type PluginContext,
  type PluginEntry
} from '../../../core/index.js'
import { fakeSession, printerOf } from './fake-session.js'
import { testFolder } from '../../helpers/folder.js'

const Empty = Type.Object({})
const PRINTER = { name: 'a1', host: '192.0.2.1', serial: 'S1', accessCode: '12345678' }

const make = (name: string, more: object = {}): AnyPlugin =>
  definePlugin({ name, version: '1.0.0', kernel: '^2.0.0', ...more })
const does = (name: string, run: () => object = () => ({})) =>
  operation({ name, summary: name, effect: 'read', scope: 'daemon', input: Empty, output: Type.Any(), run })

interface Given { readonly dataDir?: string, readonly [key: string]: unknown }

/** Makes a kernel over virtual sessions, and closes it with the test. */
async function create (t: Test, plugins: PluginEntry, config: Given = {},
  dependencies: Partial<KernelDependencies> = {}) {
  const kernel = await createKernel(definePreset({ name: 'test', plugins }),
    { log: { file: false }, ...config, dataDir: config.dataDir ?? testFolder(t) },
    { createSession: config => fakeSession(config), ...dependencies })
  t.teardown(() => kernel.close())
  return kernel
}

/** A port that somebody else listens on. */
async function occupy (t: Test): Promise<number> {
  const server = createServer().listen(0, '0.0.0.0')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  return (server.address() as { port: number }).port
}

t.test('the parts come in their order', async t => {
  const log: string[] = []
  const traced = (name: string, needs: readonly string[] = []) => make(name, {
    needs,
    setup ({ onReady, onClose, printers }: PluginContext) {
      log.push(`setup ${name}`)
      printers.each(session => { log.push(`${name} sees ${session.name}`) })
      onReady(() => { log.push(`ready ${name}`) })
      onClose(() => { log.push(`close ${name}`) })
    }
  })
  const kernel = await create(t, [traced('a', ['b']), traced('b')], { printers: [PRINTER] })
  t.same(log, [], 'making the kernel runs nothing of a plugin')
  await kernel.start({ listen: false })
  t.same(log, ['setup b', 'setup a', 'ready b', 'ready a', 'b sees a1', 'a sees a1'])
  log.length = 0
  await kernel.close()
  t.same(log, ['close a', 'close b'])
})

t.test('nothing of any plugin runs before all options are known to be good', async t => {
  let touched = false
  const eager = make('eager', { setup: () => { touched = true } })
  const Options = Type.Object({ url: Type.String() })
  await t.rejects(create(t, [eager, make('strict', { options: Options })]), { code: 'PRN_ERR_PLUGIN_OPTIONS', message: /'strict'/ })
  await t.rejects(create(t, [eager, make('old', { kernel: '^9.0.0' })]), { code: 'PRN_ERR_PLUGIN_VERSION', message: /'old' needs kernel \^9/ })
  await t.rejects(create(t, [eager, make('lonely', { needs: ['x'] })]), { code: 'PRN_ERR_PLUGIN_MISSING', message: /'lonely' needs plugin 'x'/ })
  await t.rejects(create(t, [eager, eager]), { code: 'PRN_ERR_DUPLICATE', message: /Plugin 'eager'/ })
  t.notOk(touched)
})

t.test('a start is refused for what is defined twice, naming both plugins', async t => {
  const faces = (path: string, name: string, op: string) => ({
    contributes: { routes: [route(does(op), { method: 'GET', path })], tools: [tool(does(`${op}.tool`), { name })] }
  })
  const one = make('one', faces('/a', 'a', 'op'))
  for (const [other, what] of [
    [faces('/a', 'b', 'op2'), "Route 'GET /a'"], [faces('/b', 'a', 'op2'), "Tool 'a'"], [faces('/b', 'b', 'op'), "Operation 'op'"]
  ] as const) {
    await t.rejects(create(t, [one, make('two', other)]), {
      code: 'PRN_ERR_DUPLICATE', message: `${what} is defined twice: by 'one' and by 'two'`
    })
  }
})

t.test('what goes wrong in a setup stops the start with the name of the plugin', async t => {
  const failing: readonly (readonly [object, string])[] = [
    [{ setup: () => { throw new Error('boom') } }, 'boom'],
    [{ setup: async () => { throw new Error('later') } }, 'later'],
    [{ setup: () => { throw 'text' } }, 'text'], // eslint-disable-line no-throw-literal
    [{ setup: () => new Promise(() => {}) }, 'it did not finish within 0.05 s'],
    [{ setup: ({ services }: PluginContext) => (services as Record<string, unknown>).heater }, "No plugin provides the service 'heater'"],
    [{ provides: ['heater'] }, "it declares the service 'heater' but does not provide it"],
    [{ setup: ({ onReady }: PluginContext) => onReady(() => { throw new Error('not ready') }) }, 'not ready']
  ]
  for (const [more, problem] of failing) {
    const kernel = await create(t, [make('clumsy', more)], {}, { limits: { setup: 50 } })
    await t.rejects(kernel.start({ listen: false }), {
      code: 'PRN_ERR_PLUGIN_SETUP', message: `Setup of plugin 'clumsy' failed: ${problem}`
    })
    await kernel.close()
  }
})

t.test('a service provided twice names both plugins', async t => {
  const provider = (name: string) =>
    make(name, { setup: ({ provide }: PluginContext) => provide('x' as never, {} as never) })
  const kernel = await create(t, [provider('one'), provider('two')])
  await t.rejects(kernel.start({ listen: false }), {
    code: 'PRN_ERR_PLUGIN_SETUP', message: "Setup of plugin 'two' failed: Service 'x' is defined twice: by 'one' and by 'two'"
  })
})

t.test('what a plugin set up before another failed is closed', async t => {
  const log: string[] = []
  const good = make('good', { setup: ({ onClose }: PluginContext) => onClose(() => { log.push('closed') }) })
  const kernel = await create(t, [good, make('bad', { setup: () => { throw new Error('boom') } })])
  await t.rejects(kernel.start({ listen: false }), { message: /'bad'/ })
  await kernel.close()
  t.same(log, ['closed'])
})

t.test('a plugin gets its options, a logger, a folder of its own and what others provide', async t => {
  const seen: Record<string, unknown> = {}
  const provider = make('provider', {
    provides: ['heater'],
    setup: ({ provide }: PluginContext) => provide('heater' as never, { watts: 5 } as never)
  })
  const reader = make('reader', {
    needs: ['provider'],
    options: Type.Object({ gain: Type.Number({ default: 2 }) }),
    async setup ({ options, services, folder, log, kernel, signal }: PluginContext) {
      const path = await folder()
      const mode = (await stat(path)).mode & 0o777
      Object.assign(seen, { options, services, path, mode, log, kernel, aborted: signal.aborted })
    }
  })
  const kernel = await create(t, [reader, provider], { plugins: { reader: { gain: 3 } } })
  await kernel.start({ listen: false })
  t.same(seen.options, { gain: 3 })
  t.same((seen.services as { heater: unknown }).heater, { watts: 5 })
  t.equal(seen.path, join(kernel.dataDir, 'plugins', 'reader'))
  t.equal(seen.mode, 0o700)
  t.equal(seen.kernel, kernel)
  t.equal(seen.aborted, false)
  t.equal(kernel.app.kernel, kernel)
})

t.test('each plugin has a scope of its own, a surface has none', async t => {
  const hook = (header: string) => ({ app }: PluginContext) => {
    app.addHook('onRequest', async (_request, reply) => { reply.header(header, 'yes') })
  }
  const own = make('own', {
    setup: (context: PluginContext) => { hook('x-own')(context); context.app.get('/plugins/own', () => 'own') }
  })
  const surface = make('surface', { encapsulate: false, setup: hook('x-surface') })
  const other = make('other', { setup: ({ app }: PluginContext) => { app.get('/plugins/other', () => 'other') } })
  const kernel = await create(t, [surface, own, other])
  await kernel.start({ listen: false })
  const reply = async (url: string) => (await kernel.app.inject(url)).headers
  t.match(await reply('/plugins/own'), { 'x-own': 'yes', 'x-surface': 'yes' })
  t.notMatch(await reply('/plugins/other'), { 'x-own': 'yes' })
})

t.test('the preferred port, and when that is taken the pool', async t => {
  const taken = await occupy(t)
  const kernel = await create(t, [http], { ports: { preferred: taken, start: 49_152, end: 49_351 }, api: { host: '127.0.0.1' } })
  t.equal(kernel.apiPort, 0)
  await kernel.start()
  t.ok(kernel.apiPort >= 49_152 && kernel.apiPort <= 49_351, String(kernel.apiPort))
  t.same(kernel.ports.claimed, [kernel.apiPort])
  t.equal((await fetch(`http://127.0.0.1:${kernel.apiPort}/none`)).status, 404)
  const port = kernel.apiPort
  await kernel.close()
  t.same(kernel.ports.claimed, [])
  await t.rejects(fetch(`http://127.0.0.1:${port}/none`))
})

t.test('no free port at all stops the start', async t => {
  const taken = await occupy(t)
  const kernel = await create(t, [], { ports: { start: taken, end: taken } })
  await t.rejects(kernel.start(), {
    code: 'PRN_ERR_PORTS_EXHAUSTED', message: new RegExp(`^No free port for 'api': every port from ${taken} to ${taken} is taken`)
  })
  await kernel.close()
})

t.test('an address that is not of this machine is told as such, not as taken ports', async t => {
  for (const host of ['192.0.2.77', 'no-such-host.invalid']) {
    const kernel = await create(t, [], { api: { host } })
    await t.rejects(kernel.start(), { code: 'PRN_ERR_CONFIG', message: new RegExp(`^api\\.host '${host}' cannot be listened on: `) })
    await kernel.close()
  }
})

t.test('nothing is written before the configuration is known to be good', async t => {
  const folder = testFolder(t)
  const dataDir = join(folder, 'data')
  await t.rejects(create(t, [], { dataDir, nonsense: 1 }), { code: 'PRN_ERR_CONFIG' })
  await t.rejects(create(t, [make('strict', { options: Type.Object({ a: Type.String() }) })], { dataDir }), { code: 'PRN_ERR_PLUGIN_OPTIONS' })
  t.same(await readdir(folder), [])
  await writeFile(dataDir, 'in the way')
  await t.rejects(create(t, [], { dataDir }), { code: 'PRN_ERR_CONFIG', message: new RegExp(`^The data folder ${dataDir} cannot be used: E`) })
})

t.test('what the preset asks of the configuration may come from it alone', async t => {
  const strict = make('strict', { options: Type.Object({ url: Type.String() }) })
  const kernel = await create(t, [strict], { plugins: { strict: { url: 'a' } } })
  t.ok(kernel.plugins.has('strict'))
  t.notOk((await create(t, [strict], { plugins: { strict: false } })).plugins.has('strict'))
})

t.test('secrets are known from the start, and later ones can be added', async t => {
  const kernel = await create(t, [], { printers: [PRINTER], api: { token: 'the-long-token' } })
  t.equal(kernel.redact('12345678 the-long-token later-one'), '******** ******** later-one')
  kernel.maskSecret('later-one')
  t.equal(kernel.redact('later-one'), '********')
  await kernel.start({ listen: false })
  await kernel.printers.add({ ...printerOf('b'), accessCode: 'code-of-b' })
  t.equal(kernel.redact('code-of-b'), '********')
})

t.test('printers that come and go are events', async t => {
  const log: string[] = []
  const kernel = await create(t, [])
  kernel.events.on('printer:added', ({ name }) => log.push(`added ${name}`))
  kernel.events.on('printer:removed', name => log.push(`removed ${name}`))
  kernel.events.on('printer:forgotten', name => log.push(`forgotten ${name}`))
  await kernel.start({ listen: false })
  await kernel.printers.add(printerOf('b'))
  await kernel.printers.remove('b')
  t.same(log, ['added b', 'removed b', 'forgotten b'])
})
