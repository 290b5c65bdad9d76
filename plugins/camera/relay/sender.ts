import { Readable } from 'node:stream'
import { asStreamFailed, type CameraFeed } from '../camera-feed.js'
import { streamFailed } from '../errors.js'
import { CameraError } from '../upstream/camera-error.js'
import type { VideoFormat } from '../video/types.js'
import { encodeItem } from './items.js'

/** A service that does not take this much is behind: it gets the next picture that stands for itself. */
const MOST_WAITING_BYTES = 4 * 1024 ** 2
const LOOK_MS = 1_000

interface RelayOptions {
  /** For the first picture. */
  readonly withinMs: number
  readonly signal: AbortSignal
  /** The session of the printer has ended. */
  readonly ended: AbortSignal
}

/** Told with what it is, so that the other service knows whether waiting helps. */
const told = (problem: CameraError): Error => streamFailed(problem.message, problem).with({ kind: problem.kind })

/**
 * What a camera gives from now on, until whoever reads it stops.
 * @throws PRN_ERR_STREAM_FAILED when nothing comes
 */
export async function relay (source: CameraFeed, { withinMs, signal, ended }: RelayOptions): Promise<Readable> {
  const release = source.video === undefined ? source.attach() : source.video.attach(() => {})
  try {
    await source.ready({ withinMs, signal })
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    throw cause instanceof CameraError ? told(cause) : asStreamFailed(error)
  } finally {
    release(LOOK_MS) // until the stream below has begun
  }
  let detach: (lingerMs?: number) => void = () => {}
  const end = () => body.destroy(streamFailed('The session of this printer was ended'))
  const body = new Readable({
    highWaterMark: MOST_WAITING_BYTES,
    read () {},
    destroy (error, done) {
      clearInterval(timer)
      ended.removeEventListener('abort', end)
      detach()
      done(error)
    }
  })
  const isBehind = () => body.readableLength > MOST_WAITING_BYTES
  detach = source.video === undefined ? relayPictures(source, body, isBehind) : relayVideo(source.video, body, isBehind)
  const timer = setInterval(() => { if (source.problem) body.destroy(told(source.problem)) }, LOOK_MS).unref()
  ended.addEventListener('abort', end, { once: true })
  return body
}

function relayPictures (source: CameraFeed, body: Readable, isBehind: () => boolean) {
  const send = ({ jpeg }: { readonly jpeg: Buffer }) => { if (!isBehind()) body.push(encodeItem({}, [jpeg])) }
  if (source.newest) send(source.newest)
  return source.attach(send)
}

function relayVideo (video: NonNullable<CameraFeed['video']>, body: Readable, isBehind: () => boolean) {
  let format: VideoFormat | undefined
  let waitsForKey = true
  return video.attach(unit => {
    if (isBehind()) waitsForKey = true
    else if (unit.key) waitsForKey = false
    if (waitsForKey) return
    const isNew = unit.format !== format
    format = unit.format
    const { width, height, codec, sps, pps } = unit.format
    const sets = isNew ? [sps, ...pps] : []
    body.push(encodeItem({
      key: unit.key,
      time: unit.time,
      ...(isNew && { format: { width, height, codec, sets: sets.length } })
    }, [...sets, ...unit.nalus]))
  })
}
