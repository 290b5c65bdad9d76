import t from 'tap'
import type { Test } from 'tap'
import { Type } from 'typebox'
import {
  createKernel, definePlugin, definePreset, operation, accessOf, route, tool, type AnyOperation, type Preset
} from '../../../core/index.js'
import { OPERATIONS, ROUTES } from '../../../core/kernel/access.data.js'
import { testPrinter } from '../../../plugins/management/test-printer.js'
import daemon from '../../../presets/daemon/index.js'
import standalone from '../../../presets/standalone/index.js'
import { testFolder } from '../../helpers/folder.js'

/** Pages and what they are made of, which anybody may look at. */
const ASSETS =
  /^GET \/(shell\/[a-z0-9-]+\/|api\/charts\/page-|api\/docs|stream\/:printer\/page-)/

/** Some routes are there only where they are of use. */
const PLUGINS = { people: { openid: { issuer: 'https://id.example', clientId: 'prnd', defaultRole: 'view' } } }

async function everythingOf (t: Test, preset: Preset) {
  const kernel = await createKernel(preset, {
    dataDir: testFolder(t),
    log: { file: false },
    api: { token: 'a-long-token' },
    ...(preset === daemon && { plugins: PLUGINS })
  })
  t.teardown(() => kernel.close())
  const operations = new Map<string, AnyOperation>([[testPrinter.name, testPrinter]])
  const routes = new Set<string>()
  kernel.app.addHook('onRoute', ({ method, url, config = {} }) => {
    const { route } = config
    if (route) operations.set(route.operation.name, route.operation)
    for (const one of route ? [] : [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${url}`)
  })
  await kernel.start({ listen: false })
  for (const [name, one] of kernel.operations) operations.set(name, one)
  return { operations, routes, rawTools: kernel.contributed('rawTools') }
}

t.test('everything that the package brings says who may use it', async t => {
  const seen = new Set<string>()
  for (const preset of [daemon, standalone]) {
    const { operations, routes, rawTools } = await everythingOf(t, preset)
    for (const { name, access } of operations.values()) {
      seen.add(name)
      t.ok(name in OPERATIONS || access !== undefined, `the operation ${name} is in core/kernel/access.data.ts`)
    }
    for (const name of routes) {
      seen.add(name)
      t.ok(name in ROUTES || ASSETS.test(name), `the route ${name} is in core/kernel/access.data.ts`)
    }
    for (const { definition, access } of rawTools) t.ok(access, `the tool ${definition.name} says so itself`)
  }
  const gone = [...Object.keys(OPERATIONS), ...Object.keys(ROUTES)].filter(name => !seen.has(name))
  t.same(gone, [], 'and the table names nothing that is not there')
})

t.test('what touches the host or the trust is for this machine', async t => {
  for (const name of [
    'files.upload', 'files.download', 'management.addPrinter', 'management.removePrinter', 'management.updateCredentials',
    'management.testPrinter', 'print.sendRequest', 'system.dumpLog', 'system.tailLog', 'system.truncateLog',
    'system.setLevel', 'system.setVerbose', 'standalone.toggleVerbosity'
  ]) t.equal(OPERATIONS[name], 'trusted', name)
  for (const name of ['print.pause', 'projects.print', 'state.readDocument', 'files.uploadStored', 'camera.takeSnapshot']) {
    t.equal(OPERATIONS[name], 'network', name)
  }
})

const Nothing = Type.Object({})
const probe = operation({
  name: 'probe.look',
  summary: 'Look at the host',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Nothing,
  output: Type.Object({ trusted: Type.Boolean() }),
  run: ({ trusted }) => ({ trusted })
})
const open = operation({ ...probe, name: 'probe.open', access: 'network' })

t.test('operations and routes of other plugins say it themselves, and nothing opens what the table closes', async t => {
  t.equal(accessOf({ name: 'files.upload', access: 'network' }), 'trusted')
  t.equal(accessOf({ name: 'print.pause', access: 'trusted' }), 'trusted')
  t.equal(accessOf({ name: 'outside.act' }), 'network')
  const { default: http } = await import('../../../plugins/http/index.js')
  const plugin = definePlugin({
    name: 'probe',
    version: '1.0.0',
    kernel: '^2.0.0',
    contributes: {
      routes: [route(probe, { method: 'GET', path: '/look' }), route(open, { method: 'GET', path: '/open' })],
      tools: [tool(probe, { name: 'look' })]
    },
    setup ({ app }) { app.get('/own', { config: { access: 'trusted' } }, async () => ({ own: true })) }
  })
  const start = async (api: object) => {
    const kernel = await createKernel(definePreset({ name: 'probing', plugins: [http, plugin] }),
      { dataDir: testFolder(t), log: { file: false }, api })
    t.teardown(() => kernel.close())
    await kernel.start({ listen: false })
    return kernel
  }
  const kernel = await start({})
  const statusOf = async (url: string, remoteAddress: string) =>
    (await kernel.app.inject({ url, remoteAddress })).statusCode
  for (const url of ['/api/look', '/own']) {
    t.equal(await statusOf(url, '192.168.1.77'), 403, url)
    t.equal(await statusOf(url, '127.0.0.1'), 200, url)
  }
  t.equal(await statusOf('/api/open', '192.168.1.77'), 200)
  await t.rejects(kernel.call(probe, {}, { caller: 'network' }), { code: 'PRN_ERR_TRUSTED_ONLY', statusCode: 403 })
  t.same(await kernel.call(probe, {}, { caller: 'token' }), { trusted: true })
  t.same(await kernel.call(probe, {}), { trusted: true }, 'from inside')
  t.same(await kernel.call(open, {}, { caller: 'network' }), { trusted: false })
  const trusting = await start({ trustLan: true })
  t.equal((await trusting.app.inject({ url: '/own', remoteAddress: '192.168.1.77' })).statusCode, 200)
  t.same(await trusting.call(probe, {}, { caller: 'network' }), { trusted: true })
})
