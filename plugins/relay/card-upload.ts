import { randomBytes } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { HostFiles } from '../files/index.js'
import { CardFull, type Sink } from '../printer-servers/index.js'
import { writeTo } from './upload.js'

/** The upload to the card starts once this much has been received, or the whole file. */
const ENOUGH_BYTES = 256 * 1024
/** Total time that the card may spend waiting for bytes of one upload. */
const MOST_WAIT_MS = 3_000

/** Write to the card from a stream during the upload, or from a complete file. */
export interface CardWriters {
  stream (source: PassThrough): Promise<unknown>
  file (path: string): Promise<unknown>
}

export interface CardUploadOptions {
  readonly files: HostFiles
  /** Starts the upload to the card as an operation. */
  readonly store: (work: (writers: CardWriters) => Promise<void>) => Promise<unknown>
  /** Whether it failed because the card is full. */
  readonly isFull: (error: unknown) => boolean
}

/**
 * Receives a file for a card that handles one transfer at a time. It is forwarded during the upload, so that the
 * slicer's progress bar is accurate. If the client is slow, the card is released and gets the file once it is complete.
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
  /** Resolves when the file is complete. */
  readonly #whole: Promise<void>
  #onWhole = (): void => {}
  #onGone = (_error: Error): void => {}
  /** Bytes received before the upload to the card started. */
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
    this.#whole.catch(() => {}) // awaited only if the client is slow
  }

  async write (chunk: Buffer): Promise<void> {
    this.#stopWaiting()
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
    this.#stopWaiting()
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
    this.#stopWaiting()
    const gone = new Error('the client ended the upload early')
    this.#onGone(gone)
    this.#source?.destroy(gone)
    await this.#file.close()
    await this.#stored?.catch(() => {})
    await this.#remove()
  }

  #start (source: PassThrough | undefined): void {
    this.#stored = this.#begin(async writers => {
      if (source) {
        try {
          await writers.stream(source)
          return
        } catch (error) {
          if (!this.#isSlow) throw error
        }
      }
      await this.#whole
      await writers.file(this.#path)
    })
    this.#stored.catch((error: Error) => {
      this.#failure = this.#isFull(error) ? new CardFull() : error
      source?.destroy(this.#failure)
    })
  }

  async #send (chunk: Buffer): Promise<void> {
    try {
      await writeTo(this.#source as PassThrough, chunk)
    } catch (error) {
      if (!this.#isSlow) throw this.#failure ?? error
    }
  }

  #wait (): void {
    this.#waitsSince = performance.now()
    this.#timer = setTimeout(() => {
      this.#isSlow = true
      this.#source?.destroy(new Error('the client is slow: the card is released until the file is complete'))
    }, this.#leftMs)
  }

  #stopWaiting (): void {
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
