import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { loadPlugin } from '../../../core/kernel/loader.js'
import { testFolder } from '../../helpers/folder.js'

const PLUGIN = "{ name: 'x', version: '1.0.0', kernel: '*' }"

/** A folder with files, beside a configuration file that need not exist. */
async function place (t: Test, files: Record<string, string>) {
  const folder = testFolder(t)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const config = join(folder, 'config.json')
  const load = (reference: string, known?: string[]) => loadPlugin(reference, config, known)
  const refuses = (reference: string, problem: string | RegExp, known?: string[]) => t.rejects(load(reference, known), {
    code: 'PRN_ERR_PLUGIN_LOAD',
    message: typeof problem === 'string' ? `Plugin '${reference}' cannot be loaded: ${problem}` : problem
  })
  return { folder, config, load, refuses }
}

const packageJson = (fields: object) => JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', ...fields })

t.test('a file beside the configuration, relative or absolute', async t => {
  const { folder, load } = await place(t, { 'local/x.mjs': `export default ${PLUGIN}` })
  t.equal((await load('./local/x.mjs')).name, 'x')
  t.equal((await load(join(folder, 'local', 'x.mjs'))).name, 'x')
})

t.test('a folder with a package in it', async t => {
  const { load } = await place(t, { 'p/package.json': packageJson({ main: 'a.js' }), 'p/a.js': `export default ${PLUGIN}` })
  t.equal((await load('./p')).name, 'x')
})

t.test('a package beside the configuration, also one with a scope', async t => {
  const { load } = await place(t, {
    'node_modules/prnd-plugin-x/package.json': packageJson({ exports: { '.': { types: './x.d.ts', default: './x.js' } } }),
    'node_modules/prnd-plugin-x/x.js': `export default ${PLUGIN}`,
    'node_modules/@me/prnd-plugin-x/package.json': packageJson({ type: 'commonjs', main: 'x.js' }),
    'node_modules/@me/prnd-plugin-x/x.js': `module.exports = ${PLUGIN}`
  })
  t.equal((await load('prnd-plugin-x')).name, 'x')
  t.equal((await load('@me/prnd-plugin-x')).name, 'x')
})

t.test('a file that is not there', async t => {
  const { refuses, folder } = await place(t, {})
  await refuses('./none.mjs', `there is no file ${join(folder, 'none.mjs')}`)
  await refuses('/none/none.mjs', 'there is no file /none/none.mjs')
})

t.test('a package that is not installed says how to get it', async t => {
  const { refuses, folder, config } = await place(t, {})
  await refuses('prnd-plugin-none', 'it is not installed where ' +
    `${config} can find it (npm install prnd-plugin-none in ${folder})`)
})

t.test('a name that is nearly a built-in one is not said to be installed from anywhere', async t => {
  const { load } = await place(t, {})
  await t.rejects(load('camra', ['climate', 'camera']),
    { code: 'PRN_ERR_CONFIG', message: "plugins.camra: there is no such plugin; did you mean 'camera'?" })
})

t.test('a package that leads nowhere is told from one that is missing', async t => {
  const problem = "it is installed, but its package.json points to no file; 'exports' needs a 'default' condition, " +
    'and the package may have to be built'
  const { refuses } = await place(t, {
    'node_modules/only-import/package.json': packageJson({ exports: { '.': { import: './x.js' } } }),
    'node_modules/only-import/x.js': `export default ${PLUGIN}`,
    'node_modules/unbuilt/package.json': packageJson({ exports: { '.': { default: './dist/x.js' } } })
  })
  await refuses('only-import', problem)
  await refuses('unbuilt', problem)
})

t.test('a module that throws, or cannot be read, says why', async t => {
  const { refuses, folder } = await place(t, {
    'throws.mjs': "throw new Error('boom')",
    'odd.mjs': "throw 'just a text'",
    'syntax.mjs': 'const a = 1\nexport default {{',
    'missing.mjs': "import 'not-there-at-all'",
    'old.mjs': "import { nothingOfThatName } from 'node:fs'"
  })
  await refuses('./throws.mjs', 'boom')
  await refuses('./odd.mjs', 'just a text')
  await refuses('./syntax.mjs', `Unexpected token '{' (node --check ${join(folder, 'syntax.mjs')} shows where)`)
  await refuses('./missing.mjs', /Cannot find package 'not-there-at-all'/)
  await refuses('./old.mjs', /does not provide an export named 'nothingOfThatName'/)
})

t.test('a default export that is no plugin says what is wrong with it', async t => {
  const { refuses } = await place(t, {
    'none.mjs': 'export const a = 1',
    'null.mjs': 'export default null',
    'function.mjs': 'export default () => {}',
    'nameless.mjs': "export default { version: '1.0.0', kernel: '*' }",
    'unversioned.mjs': "export default { name: 'x', kernel: '*' }",
    'versions.mjs': "export default { name: 'x', version: 'latest', kernel: '*' }",
    'rangeless.mjs': "export default { name: 'x', version: '1.0.0', kernel: '' }",
    'setup.mjs': "export default { name: 'x', version: '1.0.0', kernel: '*', setup: 5 }"
  })
  for (const file of ['none', 'null', 'function']) await refuses(`./${file}.mjs`, 'its default export is not a plugin (use definePlugin)')
  await refuses('./nameless.mjs', "its 'name' is missing")
  await refuses('./unversioned.mjs', "its 'version' is missing")
  await refuses('./versions.mjs', "its version 'latest' is not a version such as 1.2.3")
  await refuses('./rangeless.mjs', "its 'kernel' is missing")
  await refuses('./setup.mjs', "its 'setup' is not a function")
})
