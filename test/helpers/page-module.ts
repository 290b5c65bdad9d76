import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

const PLUGINS = join(import.meta.dirname, '../../plugins')

/** What the modules under test find, by a number of their own. */
const worlds: Record<number, World> = {}
Object.assign(globalThis, { pageWorlds: worlds })
let count = 0

/** What a browser and the other packages would provide. */
export interface World {
  /** By the name in the import map: `{ shell: { t: key => key } }`. */
  readonly packages?: Readonly<Record<string, object>>
  /** In place of those of the process: `document`, `fetch`, `setTimeout`. */
  readonly globals?: Readonly<Record<string, unknown>>
  /** Source text in place of a file, by its path below `plugins`. */
  readonly files?: Readonly<Record<string, string>>
}

const stubsOf = (packages: readonly string[], files: Readonly<Record<string, string>>, world: string): Plugin => ({
  name: 'stubs',
  setup (esbuild) {
    esbuild.onResolve({ filter: /^[a-z-]+(\/[a-z]+)?$/ }, ({ path }) => packages.includes(path) ? { path, namespace: 'stub' } : undefined)
    esbuild.onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) =>
      ({ contents: `module.exports = ${world}.packages[${JSON.stringify(path)}]`, loader: 'js' }))
    esbuild.onLoad({ filter: /[\\/]page[\\/]/ }, ({ path }) => {
      const contents = files[relative(PLUGINS, path).replaceAll('\\', '/')]
      return contents === undefined ? undefined : { contents, loader: 'js' }
    })
  }
})

/**
 * Scripts of pages, with state of their own, in a world of the test's own: neither a browser nor a service is needed.
 * @param paths below `plugins`: `web/page/live.js`
 * @returns what they export
 */
export async function pageModules (paths: readonly string[], { packages = {}, globals = {}, files = {} }: World = {}):
Promise<Record<string, any>> {
  const id = ++count
  worlds[id] = { packages, globals }
  const world = `globalThis.pageWorlds[${id}]`
  const { outputFiles: [bundle] } = await build({
    stdin: { contents: paths.map(path => `export * from './${path}'`).join('\n'), resolveDir: PLUGINS },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    banner: { js: `const { ${Object.keys(globals).join(', ')} } = ${world}.globals;` },
    plugins: [stubsOf(Object.keys(packages), files, world)]
  })
  return await import(`data:text/javascript;base64,${Buffer.from(bundle!.text).toString('base64')}`) as Record<string, any>
}
