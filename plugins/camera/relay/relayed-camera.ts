import type { Readable } from 'node:stream'
import { isServiceError } from '../../../core/index.js'
import { CameraError, type CameraCause } from '../upstream/camera-error.js'
import { createFloodLimit } from '../upstream/flood-limit.js'
import type { JpegUpstream, UpstreamWaits, VideoUpstream } from '../upstream/types.js'
import type { VideoFormat } from '../video/types.js'
import { createItemParser, type Item } from './items.js'

/** Opens the relay of the service that is connected to the camera. */
export type OpenRelay = (signal: AbortSignal) => Promise<Readable>

/** The other service's error about its camera, as an error of ours. */
function problemOf (error: unknown): Error {
  const { kind } = (isServiceError(error) ? error.extra : {}) as { kind?: CameraCause }
  const { message } = error as Error
  return new CameraError(kind ?? 'lost', message, { cause: error })
}

async function read (open: OpenRelay, signal: AbortSignal, { stall }: UpstreamWaits, onItem: (item: Item) => void):
Promise<never> {
  const body = await open(signal).catch((error: unknown) => { throw signal.aborted ? signal.reason : problemOf(error) })
  return await new Promise<never>((_resolve, reject) => {
    const end = (reason: Error) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      body.destroy()
      reject(reason)
    }
    const abort = () => end(signal.reason as Error)
    const stalled = () => end(new CameraError('stalled', `The camera sent nothing for ${stall / 1_000} s`))
    let timer = setTimeout(stalled, stall).unref()
    const parse = createItemParser(onItem)
    signal.addEventListener('abort', abort, { once: true })
    body.on('data', (piece: Buffer) => {
      clearTimeout(timer)
      timer = setTimeout(stalled, stall).unref()
      try {
        parse(piece)
      } catch (error) {
        end(new CameraError('bad_data', (error as Error).message, { cause: error }))
      }
    })
    body.on('error', error => end(problemOf(error)))
    body.on('close', () => end(new CameraError('lost', 'The connection to the service that holds the camera was lost')))
    if (signal.aborted) abort()
  })
}

/** A JPEG camera, relayed by the service that is connected to it. */
export const relayedPictures = (open: OpenRelay): JpegUpstream => ({ signal, timeouts, onJpeg }) =>
  read(open, signal, timeouts, ({ parts: [jpeg] }) => { if (jpeg) onJpeg(Buffer.from(jpeg)) })

/** A video camera, relayed likewise. */
export const relayedVideo = (open: OpenRelay): VideoUpstream => ({ signal, timeouts, now, nextSeq, onUnit }) => {
  let format: VideoFormat | undefined
  const limit = createFloodLimit()
  return read(open, signal, timeouts, ({ head: { key = false, time = 0, format: sent }, parts }) => {
    const [sps, ...pps] = parts.slice(0, sent?.sets ?? 0)
    if (sent && sps) format = { width: sent.width, height: sent.height, codec: sent.codec, sps, pps }
    limit.picture()
    if (format === undefined) throw new Error('the other service sends a video without its format')
    onUnit({ seq: nextSeq(), key, time, at: now(), format, nalus: parts.slice(sent?.sets ?? 0) })
  })
}
