// The product and its packages as one script that runs their parts when they are asked for: a process that begins with
// it reads one file instead of two thousand, and the engine takes over what another process has compiled of it.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

/** Packages with parts that are no JavaScript, or that find their parts in a way of their own. */
const NOT_BUNDLED = ['sharp', 'libsql', '@node-rs/argon2', 'pg-native', 'jsonc-parser', 'tsx', 'esbuild', 'reflect-metadata']

const compiledPath = (root, folder, path) => join(folder, relative(root, path)).replace(/\.ts$/, '.js')

/** Each part of the bundle believes to be where it would be without one: it looks for files beside itself. */
const placed = (root, folder) => ({
  name: 'placed',
  setup (build) {
    build.onLoad({ filter: /\.([cm]?js|ts)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const isOwn = path.endsWith('.ts')
      const place = isOwn ? compiledPath(root, folder, path) : path
      if (isOwn || text.includes('import.meta')) return { contents: esModule(text, place), loader: isOwn ? 'ts' : 'js' }
      if (/\b__(dirname|filename)\b/.test(text)) return { contents: commonModule(text, place), loader: 'js' }
      return undefined
    })
  }
})

const esModule = (text, place) => text
  .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
  .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
  .replace(/\bimport\((?=[a-z])/g, 'importOutside(')

const commonModule = (text, place) => text
  .replace(/(?<!['"`.\w])__dirname\b(?!\s*[=:])/g, JSON.stringify(dirname(place)))
  .replace(/(?<!['"`.\w])__filename\b(?!\s*[=:])/g, JSON.stringify(place))

const isPackage = name => !/^(\.|\/|node:|prnd(\/|$))/.test(name)

const importsOf = outputs => [...new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)))]
  .filter(name => isPackage(name) && !NOT_BUNDLED.includes(name))

/** `name` or `@scope/name`, and the path within it. */
const [nameOf, pathOf] = [1, 2].map(at => specifier => /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(specifier)[at])

/** A module that takes one part out of the bundle. */
function stub (names, place, folder, part) {
  const own = names.filter(name => !['default', 'module.exports'].includes(name))
  return [
    `import { load as $load } from './${relative(place, join(folder, 'load.cjs'))}'`,
    `const $part = await $load[${JSON.stringify(part)}]()`,
    `export const { ${own.join(', ')} } = $part`,
    ...(names.includes('default') ? ['export default $part.default'] : [])
  ].join('\n')
}

/** In the place of each source a file that takes it out of the bundle. */
function writeSources (root, folder, sources, outputs) {
  for (const path of sources) {
    const place = compiledPath(root, folder, path)
    const { exports } = outputs[relative(root, place)]
    const again = readFileSync(path, 'utf8').match(/^export \* from .*$/gm) ?? []
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, [...again, stub(exports, dirname(place), folder, relative(root, path))].join('\n'))
  }
}

const run = promisify(execFile)

/** What packages export, asked of a process of its own: one of them waits for a polyfill, another for tests to run. */
async function exportsOf (packages, cwd) {
  const script = `
    import 'reflect-metadata'
    const names = {}
    for (const name of ${JSON.stringify(packages)}) names[name] = Object.keys(await import(name))
    process.stderr.write(JSON.stringify(names), () => process.exit())`
  const { stderr } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd, maxBuffer: 2 ** 20 })
  return JSON.parse(stderr)
}

/** In the place of each package a few files that take it out of the bundle, so that tests have no second copy of it. */
async function writePackages (root, folder, packages) {
  const names = await exportsOf(packages, root)
  for (const name of new Set(packages.map(nameOf))) {
    const place = join(folder, 'node_modules', name)
    const exports = {}
    mkdirSync(place, { recursive: true })
    for (const specifier of packages.filter(specifier => nameOf(specifier) === name)) {
      const file = `./${(pathOf(specifier) ?? '/index').slice(1).replaceAll('/', '-')}.mjs`
      writeFileSync(join(place, file), stub(names[specifier], place, folder, specifier))
      exports[`.${pathOf(specifier) ?? ''}`] = file
    }
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, exports }))
  }
}

/**
 * @param sources what the bundle is to hold beside the packages that they import
 * @param outputs what became of each source and each test, compiled by itself
 */
export async function bundle ({ root, folder, sources, outputs, target }) {
  const compiled = sources.map(path => outputs[relative(root, compiledPath(root, folder, path))])
  const own = importsOf(compiled)
  const names = new Set([...own, 'tap'].map(nameOf))
  const ofTests = importsOf(Object.values(outputs)).filter(specifier => names.has(nameOf(specifier)))
  const packages = [...new Set([...own, ...ofTests])]
  const parts = [...sources.map(path => [relative(root, path), path]), ...packages.map(name => [name, name])]
  const lines = parts.map(([key, path]) => `  ${JSON.stringify(key)}: () => import(${JSON.stringify(path)})`)
  await build({
    ...target,
    stdin: { contents: `export const load = {\n${lines.join(',\n')}\n}`, resolveDir: root, sourcefile: 'parts.mts', loader: 'ts' },
    bundle: true,
    format: 'cjs',
    outfile: join(folder, 'bundle.cjs'),
    external: NOT_BUNDLED,
    alias: { 'async-hook-domain': join(root, 'test', 'runner', 'async-domain.ts') },
    supported: { 'dynamic-import': false },
    logOverride: { 'empty-import-meta': 'silent' },
    legalComments: 'none',
    sourcemap: 'external',
    plugins: [placed(root, folder)]
  })
  cpSync(join(dirname(fileURLToPath(import.meta.url)), 'load.cjs'), join(folder, 'load.cjs'))
  writeSources(root, folder, sources, outputs)
  await writePackages(root, folder, packages)
}

/** A service that runs for a moment: what the engine has compiled for it then, it need not compile again. */
export async function warmUp (root, folder) {
  await run(process.execPath, [join(folder, 'test', 'runner', 'warm-up.js')], { cwd: root })
}
