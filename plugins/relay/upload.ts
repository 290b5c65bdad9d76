import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { CardFull, type Sink } from '../printer-servers/index.js'

/** Writes to a stream and waits until it accepts more. @throws if it was destroyed */
export async function writeTo (stream: PassThrough, chunk: Buffer): Promise<void> {
  if (stream.destroyed) throw stream.errored ?? new Error('the upload ended')
  if (stream.write(chunk)) return
  const gone = new AbortController()
  try {
    await Promise.race([once(stream, 'drain', gone), once(stream, 'close', gone)])
  } finally {
    gone.abort()
  }
  if (stream.destroyed) throw stream.errored ?? new Error('the upload ended')
}

/**
 * Forwards an upload as a stream, at the pace of its consumer.
 * @param store consumes the stream
 * @param isFull whether it failed because the storage is full
 */
export function forwardUpload (store: (source: PassThrough) => Promise<unknown>,
  isFull: (error: unknown) => boolean): Sink {
  const source = new PassThrough()
  source.on('error', () => {})
  const stored = store(source)
  stored.catch((error: Error) => { source.destroy(isFull(error) ? new CardFull() : error) })
  return {
    write: chunk => writeTo(source, chunk),
    async end () {
      source.end()
      await stored
    },
    async abort () {
      source.destroy(new Error('the client ended the upload early'))
      await stored.catch(() => {})
    }
  }
}
