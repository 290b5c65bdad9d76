import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withTimeout } from '../../../core/index.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import { PackageStream } from './package-stream.js'
import { encodePackageVideo } from './package-video.js'
import { PackageWorker, type ReplyListener } from './package-worker.js'
import { failed } from './still-process.js'
import type { DecoderTimeouts, OpenDecoder } from './types.js'

/** Decodes and encodes H.264 without another program; the package includes its libraries. */
export const DECODER_PACKAGE = { name: '@napi-rs/webcodecs', version: '1.3.1' } as const

/** The first request may have to wait until the process and its libraries are loaded. */
const START_MS = 10_000

/** @returns the installed version; undefined without one */
export const installedPackage = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, 'node_modules', DECODER_PACKAGE.name, 'package.json'), 'utf8')
    .then(text => String((JSON.parse(text) as { version?: unknown }).version), () => undefined)

/** @returns undefined where the package is not installed */
export async function openPackage (folder: string, timeouts: DecoderTimeouts): Promise<OpenDecoder | undefined> {
  const version = await installedPackage(folder)
  if (version === undefined) return undefined
  const worker = new PackageWorker(folder, timeouts.spare)
  return {
    name: `${DECODER_PACKAGE.name} ${version}`,
    still: (units, signal) => still(worker, units, { withinMs: START_MS + timeouts.still, signal }),
    stream: options => new PackageStream(worker, options),
    findEncoder: async () => options => encodePackageVideo(worker, options),
    close: async () => worker.kill()
  }
}

/** Decodes the last of the pictures, as `Decoder.still` describes. A process that does not answer in time is killed. */
async function still (worker: PackageWorker, units: readonly AccessUnit[],
  { withinMs, signal }: { withinMs: number, signal: AbortSignal }): Promise<Buffer> {
  let settle: ReplyListener = () => {}
  const answer = new Promise<Buffer>((resolve, reject) => {
    settle = reply => {
      if (reply.kind === 'jpeg') resolve(Buffer.from(reply.jpeg))
      if (reply.kind === 'failed') reject(failed(reply.message))
    }
  })
  const conversation = worker.begin(settle)
  const { id } = conversation
  let isLate = false
  try {
    conversation.send({ kind: 'still', id, codec: units[0]?.format.codec ?? '', units: units.map(annexB) })
    return await withTimeout(withinMs, answer, () => {
      isLate = true
      return failed(`${DECODER_PACKAGE.name} gave nothing within ${withinMs / 1_000} s`)
    }, signal)
  } finally {
    conversation.end(isLate)
  }
}
