import { Script } from 'node:vm'
import t, { type Test } from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { connectClient, defineApp, type McpClient } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { noBrowser } from '../charts/chromium.js'
import { showApp } from './apps/host.js'

const EXTENSIONS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const FILE = '/desk-organiser.gcode.3mf'
const MODEL = {
  model: 'P1S', name: 'one', speed: 20, reportEveryMs: 100, sdCard: { samples: true }, camera: { width: 320, height: 180 }
} as const

async function connect (t: Test, { kernel }: Booted, extensions: object = EXTENSIONS): Promise<McpClient> {
  const client = await connectClient(kernel, { name: 'host', version: '1.0.0' }, { extensions } as object)
  t.teardown(() => client.close())
  return client
}
/** The service with a client that shows pages. */
async function bootHost (t: Test) {
  const booted = await boot(t, { models: [MODEL] })
  return { ...booted, client: await connect(t, booted) }
}

const uris = async (client: McpClient) =>
  (await client.listResources()).resources.map(({ uri }) => uri).filter(uri => uri.startsWith('ui:'))

t.test('only clients that show pages are told of them', async t => {
  const booted = await boot(t, { models: [] })
  const plain = await booted.client.listTools()
  t.same(plain.tools.filter(tool => '_meta' in tool), [])
  t.same(await uris(booted.client), [])
  t.same(await uris(await connect(t, booted, { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/other'] } })), [])

  const client = await connect(t, booted)
  const { tools } = await client.listTools()
  const told = tools.filter(tool => '_meta' in tool)
  t.same(Object.fromEntries(told.map(({ name, _meta }) => [name, _meta])), {
    get_print_progress: { ui: { resourceUri: 'ui://prnd/printer' } },
    get_snapshot: { ui: { resourceUri: 'ui://prnd/printer' } },
    preview_ams_mapping: { ui: { resourceUri: 'ui://prnd/mapping' } },
    render_charts_panels: { ui: { resourceUri: 'ui://prnd/charts' } }
  })
  t.same(tools.map(({ _meta, ...tool }) => tool), plain.tools, 'nothing else differs')
  t.same((await uris(client)).sort(), ['ui://prnd/charts', 'ui://prnd/mapping', 'ui://prnd/printer'])
})

t.test('a page of tools that are not offered is not there', async t => {
  const booted = await boot(t, { models: [], config: { plugins: { mcp: { toolsets: ['charts'] } } } })
  const client = await connect(t, booted)
  t.same(await uris(client), ['ui://prnd/charts'])
  await t.rejects(client.readResource({ uri: 'ui://prnd/mapping' }), /not found/)
})

t.test('each page is one document that loads nothing', async t => {
  const client = await connect(t, await boot(t, { models: [] }))
  for (const uri of await uris(client)) {
    const { contents: [content] } = await client.readResource({ uri })
    const { text, mimeType, _meta } = content as { text: string, mimeType: string, _meta: object }
    t.equal(mimeType, 'text/html;profile=mcp-app')
    t.same(_meta, { ui: { csp: {}, prefersBorder: true } }, 'no host is named')
    t.match(text, /^<!doctype html>/)
    t.notMatch(text, /\{\{\w+\}\}|<link|\bsrc="|@import|^(?:import|export) /m, `${uri} is whole`)
    t.notMatch(text, /https?:/, `${uri} names no host`)
    t.match(text, /default-src &#39;none&#39;; script-src &#39;sha256-/)
    const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(text) ?? []
    t.doesNotThrow(() => new Script(`async () => {${script}}`), `${uri} is one script`)
  }
})

t.test('plugins contribute pages; one that throws says so without secrets', async t => {
  const app = defineApp({
    uri: 'ui://x/broken',
    name: 'broken',
    title: 'Broken',
    description: 'Throws',
    tools: ['get_job_info'],
    html: () => { throw new Error('no page') }
  })
  const extra = definePlugin({ name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { apps: [app] } })
  const booted = await boot(t, { models: [], preset: definePreset({ name: 'daemon', plugins: [daemon.plugins, extra] }) })
  const client = await connect(t, booted)
  t.ok((await uris(client)).includes('ui://x/broken'))
  await t.rejects(client.readResource({ uri: 'ui://x/broken' }), /no page/)
})

/** Run in the page: the compiler knows nothing of documents here. */
const GROUND = 'getComputedStyle(document.querySelector("main")).backgroundColor'

const browser = { skip: noBrowser }

t.test('the printer card shows the live picture, the job and the temperatures', browser, async t => {
  const booted = await bootHost(t)
  await booted.client.callTool({ name: 'print_file', arguments: { name: 'one', file_path: FILE, user_permission: true } })
  const shown = await showApp(t, booted, { tool: 'get_print_progress', args: { name: 'one' } })
  const { app, calls } = shown
  await eventually(async () => /^(Running|Prepare)$/.test(await app.locator('.badge').first().textContent() ?? ''), 30_000)
  await eventually(async () => await app.getByAltText('Camera of one').count() === 1, 30_000)
  t.match(await app.getByAltText('Camera of one').getAttribute('src'), /^data:image\/jpeg;base64,/)
  await eventually(() => calls.filter(({ name }) => name === 'get_snapshot').length >= 2, 30_000)
  t.match(await app.locator('main').innerText(), /one[\s\S]*Live[\s\S]*desk-organiser[\s\S]*Bed/)
  t.same([...new Set(calls.map(({ name }) => name))].sort(),
    ['get_hms_errors', 'get_print_progress', 'get_snapshot', 'get_temperatures'], 'it only reads')
  await shown.end()
  t.same(shown.pageErrors, [], 'and loads nothing')
})

t.test('without a host that calls tools the answer itself is shown', browser, async t => {
  const booted = await bootHost(t)
  const { app, calls, pageErrors } = await showApp(t, booted,
    { tool: 'get_snapshot', args: { name: 'one' }, capabilities: {} })
  await eventually(async () => await app.getByAltText('Camera of one').count() === 1, 30_000)
  t.same(calls, [])
  t.same(pageErrors, [])
})

t.test('spools are changed before a print, and the choice goes to the agent', browser, async t => {
  const booted = await bootHost(t)
  const { app, calls, messages, pageErrors } = await showApp(t, booted,
    { tool: 'preview_ams_mapping', args: { name: 'one', file_path: FILE, plate_num: 2 }, scheme: 'light' })
  const spool = app.getByLabel('Spool for filament 2, PLA')
  t.equal(await spool.inputValue(), '0')
  await app.getByText('Filament 2 is #0A2989, but AMS A · slot 1 holds #000000.').waitFor()
  await spool.selectOption('2')
  await app.getByText(/Filament 2 is PLA, but/).first().waitFor()
  t.match(calls.at(-1), { name: 'preview_ams_mapping', arguments: { ams_mapping: '[1,2]', plate_num: 2 } })
  await spool.selectOption('1')
  await app.getByRole('button', { name: 'Print with these spools' }).click()
  await app.getByText(/Handed to the agent/).waitFor()
  t.same(messages, [`Print plate 2 of ${FILE} on one with ams_mapping [1,1].`])
  t.same(booted.printer.requests.filter(({ command }) => command === 'project_file'), [], 'the page prints nothing')
  t.notOk(calls.some(({ name }) => name === 'print_file'))
  t.same(pageErrors, [])
})

t.test('charts are whole, and follow the theme of the host', browser, async t => {
  const booted = await bootHost(t)
  const { client } = booted
  await eventually(async () => !(await client.callTool({ name: 'render_charts_panels', arguments: { name: 'one' } })).isError)
  const { app, pageErrors, setTheme } = await showApp(t, booted,
    { tool: 'render_charts_panels', args: { name: 'one' }, scheme: 'dark', theme: 'light' })
  await eventually(async () => await app.locator('.panels svg').count() === 6)
  const ground = () => app.locator('main').evaluate<string, unknown>(GROUND)
  t.equal(await ground(), 'rgb(255, 255, 255)', 'light, though the system is dark')
  await setTheme('dark')
  await eventually(async () => await ground() === 'oklch(0.213 0.014 258)')
  t.same(pageErrors, [])
})
