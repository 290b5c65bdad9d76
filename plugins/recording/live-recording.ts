import { rm } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { FindDecoder } from '../camera/index.js'
import { createClipWriter, type ClipWriter } from './clip-writer.js'
import type { AlertMark, Recording } from './schemas.js'
import type { Shot } from './shot-ring.js'
import type { RecordingStore } from './store.js'

/** Runs encodings one at a time for the whole service. */
export type Encode = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export interface LiveRecordingDeps {
  readonly store: RecordingStore
  readonly findDecoder: FindDecoder
  readonly encode: Encode
  /** Aborted at shutdown: unfinished encodings are lost. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** Called for each change. */
  readonly onChanged: (recording: Recording) => void
  /** Called for the first key frame, with which the recording begins. */
  readonly onFirstPicture: () => void
}

/** Limit of shots waiting for a slow disk. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
/** The same for tiny shots, each of which takes more memory than it counts bytes. */
const MOST_WAITING_SHOTS = 10_000
const NO_PICTURE = 'The camera sent no picture during the recording'
const NO_ROOM = 'Not enough space: free disk space, or raise the limit for recordings (maxMiB, keepFreeMiB)'
const MS_PER_SECOND = 1_000

/** A recording of the live camera. */
export class LiveRecording {
  readonly #deps: LiveRecordingDeps
  #recording: Recording
  /** Its folder, and the writer of its shots. */
  readonly #opened: Promise<{ readonly folder: string, readonly writer: ClipWriter }>
  /** The last write; they run one after another. */
  #writing: Promise<void>
  #waitingBytes = 0
  #waitingShots = 0
  #isEnded = false
  #hasPicture = false
  /** Why there is nothing to store. */
  #absence = NO_PICTURE
  #resolveEnding = (): void => {}
  readonly #ending = new Promise<void>(resolve => { this.#resolveEnding = resolve })
  /** The stored recording; undefined if none was stored. Never rejects. */
  readonly done: Promise<Recording | undefined>

  constructor (begun: Recording, deps: LiveRecordingDeps) {
    const { store, findDecoder, log } = deps
    this.#deps = deps
    this.#recording = begun
    this.#opened = store.workFolder(begun.id)
      .then(folder => ({ folder, writer: createClipWriter(folder, findDecoder) }))
    this.#writing = this.#opened.then(() => {})
    this.done = this.#run().catch((error: unknown) => {
      log.error({ err: error, printer: begun.printer }, 'a recording could not be finished')
      return undefined
    })
    this.#writing.catch(() => { this.end() })
  }

  get recording (): Recording { return this.#recording }

  push (shot: Shot): void {
    if (this.#isEnded) return
    if (this.#waitingBytes > MOST_WAITING_BYTES || this.#waitingShots >= MOST_WAITING_SHOTS) return this.end()
    this.#waitingBytes += shot.bytes
    this.#waitingShots++
    this.#writing = this.#writing.then(() => this.#write(shot)).finally(() => {
      this.#waitingBytes -= shot.bytes
      this.#waitingShots--
    })
    this.#writing.catch(() => { this.end() })
  }

  addAlert (alert: AlertMark): void {
    if (!this.#isEnded) this.#update({ alerts: [...this.#recording.alerts, alert] })
  }

  /** Ends the recording; later shots are ignored. */
  end (): void {
    this.#isEnded = true
    this.#resolveEnding()
  }

  #update (changes: Partial<Recording>): void {
    this.#recording = { ...this.#recording, ...changes }
    this.#deps.onChanged(this.#recording)
  }

  async #write (shot: Shot): Promise<void> {
    const { writer } = await this.#opened
    if (!await this.#deps.store.reserve(this.#recording.id, writer.bytes + shot.bytes)) {
      this.#absence = NO_ROOM
      return this.end()
    }
    if (!this.#hasPicture && shot.key) {
      this.#hasPicture = true
      this.#update({ started_at: new Date(shot.at).toISOString() })
      this.#deps.onFirstPicture()
    }
    await writer.add(shot)
  }

  async #run (): Promise<Recording | undefined> {
    const { store, signal, log } = this.#deps
    const { id, printer } = this.#recording
    try {
      return await this.#finish() ?? await this.#fail(this.#absence)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, printer }, 'a recording could not be stored')
      return await this.#fail((error as Error).message)
    } finally {
      store.release(id)
      const { folder, writer } = await this.#opened
      await writer.close()
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #finish (): Promise<Recording | undefined> {
    const { store, encode, signal } = this.#deps
    await this.#ending
    await this.#writing
    const { writer } = await this.#opened
    if (writer.needsEncoding) this.#update({ status: 'encoding' })
    const work = () => writer.finish(signal)
    const clip = await (writer.needsEncoding ? encode(work, signal) : work())
    if (clip === undefined) return undefined
    return await store.add({ ...this.#recording, status: 'ready', duration_s: clip.durationMs / MS_PER_SECOND }, clip.file)
  }

  /** Evidence without a picture is dropped; a manual recording is stored as failed, with the reason. */
  async #fail (problem: string): Promise<Recording | undefined> {
    const recording = this.#recording
    if (this.#deps.signal.aborted || (recording.kind === 'evidence' && problem === NO_PICTURE)) return undefined
    return await this.#deps.store.add({ ...recording, status: 'failed', problem })
  }
}
