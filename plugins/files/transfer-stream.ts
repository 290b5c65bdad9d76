import { PassThrough, type Readable, type TransformCallback } from 'node:stream'
import { SdCardError } from '../../core/index.js'

/** Knows how much has passed. */
class Counting extends PassThrough {
  bytesWritten = 0

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytesWritten += chunk.length
    done(null, chunk)
  }
}

/**
 * The data of a transfer as a stream, given out as soon as there are some: what fails before that can still be
 * told properly. Later attempts take over only while nothing has been passed on.
 */
export async function flowing (transfer: (sink: () => Counting) => Promise<unknown>): Promise<Readable> {
  const body = new PassThrough()
  let isBegun = false
  body.on('error', () => {}) // whoever reads hears of it
  const begun = new Promise<void>(resolve => {
    body.once('readable', () => { isBegun = true; resolve() }).once('close', resolve)
  })

  const sink = (): Counting => {
    if (isBegun || body.destroyed) throw new SdCardError('refused', 'The transfer was interrupted')
    const part = new Counting()
    part.on('error', () => {}).pipe(body, { end: false })
    body.once('close', () => part.destroy(new Error('nobody reads any more')))
    return part
  }

  const done = transfer(sink).then(() => { body.end() })
  done.catch((error: Error) => body.destroy(error))
  await Promise.race([begun, done])
  return body
}
