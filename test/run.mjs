// `npm test [files or folders] [options of tap]`: installs and builds when needed, compiles sources and tests once, and
// runs tap, whose configuration is `.taprc`.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyUncompiledFiles } from '../presets/cli/uncompiled-files.mjs'
import { prepare } from '../presets/cli/prepare.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const TAP = join(ROOT, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
const COMPILED = join(ROOT, 'build')

const files = ['core', 'plugins', 'presets', 'docs', 'test'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true }).map(path => join(folder, path)))
  .filter(path => !path.includes('node_modules'))
const sources = files.filter(path => /(?<!\.d)\.ts$/.test(path))
const texts = files.filter(path => /[\\/]texts[\\/].*\.json$/.test(path))

/** What looks at the tree, or for its fixtures, looks beside its source. */
const besideSource = {
  name: 'beside-source',
  setup (build) {
    build.onLoad({ filter: /[\\/](docs|test)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: 'ts'
    }))
  }
}

async function compile () {
  const { build, stop } = await import('esbuild')
  rmSync(COMPILED, { recursive: true, force: true })
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources, ...texts],
    loader: { '.json': 'copy' },
    outdir: COMPILED,
    outbase: ROOT,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [besideSource]
  })
  await stop()
  copyUncompiledFiles(ROOT, COMPILED)
  cpSync(join(ROOT, 'package.json'), join(COMPILED, 'package.json'))
}

/** The files of a folder share a process, whose start costs more than most of them take. */
function writeFolders () {
  for (const path of sources.filter(path => path.endsWith('.test.ts')).sort()) {
    appendFileSync(join(COMPILED, dirname(path), 'all.js'), `import './${basename(path, '.ts')}.js'\n`)
  }
}

/** Files and folders of tests become the compiled ones; options stay. */
function compiledName (argument) {
  if (!argument.startsWith('test')) return argument
  const path = join(COMPILED, argument)
  return argument.endsWith('.ts') ? path.replace(/\.ts$/, '.js') : join(path, '**', 'all.js')
}

/** @returns the exit code */
const tap = (...args) => new Promise(resolve => {
  spawn(process.execPath, [TAP, ...args], { cwd: ROOT, stdio: 'inherit' })
    .once('exit', (code, signal) => resolve(code ?? (signal === null ? 0 : 1)))
})

/** As it is installed, tap loads a compiler into each test; without that plugin it takes a third of the time. */
function isAsInstalled () {
  const ask = "import { t } from 'tap'; process.exit(t.pluginSignature.includes('@tapjs/typescript') ? 1 : 0)"
  return spawnSync(process.execPath, ['--input-type=module', '--eval', ask], { cwd: ROOT }).status === 1
}

await prepare()
if (isAsInstalled()) await tap('build')
await compile()
writeFolders()
process.exitCode = await tap(...process.argv.slice(2).map(compiledName))
