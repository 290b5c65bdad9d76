// Sources and tests as plain modules in one folder: loaded through a compiler, as they are while one works on them,
// every file of tests would spend seconds of a core on the same sources again.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { bundle, warmUp } from './bundle.mjs'
import { copyPageFiles } from '../../presets/cli/page-files.mjs'

const SOURCES = ['core', 'plugins', 'presets', 'docs', 'test']
/** Hundreds of small modules; in one file they load in a tenth of the time. */
const MANY_MODULES = 'typebox'

const TARGET = { format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' }

const typescript = folder => readdirSync(folder, { withFileTypes: true, recursive: true })
  .filter(entry => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
  .map(entry => join(entry.parentPath ?? entry.path, entry.name))
  .filter(path => !path.includes('node_modules'))

/** What looks at the tree, or for its fixtures, looks beside its source. */
const besideSource = root => ({
  name: 'beside-source',
  setup (build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/^(docs|test)\b/.test(relative(root, path))) return { contents: text, loader: 'ts' }
      const contents = text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    })
  }
})

async function bundlePackage (root, folder) {
  const place = join(folder, 'node_modules', MANY_MODULES)
  const entry = { entryPoints: [MANY_MODULES], absWorkingDir: root, bundle: true, outfile: join(place, 'index.js') }
  await build({ ...TARGET, ...entry })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
}

/** One restarts the process in its first lines; a thread loads the others, and would load all of the bundle. */
const BY_THEMSELVES = [
  'presets/cli/main.ts', 'plugins/database/sqlite-thread.ts', 'plugins/database/sqlite-messages.ts',
  'plugins/database/sqlite-statements.ts'
].map(path => join(...path.split('/')))
const BUNDLED = ['core', 'plugins', 'presets']

/**
 * @param bundled makes a bundle of the product, which pays for itself when many files of tests are run
 * @returns where the compiled tree is
 */
export async function compile (root, { bundled = false } = {}) {
  const folder = join(root, 'node_modules', '.cache', 'prnd-tests')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { metafile } = await build({
    ...TARGET,
    entryPoints: SOURCES.flatMap(name => typescript(join(root, name))),
    outdir: folder,
    outbase: root,
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    plugins: [besideSource(root)]
  })
  copyPageFiles(root, folder)
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const sources = BUNDLED.flatMap(name => typescript(join(root, name)))
    .filter(path => !BY_THEMSELVES.includes(relative(root, path)))
  if (!bundled) {
    await bundlePackage(root, folder)
  } else {
    await bundle({ root, folder, sources, outputs: metafile.outputs, target: TARGET })
    await warmUp(root, folder)
  }
  return folder
}
