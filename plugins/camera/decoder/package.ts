import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageStill } from './package-still.js'
import { PackageStream } from './package-stream.js'
import { encodePackageVideo } from './package-video.js'
import { PackageWorker } from './package-worker.js'
import type { DecoderTimeouts, OpenDecoder } from './types.js'

/** Decodes and encodes H.264 without any other program; it carries its libraries with it. */
export const DECODER_PACKAGE = { name: '@napi-rs/webcodecs', version: '1.3.1' } as const

/** The process and its libraries may have to be loaded first. */
const START_MS = 10_000

/** @returns the installed version; undefined without one */
export const installedPackage = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, 'node_modules', DECODER_PACKAGE.name, 'package.json'), 'utf8')
    .then(text => String((JSON.parse(text) as { version?: unknown }).version), () => undefined)

/** @returns undefined where the package is not installed */
export async function openPackage (folder: string, timeouts: DecoderTimeouts): Promise<OpenDecoder | undefined> {
  const version = await installedPackage(folder)
  if (version === undefined) return undefined
  const { name } = DECODER_PACKAGE
  const worker = new PackageWorker(folder, timeouts.spare)
  return {
    name: `${name} ${version}`,
    still: (units, signal) => packageStill(worker, units, { name, withinMs: START_MS + timeouts.still, signal }),
    stream: options => new PackageStream(worker, options),
    findEncoder: async () => options => encodePackageVideo(worker, options),
    close: async () => worker.kill()
  }
}
