import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { createVirtualPrinter, type VirtualPrinter } from '../../plugins/emulator/index.js'
import { pluginNames } from '../../core/kernel/resolve-plugins.js'
import daemon from '../../presets/daemon/index.js'
import { eventually } from '../helpers/eventually.js'
import { build, cliOf, finished, install, lend, listening, outside, place, ROOT, run } from './installed.js'

const EXAMPLE = join(import.meta.dirname, 'prnd-plugin-bed-watch')
const GUIDE = join(ROOT, 'docs', 'guides', 'writing-a-plugin.md')

type Fields = Record<string, any>

/** The example as its author would publish it. */
async function publishExample (folder: string): Promise<void> {
  const source = await readFile(join(EXAMPLE, 'src', 'index.ts'), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }
  })
  await cp(join(EXAMPLE, 'package.json'), join(folder, 'package.json'))
  await place(join(folder, 'dist', 'index.js'), outputText)
}

async function startPrinter (t: Test): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s' })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

const entryOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter) =>
  ({ name, host, serial, accessCode, ports: { mqtt: ports.mqtt }, tls: { fingerprint } })

const configOf = (printer: VirtualPrinter, plugins: object) =>
  ({ dataDir: 'data', api: { host: '127.0.0.1' }, printers: [entryOf(printer)], plugins })

function caller (port: number) {
  return async (path: string, method = 'GET') => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: reply.status, body: await reply.json() as Fields }
  }
}

/** Owners of the lists that the example adds to, unless the daemon has them anyway. */
const OWNERS = Object.fromEntries(['telemetry', 'charts', 'alerts', 'live']
  .filter(name => !pluginNames(daemon.plugins).has(name)).map(name => [`prnd/plugins/${name}`, {}]))

t.before(build)

t.test('a package, installed beside the configuration, is a full part of the service', async t => {
  const printer = await startPrinter(t)
  const folder = await outside(t, { 'config.json': configOf(printer, { ...OWNERS, 'prnd-plugin-bed-watch': { toleranceC: 5 } }) })
  await install(folder)
  await lend(folder, 'typebox')
  await publishExample(join(folder, 'node_modules', 'prnd-plugin-bed-watch'))
  const daemon = run(t, [cliOf(folder), 'daemon', '--config', join(folder, 'config.json')], { cwd: folder })
  const port = await listening(daemon)
  const call = caller(port)
  await eventually(async () => (await call('/api/session_status')).body.recent_update === true, 10_000)

  t.same((await call('/api/bed_watch')).body, { printer: 'p1s', count: 0, tolerance: 5 }, 'the route, with the configured option')
  t.match(await call('/api/bed_watch?strict=true'),
    { status: 409, body: { status: 'error', error: 'bed_never_warm', reason: "The bed of 'p1s' was never warm" } }, 'its own error')
  t.match(await call('/api/bed_watch?printer=none'), { status: 400, body: { error: 'not_connected' } })

  printer.patch({ bed_target_temper: 60, bed_temper: 40 })
  await eventually(async () => (await call('/api/bed_watch')).body.count === 0)
  printer.patch({ bed_temper: 56 })
  await eventually(async () => (await call('/api/bed_watch')).body.count === 1)

  t.match((await call('/api/alerts')).body, [{ type: 'bed_warm', printer: 'p1s', severity: 'low', payload: { target: 60 } }],
    'its alert, among the others')
  const { body: { series } } = await call('/api/monitoring_series?field=bed_missing')
  t.ok(series.data.length > 0 && series.data.every(({ v }: { v: number }) => v <= 60), 'its collection')
  const { body: { panels } } = await call('/api/charts_panels')
  t.match(panels.slice(-2), [/Missing to the target/, /Bed now[^]*°C/], 'its chart and its panel, after the built-in ones')

  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)) as Parameters<Client['connect']>[0])
  const { tools } = await client.listTools()
  t.match(tools.find(({ name }) => name === 'get_bed_watch'), { annotations: { readOnlyHint: true }, inputSchema: { required: ['name'] } })
  t.match(await client.callTool({ name: 'get_bed_watch', arguments: { name: 'p1s' } }),
    { content: [{ type: 'text', text: "The bed of 'p1s' was warm 1 times." }] }, 'the tool')
  await client.close()

  t.same((await call('/api/bed_watch/reset', 'POST')).body, { status: 'success' })
  t.equal((await call('/api/bed_watch')).body.count, 0)
  const { body: openapi } = await call('/api/openapi.json')
  t.match(openapi.paths['/api/bed_watch'].get, { tags: ['bed-watch'], summary: 'How often the bed reached its target' })

  daemon.child.kill('SIGTERM')
  t.same(await daemon.gone, [0, null])
  t.equal(daemon.stderr(), '')
})

/** The blocks of code in the guide for authors, in order. */
async function guideBlocks (language: string): Promise<string[]> {
  const text = await readFile(GUIDE, 'utf8')
  return [...text.matchAll(new RegExp('```' + language + '\\n([^]*?)```', 'g'))].map(([, code = '']) => code)
}

t.test("the guide's smallest plugin works as it stands, in a folder without any package", async t => {
  const printer = await startPrinter(t)
  const [plugin = ''] = await guideBlocks('js')
  const [written = ''] = await guideBlocks('json')
  const { plugins } = JSON.parse(written) as { plugins: object }
  const installation = await outside(t)
  await install(installation)
  const folder = await outside(t, { 'my-plugin.js': plugin, 'config.json': configOf(printer, plugins), 'package.json': { type: 'module' } })
  const args = [cliOf(installation), 'daemon', '--config', join(folder, 'config.json')]
  const daemon = run(t, args)
  const call = caller(await listening(daemon))
  await eventually(async () => (await call('/api/session_status')).body.recent_update === true, 10_000)
  printer.patch({ bed_target_temper: 60, bed_temper: 30 })
  await eventually(async () => Number((await call('/api/warmth')).body.percent) >= 50) // the bed goes on heating
  const check = await finished(t, [cliOf(installation), 'plugins', 'list', '--config', join(folder, 'config.json')])
  t.match(check.out, /^warmth +0\.1\.0 +kernel \^2\.0\.0 +1 routes +1 tools/m)
})

t.test("the guide's way to test a plugin works as it stands", async t => {
  const blocks = await guideBlocks('js')
  const folder = await outside(t, { 'package.json': { type: 'module' }, 'my-plugin.js': blocks[0] ?? '' })
  await install(folder)
  await lend(folder, 'typebox')
  await place(join(folder, 'test.js'), `${blocks.at(-1) ?? ''}\nconsole.log('passed')\n`)
  const { code: exit, out, err } = await finished(t, [join(folder, 'test.js')], { cwd: folder })
  t.equal(exit, 0, err)
  t.match(out, /^passed$/m)
})
