import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Shape } from './inference-messages.js'

export interface Tensor { readonly dims: readonly number[], readonly data: unknown, readonly type?: string }
interface Metadata {
  readonly name: string
  readonly isTensor: boolean
  readonly type?: string
  readonly shape?: readonly (number | string)[]
}
export interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  readonly inputMetadata: readonly Metadata[]
  readonly outputMetadata: readonly Metadata[]
  run (feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>
  release? (): Promise<void>
}
interface Runtime {
  readonly InferenceSession: { create (file: string | Uint8Array, options: object): Promise<Session> }
  readonly Tensor: new (type: string, data: Float32Array | Uint16Array | Uint8Array, dims: readonly number[]) => Tensor
  readonly env: { wasm?: { numThreads?: number, wasmPaths?: string }, logLevel?: string }
}
export interface LoadedRuntime { readonly name: string, readonly ort: Runtime }

/** One thread, to leave the machine to other work. */
export const SESSION_OPTIONS =
  { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }

export const shapesOf = (metadata: readonly Metadata[]): Shape[] =>
  metadata.map(({ name, type, shape = [] }) => ({ name, dims: [...shape], ...(type !== undefined && { type }) }))

/** Loads the native runtime, or WebAssembly if that is missing or fails. @throws when neither works */
export async function loadRuntime (folder: string, only?: string): Promise<LoadedRuntime> {
  const require = createRequire(join(folder, 'index.js'))
  const failures: string[] = []
  for (const name of ['onnxruntime-node', 'onnxruntime-web']) {
    if (only !== undefined && only !== name) continue
    try {
      const entry = require.resolve(name === 'onnxruntime-web' ? `${name}/wasm` : name)
      const ort = name === 'onnxruntime-web' ? await webRuntime(entry) : require(entry) as Runtime
      return { name, ort }
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  throw new Error(`No runtime for networks works here (${failures.join('; ')}). Install one: prnd health runtime install`)
}

/** Without the path to its parts the runtime would download them. */
async function webRuntime (entry: string): Promise<Runtime> {
  const ort = await import(pathToFileURL(entry.replace(/ort\.[\w.]+$/, 'ort.wasm.min.mjs')).href) as Runtime
  Object.assign(ort.env.wasm ?? {}, { numThreads: 1, wasmPaths: pathToFileURL(join(entry, '..', '/')).href })
  return ort
}
