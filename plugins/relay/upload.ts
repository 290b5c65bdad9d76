import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { CardFull, type Sink } from '../printer-servers/index.js'

/** Waits until a stream takes more. @throws when it was destroyed */
export async function put (stream: PassThrough, chunk: Buffer): Promise<void> {
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
 * Sends a file on as it comes: whoever stores it sets the pace.
 * @param store takes the bytes until they end
 * @param isFull whether it failed for want of room
 */
export function sendOn (store: (source: PassThrough) => Promise<unknown>, isFull: (error: unknown) => boolean): Sink {
  const source = new PassThrough()
  source.on('error', () => {})
  const stored = store(source)
  stored.catch((error: Error) => { source.destroy(isFull(error) ? new CardFull() : error) })
  return {
    write: chunk => put(source, chunk),
    async end () {
      source.end()
      await stored
    },
    async abort () {
      source.destroy(new Error('the client ended in the middle'))
      await stored.catch(() => {})
    }
  }
}
