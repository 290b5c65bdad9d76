import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The runtimes for networks: native, and WebAssembly where that does not run. They are no dependencies of this package,
 * because together they have 430 MB, and the first one's install script downloads GPU libraries.
 */
export const RUNTIMES = [
  { name: 'onnxruntime-node', version: '1.30.0' },
  { name: 'onnxruntime-web', version: '1.30.0' }
] as const
export type RuntimeName = (typeof RUNTIMES)[number]['name']

export const modelFolder = (dataDir: string): string => join(dataDir, 'plugins', 'health-model')
export const runtimeFolder = (folder: string): string => join(folder, 'runtime')

/** @returns the versions that are installed in a folder */
export async function installedRuntimes (folder: string): Promise<Partial<Record<RuntimeName, string>>> {
  const versions = await Promise.all(RUNTIMES.map(async ({ name }) => {
    const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => undefined)
    return text === undefined ? [] : [[name, String((JSON.parse(text) as { version?: unknown }).version)]]
  }))
  return Object.fromEntries(versions.flat())
}

const PLATFORM = `${process.platform}/${process.arch}`
/** Whether this machine needs a file of the packages; the others are deleted after installation. */
export const isNeeded = (path: string): boolean => {
  const [, rest] = path.replaceAll('\\', '/').split(/node_modules\/onnxruntime-(?:node\/bin\/napi-v\d+|web\/dist)\//)
  if (rest === undefined) return true
  return rest.startsWith(`${PLATFORM}/`) || /^ort\.(node|wasm)\.min\.m?js$|^ort-wasm-simd-threaded\.(mjs|wasm)$/.test(rest)
}
