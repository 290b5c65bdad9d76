import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsup'

const FOLDER = join('node_modules', '.cache', 'prnd-bench')

/** Imports a benchmark that is compiled as the package is: what runs TypeScript for tests slows each function down. */
export async function importAsShipped<T> (name: string): Promise<T> {
  await build({
    entry: { [name]: `test/bench/${name}.ts` },
    outDir: FOLDER,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    config: false,
    dts: false,
    silent: true
  })
  return await import(pathToFileURL(join(FOLDER, `${name}.mjs`)).href) as T
}
