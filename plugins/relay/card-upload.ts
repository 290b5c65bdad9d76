import { randomBytes } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { HostFiles } from '../files/index.js'
import { CardFull, type Sink } from '../printer-servers/index.js'
import { put } from './upload.js'

/** The card is not touched before so much has come, or all. */
const ENOUGH_BYTES = 256 * 1024
/** So long in all a card waits for bytes of one upload. */
const MOST_WAIT_MS = 3_000

/** The two ways to the card: while the bytes come, and from a file that holds them all. */
export interface CardWays {
  stream (source: PassThrough): Promise<unknown>
  file (path: string): Promise<unknown>
}

export interface CardUploadOptions {
  readonly files: HostFiles
  /** Begins to store, with all that belongs to it. */
  readonly store: (work: (ways: CardWays) => Promise<void>) => Promise<unknown>
  /** Whether it failed for want of room. */
  readonly isFull: (error: unknown) => boolean
}

/**
 * Takes a file of a client for a card that serves one at a time. It is sent on while it comes, so that a slicer's bar
 * tells the truth. When the client is slow the card is left to others, and gets the file once all of it is here.
 */
export async function receiveForCard ({ files, store, isFull }: CardUploadOptions): Promise<Sink> {
  const name = `.${randomBytes(6).toString('hex')}.part`
  const path = join(await files.folder(), name)
  const room = await files.reserve(name)
  const file = await open(path, 'wx', 0o600).catch((error: Error) => { room.end(); throw error })
  const upload = new CardUpload(file, path, room, store, isFull)
  return { write: chunk => upload.write(chunk), end: () => upload.end(), abort: () => upload.abort() }
}

class CardUpload {
  readonly #file: FileHandle
  readonly #path: string
  readonly #room: Awaited<ReturnType<HostFiles['reserve']>>
  readonly #begin: CardUploadOptions['store']
  readonly #isFull: CardUploadOptions['isFull']
  /** Resolves when all bytes are here. */
  readonly #whole: Promise<void>
  #onWhole = (): void => {}
  #onGone = (_error: Error): void => {}
  /** What came before the card was touched. */
  #head: Buffer[] = []
  #size = 0
  #source: PassThrough | undefined
  #stored: Promise<unknown> | undefined
  #failure: Error | undefined
  #isSlow = false
  #leftMs = MOST_WAIT_MS
  #waitsSince = 0
  #timer: NodeJS.Timeout | undefined

  constructor (file: FileHandle, path: string, room: Awaited<ReturnType<HostFiles['reserve']>>, begin: CardUploadOptions['store'],
    isFull: CardUploadOptions['isFull']) {
    this.#file = file
    this.#path = path
    this.#room = room
    this.#begin = begin
    this.#isFull = isFull
    this.#whole = new Promise((resolve, reject) => {
      this.#onWhole = resolve
      this.#onGone = reject
    })
    this.#whole.catch(() => {}) // awaited only where the client is slow
  }

  async write (chunk: Buffer): Promise<void> {
    this.#came()
    if (this.#failure) throw this.#failure
    try {
      this.#room.take(chunk.length)
    } catch { // the uploads folder is full
      throw new CardFull()
    }
    await this.#file.write(chunk)
    this.#size += chunk.length
    if (this.#isSlow) return
    if (this.#source) await this.#send(chunk)
    else {
      this.#head.push(chunk)
      if (this.#size < ENOUGH_BYTES) return
      const head = Buffer.concat(this.#head)
      this.#head = []
      this.#source = new PassThrough().on('error', () => {})
      this.#start(this.#source)
      await this.#send(head)
    }
    if (!this.#isSlow) this.#wait()
  }

  async end (): Promise<void> {
    this.#came()
    await this.#file.close()
    this.#onWhole()
    try {
      if (this.#stored === undefined) this.#start(undefined)
      this.#source?.end()
      await this.#stored
    } catch (error) {
      throw this.#failure ?? error
    } finally {
      await this.#remove()
    }
  }

  async abort (): Promise<void> {
    this.#came()
    const gone = new Error('the client ended in the middle')
    this.#onGone(gone)
    this.#source?.destroy(gone)
    await this.#file.close()
    await this.#stored?.catch(() => {})
    await this.#remove()
  }

  #start (source: PassThrough | undefined): void {
    this.#stored = this.#begin(async ways => {
      if (source) {
        try {
          await ways.stream(source)
          return
        } catch (error) {
          if (!this.#isSlow) throw error
        }
      }
      await this.#whole
      await ways.file(this.#path)
    })
    this.#stored.catch((error: Error) => {
      this.#failure = this.#isFull(error) ? new CardFull() : error
      source?.destroy(this.#failure)
    })
  }

  async #send (chunk: Buffer): Promise<void> {
    try {
      await put(this.#source as PassThrough, chunk)
    } catch (error) {
      if (!this.#isSlow) throw this.#failure ?? error
    }
  }

  #wait (): void {
    this.#waitsSince = performance.now()
    this.#timer = setTimeout(() => {
      this.#isSlow = true
      this.#source?.destroy(new Error('the client is slow: the card is left to others until all has come'))
    }, this.#leftMs)
  }

  #came (): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#waitsSince))
  }

  async #remove (): Promise<void> {
    await rm(this.#path, { force: true })
    this.#room.end()
  }
}
