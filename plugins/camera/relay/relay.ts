import { Readable } from 'node:stream'
import { asStreamFailed, type CameraFeed } from '../camera-feed.js'
import { streamFailed } from '../errors.js'
import { CameraError } from '../upstream/camera-error.js'
import type { VideoFormat } from '../video/types.js'
import { encodeItem } from './items.js'

/** A receiver with this much unread data has fallen behind; it continues at the next key picture. */
const MOST_WAITING_BYTES = 4 * 1024 ** 2
const CHECK_MS = 1_000

interface RelayOptions {
  /** Timeout of the first picture. */
  readonly withinMs: number
  readonly signal: AbortSignal
  /** Aborted when the printer's session ends. */
  readonly ended: AbortSignal
}

/** Includes the kind of the error, so that the other service knows whether waiting helps. */
const withKind = (problem: CameraError): Error => streamFailed(problem.message, problem).with({ kind: problem.kind })

/**
 * Relays a camera's data from now on, until the reader closes the stream.
 * @throws PRN_ERR_STREAM_FAILED when no data arrives
 */
export async function relay (source: CameraFeed, { withinMs, signal, ended }: RelayOptions): Promise<Readable> {
  const release = source.video === undefined ? source.attach() : source.video.attach(() => {})
  try {
    await source.ready({ withinMs, signal })
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    throw cause instanceof CameraError ? withKind(cause) : asStreamFailed(error)
  } finally {
    release(CHECK_MS) // until the stream below has started
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
  const timer = setInterval(() => { if (source.problem) body.destroy(withKind(source.problem)) }, CHECK_MS).unref()
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
