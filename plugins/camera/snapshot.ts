import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { toSafeFileName, writePrivateFile, type PrinterSession } from '../../core/index.js'
import { streamFailed } from './errors.js'
import { resolutionOf, type Frame, type Rendition } from './frame.js'
import { jpegOf, sizeOf } from './rendition.js'
import type { CameraManager } from './types.js'

const PRODUCT = 'prnd'

/** A picture in the requested size and quality. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
  readonly frame: Frame
}

/** @throws PRN_ERR_STREAM_FAILED when the picture cannot be rendered */
export async function pictureOf (frame: Frame, rendition: Rendition): Promise<Picture> {
  const jpeg = await jpegOf(frame, rendition).catch((error: Error) => {
    throw streamFailed(`The picture could not be created: ${error.message}`, error)
  })
  return { jpeg, ...sizeOf(frame, rendition), frame }
}

/** An unknown resolution means the camera's own. */
export const renditionOf = (resolution: string, quality: number): Rendition =>
  ({ resolution: resolutionOf(resolution) ?? 'native', quality })

interface SnapshotOptions {
  readonly resolution: string
  readonly quality: number
  readonly freshMs: number
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

/** A picture as a document, with a copy in the temporary folder that the next one overwrites. */
export async function takeSnapshot (manager: CameraManager, session: PrinterSession,
  { resolution, quality, freshMs, signal, log }: SnapshotOptions) {
  const frame = await manager.latestFrame(session, { maxAgeMs: freshMs, signal })
  const rendition = renditionOf(resolution, quality)
  const { jpeg, width, height } = await pictureOf(frame, rendition)
  const path = join(tmpdir(), `${PRODUCT}_snap_${toSafeFileName(session.name)}_${rendition.resolution}_${quality}.jpg`)
  const saved = await writePrivateFile(path, jpeg).then(() => path, (error: Error) => {
    log.warn({ err: error }, 'the copy of a snapshot could not be written')
    return ''
  })
  return {
    data_uri: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    saved_path: saved,
    width,
    height,
    resolution,
    quality,
    protocol: manager.protocol(session) ?? 'tcp_tls',
    timestamp: new Date(frame.capturedAt).toISOString()
  }
}
