import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t from 'tap'
import { selectPlugins } from '../../core/index.js'
import { checkPlugins } from '../../presets/cli/doctor/plugins.js'
import daemon from '../../presets/daemon/index.js'
import { boot } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { testFolder } from '../helpers/folder.js'

const plugin = (name: string, fields: string) =>
  `export default { name: '${name}', version: '1.0.0', kernel: '*', ${fields} }`

interface Case {
  readonly source: string
  readonly options?: object
  /** What every place says of it. */
  readonly says: RegExp
  /** It runs, and this part of it fails. */
  readonly part?: string
}

/** By the plugin's name; each is wrong in its own way. */
const CASES: Readonly<Record<string, Case>> = {
  './load.mjs': { source: "throw new Error('no luck')", says: /'\.\/load\.mjs' cannot be loaded: no luck/ },
  './export.mjs': { source: 'export default { hello: 1 }', says: /'\.\/export\.mjs' cannot be loaded: its 'name' is missing/ },
  version: { source: "export default { name: 'version', version: '1.0.0', kernel: '^9.0.0' }", says: /'version' needs kernel \^9\.0\.0/ },
  options: { source: plugin('options', ''), options: { gian: 1 }, says: /Options of plugin 'options': unknown key 'gian'/ },
  needy: { source: plugin('needy', "needs: ['throwing']"), says: /Plugin 'needy' is skipped: it needs plugin 'throwing', which is skipped too/ },
  lost: { source: plugin('lost', "needs: ['nowhere']"), says: /Plugin 'lost' needs plugin 'nowhere', which is not loaded/ },
  misspelt: { source: plugin('misspelt', 'setUp () {}'), says: /'misspelt' cannot be loaded: unknown member 'setUp'; did you mean 'setup'\?/ },
  listed: { source: plugin('listed', 'contributes: { tool: [] }'), says: /'listed' cannot be loaded: unknown contribution 'tool'; did you mean 'tools'\?/ },
  open: { source: plugin('open', "setup ({ app }) { app.get('/plugins/open', { config: { acces: 'trusted' } }, () => 1) }"), says: /Setup of plugin 'open' failed: .*unknown member 'acces' of config; did you mean 'access'\?/ },
  paged: {
    source: plugin('paged', "contributes: { pages: [{ id: 'paged', path: '/paged', icon: 'info', order: 1, " +
      "texts: { en: { 'paged.title': 'x' } }, content: { files: '/nowhere/at/all' } }] }"),
    says: /Page 'paged' of plugin 'paged': .*nowhere/
  },
  routed: {
    source: plugin('routed', "contributes: { routes: [{ method: 'FETCH', path: '/routed', operation: { name: 'routed.do', " +
      "summary: 'x', effect: 'read', scope: 'daemon', input: { type: 'object' }, output: {}, run: () => ({}) } }] }"),
    says: /'routed' cannot be loaded: route 'FETCH \/routed': /
  },
  tooled: {
    source: plugin('tooled', "contributes: { tools: [{ name: 'get_tooled', operation: { name: 'tooled.do' } }] }"),
    says: /'tooled' cannot be loaded: tool 'get_tooled': /
  },
  contributing: { source: plugin('contributing', "contributes () { throw new Error('empty') }"), says: /'contributing' cannot be loaded: its contributions failed: empty/ },
  rule: { source: plugin('rule', "contributes: { alerts: [{ name: 'odd' }] }"), says: /'odd' of plugin 'rule': detect must be a function/ },
  throwing: { source: plugin('throwing', "setup () { throw new Error('the heater is on fire') }"), says: /Setup of plugin 'throwing' failed: the heater is on fire/ },
  endless: { source: plugin('endless', 'setup: () => new Promise(() => {})'), says: /Setup of plugin 'endless' failed: it did not finish within 3 s/ },
  unready: { source: plugin('unready', "setup ({ onReady }) { onReady(() => { throw new Error('not ready') }) }"), says: /Setup of plugin 'unready' failed: not ready/ },
  taking: { source: plugin('taking', "needs: ['http'], setup: ({ app }) => { app.get('/api/printers', () => 'mine') }"), says: /Setup of plugin 'taking' failed: .*'\/api\/printers'/ },
  promising: { source: plugin('promising', "provides: ['heater']"), says: /Setup of plugin 'promising' failed: it declares the service 'heater'/ },
  route: {
    source: plugin('route', "setup ({ app }) { app.get('/plugins/route', () => { throw new Error('dead end') }) }"),
    part: "route 'GET /plugins/route'",
    says: /dead end/
  },
  listener: {
    source: plugin('listener', "setup ({ events }) { events.on('printer:added', () => { throw new Error('deaf') }) }"),
    part: "listener 'printer:added'",
    says: /deaf/
  }
}

const FINE = plugin('fine', "setup ({ app }) { app.get('/plugins/fine', () => ({ fine: true })) }")
const fileOf = (name: string) => name.startsWith('./') ? name : `./${name}.mjs`
const PLUGINS = {
  ...Object.fromEntries(Object.entries(CASES).map(([name, { options = {} }]) => [fileOf(name), options])), './fine.mjs': {}
}

/** Options of built-in plugins that name what a broken plugin would have brought. */
const REFERRING = {
  mcp: { exclude: ['get_throwing'] },
  notify: { targets: { loft: { type: 'pigeon' } }, rules: [{ to: ['loft'] }] }
}

interface Problem {
  readonly plugin: string
  readonly part: string | null
  readonly message: string
  readonly disabled: boolean
}

const SOURCES = {
  ...Object.fromEntries(Object.entries(CASES).map(([name, { source }]) => [fileOf(name).slice(2), source])),
  'fine.mjs': FINE
}

t.test('plugins from outside that fail are left out or named, and the service runs', async t => {
  const dataDir = testFolder(t, SOURCES)
  const console: string[] = []
  const logEcho = new Writable({ write (chunk, _encoding, done) { console.push(String(chunk)); done() } })
  const { http, tool, kernel, name } = await boot(t, {
    models: ['P1S'],
    config: { dataDir, plugins: { ...PLUGINS, ...REFERRING }, log: { file: join(dataDir, 'log') } },
    dependencies: { logEcho, warn: message => { console.push(`Warning: ${message}\n`) }, limits: { setup: 3_000 } }
  })
  t.equal((await http('GET', '/plugins/route')).status, 500)

  const { body: info } = await http('GET', '/api/server_info')
  const problems = info.plugin_problems as Problem[]
  const checks = await checkPlugins({ config: kernel.config, path: kernel.configFile }, {
    call: async <T>(method: string, path: string) => (await http(method as 'GET', path)).body as T
  })
  const { body: alerts } = await http('GET', '/api/alerts', { printer: name, peek: true })
  const raised = JSON.stringify(alerts)
  const readLog = () => readFile(join(dataDir, 'log'), 'utf8')
  await eventually(async () => (await readLog()).includes('dead end'))
  const log = await readLog()
  for (const [plugin, { says, part = null }] of Object.entries(CASES)) {
    await t.test(plugin, async t => {
      const [problem, ...more] = problems.filter(problem => problem.plugin === plugin)
      t.match(problem, { part, message: says, disabled: part === null }, 'the server info')
      t.same(more, [])
      t.ok(console.some(line => says.test(line)), 'the console')
      t.match(log, says, 'the log')
      const check = checks.find(check => check.name === `plugin ${plugin}`)
      t.match(check, { status: part === null ? 'failed' : 'warning', detail: says, fix: /--safe/ }, 'doctor')
      t.ok((alerts as { type: string, payload: { plugin: string, reason: string } }[]).some(({ type, payload }) =>
        type === 'plugin_failed' && payload.plugin === plugin && says.test(payload.reason)), `an alert: ${raised}`)
    })
  }
  t.same(problems.filter(({ plugin }) => plugin === 'fine'), [])
  t.same((await http('GET', '/plugins/fine')).body, { fine: true }, 'the others run')
  t.equal((await http('GET', '/api/session_status')).status, 200)
  t.match((await tool('get_server_info')).value, { plugin_problems: [{ part: null }] }, 'agents read it too')
  const { body: report } = await http('GET', '/plugins')
  t.same(report.skipped.map(({ plugin }: Problem) => plugin).sort(),
    Object.entries(CASES).filter(([, { part }]) => part === undefined).map(([plugin]) => plugin).sort())
  t.equal(report.plugins.find(({ name }: { name: string }) => name === 'throwing'), undefined, 'nothing of them is left')
})

t.test('without a running service doctor loads the plugins and starts none', async t => {
  const dataDir = testFolder(t, SOURCES)
  const { config } = await import('../../core/index.js').then(({ readConfig }) => readConfig(undefined, { env: {} }))
  const checks = await checkPlugins({ config: { ...config, plugins: PLUGINS }, path: join(dataDir, 'config.json') })
  t.same(checks.map(({ name }) => name).sort(),
    ['./load.mjs', './export.mjs', 'version', 'options', 'lost', 'contributing', 'misspelt', 'listed'].map(name => `plugin ${name}`).sort())
})

t.test('a safe start leaves all of them out', async t => {
  const dataDir = testFolder(t, SOURCES)
  const { http } = await boot(t, { models: [], config: { dataDir, plugins: PLUGINS }, dependencies: { safe: true } })
  const { body } = await http('GET', '/api/server_info')
  t.same(body.plugin_problems.map(({ plugin }: Problem) => plugin).sort(), Object.keys(PLUGINS).sort())
  t.match(body.plugin_problems[0].message, /the service was started with --safe/)
  t.equal((await http('GET', '/plugins/fine')).status, 404)
})

t.test('what is wrong with a built-in plugin still stops the start', async t => {
  const dataDir = testFolder(t, SOURCES)
  await t.rejects(boot(t, { models: [], config: { dataDir, plugins: { peopel: {} } } }),
    { code: 'PRN_ERR_CONFIG', message: "plugins.peopel: there is no such plugin; did you mean 'people'?" }, 'its options would be lost')
  const broken = { name: 'broken', version: '1.0.0', kernel: '*', setup () { throw new Error('bent') } }
  await t.rejects(boot(t, { models: [], plugins: [broken], config: { dataDir, plugins: { './fine.mjs': {} } } }),
    { code: 'PRN_ERR_PLUGIN_SETUP', message: "Setup of plugin 'broken' failed: bent" })
  await t.rejects(selectPlugins({ name: 'x', plugins: [daemon.plugins, { ...broken, needs: ['nowhere'] }] }, { plugins: {} }, ''),
    { code: 'PRN_ERR_PLUGIN_MISSING' })
})
