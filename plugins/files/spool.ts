import { randomBytes } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { privateFolder, SdCardError, unlessNoRoom, type SdCardSink } from '../../core/index.js'
import { ReaderStalled, SpoolFull } from './errors.js'

const CHUNK_BYTES = 64 * 1024
const OWNER_ONLY = 0o600

/** Buffers transfers on disk for slow readers: a card serves one at a time, and must not wait for them. */
export interface Spool {
  /**
   * Runs a transfer at the card's speed and passes its bytes on at the reader's, as soon as the first arrive: an
   * earlier failure can still be reported properly. A retry takes over only while nothing was passed on.
   * @param size announced, which no transfer exceeds
   * @throws PRN_ERR_SPOOL_FULL; what the transfer throws before its first byte
   */
  stream (size: number, transfer: (sink: () => SdCardSink) => Promise<unknown>): Promise<Readable>
}

export interface SpoolOptions {
  readonly folder: () => Promise<string>
  /** Limit of all files together. */
  readonly mostBytes: number
  /** How long a reader may read nothing. */
  readonly stallMs: number
}

/** Writes to a file from its beginning, and reports its progress. */
class Sink extends Writable {
  bytesWritten = 0
  readonly #file: FileHandle
  readonly #onMore: () => void

  constructor (file: FileHandle, onMore: () => void) {
    super({ highWaterMark: CHUNK_BYTES })
    this.#file = file
    this.#onMore = onMore
  }

  override _write (chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#file.write(chunk, 0, chunk.length, this.bytesWritten).then(() => {
      this.bytesWritten += chunk.length
      this.#onMore()
      done()
    }, done)
  }
}

/** Reads a file that is still growing. */
class Reader extends Readable {
  readonly #file: FileHandle
  readonly #stallMs: number
  readonly #onClosed: () => Promise<void>
  #stall: NodeJS.Timeout | undefined
  #sink: Sink | undefined
  #at = 0
  #isWhole = false
  #isWanted = false

  constructor (file: FileHandle, stallMs: number, onClosed: () => Promise<void>) {
    super({ highWaterMark: CHUNK_BYTES })
    this.#file = file
    this.#stallMs = stallMs
    this.#onClosed = onClosed
  }

  /** @throws once something was passed on, or the reader has gone */
  begin (): Sink {
    if (this.#at > 0 || this.destroyed) throw new SdCardError('refused', 'The transfer was interrupted')
    this.#sink = new Sink(this.#file, () => this.#give())
    this.#sink.on('error', () => {}) // the transfer fails with it
    return this.#sink
  }

  end (): void {
    this.#isWhole = true
    this.#give()
  }

  override _read (): void {
    clearTimeout(this.#stall)
    this.#isWanted = true
    this.#give()
  }

  override _destroy (error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stall)
    this.#sink?.destroy(new Error('the reader has gone'))
    this.#onClosed().then(() => done(error), done)
  }

  #give (): void {
    const { bytesWritten: stored = 0 } = this.#sink ?? {}
    if (!this.#isWanted || this.destroyed) return
    if (stored > this.#at) {
      this.#isWanted = false
      this.#pass(Math.min(CHUNK_BYTES, stored - this.#at)).catch((error: Error) => this.destroy(error))
    } else if (this.#isWhole) this.push(null)
  }

  async #pass (length: number): Promise<void> {
    const at = this.#at
    this.#at += length
    const { buffer } = await this.#file.read(Buffer.alloc(length), 0, length, at)
    if (this.destroyed) return
    this.#stall = setTimeout(() => this.destroy(new ReaderStalled(this.#stallMs / 1000)), this.#stallMs).unref()
    this.push(buffer)
  }
}

export function createSpool ({ folder, mostBytes, stallMs }: SpoolOptions): Spool {
  let taken = 0

  async function openFile (size: number): Promise<{ file: FileHandle, close: () => Promise<void> }> {
    if (taken + size > mostBytes) throw new SpoolFull(Math.floor(mostBytes / 1024 ** 2))
    taken += size
    const close = async (): Promise<void> => { taken -= size }
    try {
      const path = join(await folder(), randomBytes(6).toString('hex'))
      const file = await open(path, 'wx+', OWNER_ONLY)
      return { file, close: async () => { await close(); await file.close(); await rm(path, { force: true }) } }
    } catch (error) {
      await close()
      throw error
    }
  }

  return {
    async stream (size, transfer) {
      const { file, close } = await openFile(size)
      const body = new Reader(file, stallMs, close)
      const begun = new Promise<void>(resolve => { body.once('readable', resolve).once('close', resolve) })
      body.on('error', () => {}) // the consumer handles it
      const done = transfer(() => body.begin()).then(() => body.end())
      done.catch((error: Error) => body.destroy(error))
      await Promise.race([begun, done])
      return body
    }
  }
}

/** A folder without leftovers of an earlier run, which stay on a disk that has become read-only. */
export async function emptyFolder (parent: string, name: string): Promise<string> {
  await rm(join(parent, name), { recursive: true, force: true }).catch(unlessNoRoom)
  return await privateFolder(parent, name)
}
