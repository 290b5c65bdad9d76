import { execFile } from 'node:child_process'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { VERSION, type PluginFacts } from '../../../core/index.js'
import { pluginName } from '../../../presets/cli/plugin-name.js'
import { build, finished, install, lend, listening, outside, place, ROOT, run } from '../../outside/installed.js'
import { browse, noBrowser } from '../../plugins/charts/chromium.js'
import { CLI, configured, daemon, parallelIn, prnd } from '../prnd.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

t.before(build)
const parallel = parallelIn(t)

/** Runs a command in a folder. */
const at = (t: Test, cwd: string, args: readonly string[]) => finished(t, [CLI, ...args], { cwd })

const DECENT = `export default {
  name: 'decent', version: '0.3.0', kernel: '^2.0.0', description: 'Does no harm', uses: ['disk'],
  contributes: {
    routes: [{ method: 'GET', path: '/decent', operation: { name: 'decent.read', summary: 'Reads', effect: 'read', scope: 'daemon', input: { type: 'object' }, output: {}, run: () => ({}) } }],
    collections: [{ name: 'decent', unit: 'x', read: () => 1 }]
  }
}`

t.test('names of plugins', async t => {
  const name = 'prnd-plugin-bed-watch'
  t.same(pluginName('bed-watch'), { name: 'bed-watch', package: name })
  t.same(pluginName(name), { name: 'bed-watch', package: name })
  t.same(pluginName('@me/bed-watch'), { name: 'bed-watch', package: `@me/${name}` })
  t.same(pluginName(`@me/${name}`), { name: 'bed-watch', package: `@me/${name}` })
  for (const bad of ['', 'Bed', 'bed_watch', '-bed', 'bed-', 'bed--watch', '1bed', 'a/b', '../x', '@me/', 'prnd-plugin-', 'a'.repeat(41), 'é']) {
    t.throws(() => pluginName(bad), /a name has lower-case letters/, bad)
  }
})

parallel('create: the files of a plugin, filled in', async t => {
  const folder = await outside(t)
  const { code, out, err } = await at(t, folder, ['plugins', 'create', 'bed-watch'])
  t.equal(code, 0, err)
  t.match(out, /^prnd-plugin-bed-watch is in prnd-plugin-bed-watch\. Next:\n {2}cd prnd-plugin-bed-watch\n {2}npm install\n {2}npm test\n$/m)
  const made = join(folder, 'prnd-plugin-bed-watch')
  t.same((await readdir(made)).sort(), ['.gitignore', '.npmrc', 'README.md', 'package.json', 'page', 'src', 'tsconfig.json'])
  const read = (path: string) => readFile(join(made, path), 'utf8')
  t.match(JSON.parse(await read('package.json')), {
    name: 'prnd-plugin-bed-watch',
    keywords: ['prnd-plugin'],
    files: ['dist', 'page', '!dist/*.test.*'],
    peerDependencies: { prnd: `^${VERSION}` },
    devDependencies: { prnd: `file:${ROOT}` }
  }, 'far from the running package, a copy of it is installed')
  for (const path of ['README.md', 'package.json', 'tsconfig.json', 'page/main.js', 'src/index.ts', 'src/index.test.ts']) {
    t.notMatch(await read(path), /\{\{\w+\}\}/, `${path} has no gap`)
  }
  t.match(await read('page/index.html'), '<h1>{{bed-watch.title}}</h1>', 'the page is filled with the texts of its reader')
  t.match(await read('src/index.ts'), "'bed-watch.title': 'Bed watch'")
  t.match(await read('src/index.ts'), /name: 'bed-watch',[^]*path: '\/bed_watch'[^]*get_bed_watch/)
})

parallel('create: refuses bad names, names that are taken and folders that exist', async t => {
  const folder = await outside(t, { 'prnd-plugin-there/x': 'mine', file: 'x' })
  const run = (...args: string[]) => at(t, folder, ['plugins', 'create', ...args])
  t.match(await run('Bad_Name'), { code: 2, out: '', err: /'Bad_Name' is invalid.*a name has lower-case letters/ })
  t.match(await run(), { code: 2, err: /missing required argument 'name'/ })
  t.match(await run('climate'), { code: 1, out: '', err: /^'climate' is a built-in plugin.*\[PRN_ERR_PLUGIN_NAME\]$/m })
  t.match(await run('there'), { code: 1, out: '', err: /prnd-plugin-there already exists.*\[PRN_ERR_FOLDER_TAKEN\]$/m })
  t.match(await run('fine', '--dir', 'file/inside'), { code: 1, out: '', err: /\[PRN_ERR_FOLDER_NOT_WRITTEN\]$/m })
  t.same(await readdir(join(folder, 'prnd-plugin-there')), ['x'])
  t.match(await run('there', '--dir', 'else/where'), { code: 0, out: /is in else\/where\./ })
  t.ok((await stat(join(folder, 'else', 'where', 'src', 'index.ts'))).isFile())
})

parallel('create: beside the package, its test passes with node:test', async t => {
  const folder = await outside(t)
  await install(folder)
  const own = join(folder, 'node_modules', 'prnd', 'dist', 'presets', 'cli', 'main.js')
  t.equal((await finished(t, [own, 'plugins', 'create', 'glow'], { cwd: folder })).code, 0)
  const made = join(folder, 'prnd-plugin-glow')
  t.notMatch(await readFile(join(made, 'package.json'), 'utf8'), /file:/, 'nothing more is needed there')
  await lend(folder, 'typebox')
  for (const name of ['index', 'index.test']) { // types are checked by the test of the declarations
    const { outputText } = ts.transpileModule(await readFile(join(made, 'src', `${name}.ts`), 'utf8'),
      { compilerOptions: { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 } })
    await place(join(made, 'dist', `${name}.js`), outputText)
  }
  const { code, out } = await finished(t, ['--test', '--test-reporter=tap', 'dist/index.test.js'], { cwd: made })
  t.equal(code, 0, out)
  t.match(out, /^# pass 5$/m)

  const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', [...args, '--ignore-scripts', '--offline'], { cwd })
  await npm(made, 'pack', '--pack-destination', folder)
  const users = await outside(t, { 'package.json': { name: 'users', private: true } })
  await npm(users, 'install', '--no-audit', '--no-fund', join(folder, 'prnd-plugin-glow-0.1.0.tgz'))
  const config = join(users, 'config.json')
  await place(config, { dataDir: 'data', api: { host: '127.0.0.1' }, plugins: { 'prnd-plugin-glow': {} } })
  const check = await finished(t, [own, 'plugins', 'check', '-c', config])
  t.match(check, { code: 0, out: /^glow +0\.1\.0 [^]*route {4}GET \/api\/glow: [^]*tool {5}get_glow \(read\)[^]*setting {2}warmC[^]*All \d+ plugins can be loaded/ })
  await settingIsChanged(t, [own, 'daemon', '-c', config], join(users, 'data', 'plugins', 'glow', 'settings.json'))
})

/** Changes the setting of a running plugin over HTTP and, where there is a browser, on the settings page. */
async function settingIsChanged (t: Test, command: readonly string[], stored: string): Promise<void> {
  const daemon = run(t, command)
  const base = `http://127.0.0.1:${await listening(daemon)}`
  t.equal(daemon.stderr(), '', 'the plugin is not skipped')
  const ask = async (method: string, body?: object) => {
    const reply = await fetch(`${base}/api/plugin_settings`,
      { method, ...body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } })
    return { status: reply.status, body: await reply.json() }
  }
  t.match(await ask('GET'), { status: 200, body: { plugins: [{ plugin: 'glow', values: { warmC: 45 } }] } })
  t.match(await ask('PATCH', { plugin: 'glow', values: { warmC: 500 } }), { status: 400, body: { reason: 'warmC must be <= 120' } })
  t.match(await ask('PATCH', { plugin: 'glow', values: { warmC: 50 } }), { status: 200, body: { values: { warmC: 50 } } })
  t.same(JSON.parse(await readFile(stored, 'utf8')), { warmC: 50 })
  if (noBrowser !== false) return t.comment(noBrowser)

  const { page, pageErrors } = await browse(t)
  await page.goto(`${base}/settings`)
  const form = page.getByRole('form', { name: 'Glow' })
  const field = form.getByRole('spinbutton', { name: 'The bed is warm from (°C)' })
  await field.waitFor()
  t.equal(await field.inputValue(), '50')
  await field.fill('62.5')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved.').waitFor()
  t.same(JSON.parse(await readFile(stored, 'utf8')), { warmC: 62.5 })
  t.same(pageErrors, [])
}

parallel('list: what is added by the configuration is shown in full', async t => {
  const { file } = await configured(t, {}, DECENT)
  const list = await prnd(t, ['plugins', 'list', '-c', file])
  t.equal(list.code, 0, list.err)
  t.match(list.out, /^decent +0\.3\.0 +kernel \^2\.0\.0 +1 routes +0 tools {2}touches disk\. Does no harm\n {4}route {4}GET \/api\/decent: Reads\n {4}adds {5}1 collections$/m)
  t.notMatch(list.out, /route {4}GET \/api\/alerts/, 'the others in one line each')
  const one = await prnd(t, ['plugins', 'list', 'alerts', '-c', file])
  t.match(one.out, /^alerts [^]*route {4}GET \/api\/alerts[^]*provides alerts\n$/)
  t.match(await prnd(t, ['plugins', 'list', 'allerts', '-c', file]), { code: 1, err: /There is no plugin 'allerts' \[PRN_ERR_NOT_FOUND\]/ })
})

parallel('list and check: for programs', async t => {
  const { file } = await configured(t, {}, DECENT)
  const list = JSON.parse((await prnd(t, ['plugins', 'list', '--json', '-c', file])).out) as { plugins: PluginFacts[] }
  t.match(list.plugins.find(({ name }) => name === 'decent'), {
    version: '0.3.0',
    kernel: '^2.0.0',
    outside: true,
    uses: ['disk'],
    routes: [{ method: 'GET', path: '/decent', does: 'Reads', effect: 'read' }],
    tools: [],
    contributes: { routes: 1, collections: 1 },
    faults: []
  })
  const check = await prnd(t, ['plugins', 'check', '--json', '-c', file])
  t.equal(check.code, 0)
  t.equal(JSON.parse(check.out).ok, true)
})

parallel('check: a plugin that is broken ends it with 1 and its name', async t => {
  const { file } = await configured(t, {}, "export default { name: 'bad', version: '1.0.0', kernel: '^9.0.0' }")
  const err = `Plugin 'bad' needs kernel ^9.0.0, this is ${VERSION}`
  t.match(await prnd(t, ['plugins', 'check', '-c', file]), { code: 1, out: '', err: `${err} [PRN_ERR_PLUGIN_VERSION]\n` })
  t.match(await prnd(t, ['plugins', 'list', '-c', file]),
    { code: 0, out: new RegExp(`^queue +2[^]*^bad +skipped: ${err.replaceAll(/[.^]/g, '\\$&')} \\[PRN_ERR_PLUGIN_VERSION\\]$`, 'm') })
  const json = await prnd(t, ['plugins', 'check', '--json', '-c', file])
  t.equal(json.code, 1)
  t.same(JSON.parse(json.out), { ok: false, problems: [{ plugin: 'bad', code: 'PRN_ERR_PLUGIN_VERSION', message: err }] })
})

parallel('check: every plugin that is broken is named, not only the first', async t => {
  const folder = testFolder(t, {
    'version.mjs': "export default { name: 'old', version: '1.0.0', kernel: '^9.0.0' }",
    'syntax.mjs': 'export default {',
    'needy.mjs': "export default { name: 'needy', version: '1.0.0', kernel: '*', needs: ['old'] }",
    'twice.mjs': "export default { name: 'decent', version: '1.0.0', kernel: '*' }",
    'fine.mjs': DECENT,
    'config.json': JSON.stringify({
      dataDir: 'data',
      plugins: {
        './fine.mjs': {}, './version.mjs': {}, './gone.mjs': {}, './needy.mjs': {}, './syntax.mjs': {}, './twice.mjs': {}
      }
    })
  })
  const { code, out, err } = await prnd(t, ['plugins', 'check', '-c', join(folder, 'config.json')])
  t.same({ code, out }, { code: 1, out: '' })
  t.equal(err.trim().split('\n').length, 5, err)
  t.match(err, /Plugin '\.\/gone\.mjs' cannot be loaded/)
  t.match(err, /Plugin '\.\/syntax\.mjs' cannot be loaded/)
  t.match(err, /Plugin 'old' needs kernel/)
  t.match(err, /Plugin 'needy' is skipped: it needs plugin 'old', which is skipped too/)
  t.match(err, /Plugin 'decent' is defined twice/)
})

parallel('list: says what went wrong in a service that runs', async t => {
  const { file } = await configured(t, {}, `export default {
    name: 'bad', version: '1.0.0', kernel: '*', contributes: { streams: [{ list () { throw new Error('no list') } }] }
  }`)
  const service = daemon(t, file)
  await eventually(() => /localhost:(\d+)\/api$/m.test(service.stdout()), 60_000)
  const port = /localhost:(\d+)\/api$/m.exec(service.stdout())?.[1]
  t.equal((await fetch(`http://127.0.0.1:${port}/api/server_info`)).status, 200)
  const says = /fault {4}list of streams: \d+ ×, last 20.*: no list$/m
  await eventually(async () => says.test((await prnd(t, ['plugins', 'list', 'bad', '-c', file])).out), 60_000)
})
