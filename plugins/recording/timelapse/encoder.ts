import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { FindDecoder } from '../../camera/index.js'
import { encodePictures } from '../clip-writer.js'
import type { PendingRecordings } from '../pending-recordings.js'
import type { Encode } from '../live-recording.js'
import type { Recording } from '../schemas.js'
import type { RecordingStore } from '../store.js'
import type { BackgroundTasks } from './background-tasks.js'
import type { JobFolder, JobFolders } from './job-folder.js'

export interface EncoderDeps {
  readonly store: RecordingStore
  readonly pendingRecordings: PendingRecordings
  readonly findDecoder: FindDecoder
  readonly encode: Encode
  readonly onStored: (recording: Recording) => void
  /** Delays before each retry of a failed encoding. @default 1, 10, 60 and 360 minutes */
  readonly retryMs?: readonly number[]
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

const FPS = 30
/** A single picture is not worth a video. */
const FEWEST_PICTURES = 2
const MS_PER_SECOND = 1_000
/** By then there may be disk space or a decoder. */
const RETRY_MS = [60_000, 600_000, 3_600_000, 21_600_000]

/**
 * Encodes the pictures of ended jobs as videos. If encoding fails, the pictures are kept, and it is retried a few times
 * and at the next start.
 */
export class TimelapseEncoder {
  readonly #deps: EncoderDeps
  readonly #folders: JobFolders
  readonly #tasks: BackgroundTasks
  readonly #retries = new Set<NodeJS.Timeout>()

  constructor (deps: EncoderDeps, folders: JobFolders, tasks: BackgroundTasks) {
    this.#deps = deps
    this.#folders = folders
    this.#tasks = tasks
  }

  /** Encodes the folder of an ended job in the background. */
  begin (folder: JobFolder, attempt = 0): void {
    this.#tasks.run(this.#encode(folder, attempt))
  }

  /** Cancels all retries. */
  close (): void {
    for (const timer of this.#retries) clearTimeout(timer)
  }

  async #encode (folder: JobFolder, attempt: number): Promise<void> {
    const { store, pendingRecordings, onStored, signal, log } = this.#deps
    const { recording } = folder.description
    const { id } = recording
    try {
      await store.reserve(id, folder.pictures.bytes)
      const stored = await this.#makeVideo(folder)
      await this.#folders.remove(id)
      if (stored !== undefined) onStored(stored)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, printer: recording.printer }, 'a timelapse could not be encoded')
      const { bytes } = folder.pictures // they are kept, and go with the recording when room is needed
      onStored(await store.add({ ...recording, status: 'failed', bytes, problem: (error as Error).message }))
      this.#retry(folder, attempt)
    } finally {
      pendingRecordings.delete(id)
      store.release(id)
    }
  }

  /** @returns undefined for a job with too few pictures */
  async #makeVideo ({ description: { recording }, pictures }: JobFolder): Promise<Recording | undefined> {
    const { store, pendingRecordings, findDecoder, encode, signal } = this.#deps
    if (pictures.count < FEWEST_PICTURES) return undefined
    pendingRecordings.set({ ...recording, status: 'encoding' })
    const part = await store.workFolder(recording.id)
    try {
      const { file, durationMs } = await encode(() =>
        encodePictures(findDecoder, pictures, FPS, join(part, 'video.mp4'), signal), signal)
      return await store.add({ ...recording, status: 'ready', duration_s: durationMs / MS_PER_SECOND }, file)
    } finally {
      await rm(part, { recursive: true, force: true })
    }
  }

  #retry (folder: JobFolder, attempt: number): void {
    const { store, retryMs = RETRY_MS, signal } = this.#deps
    const ms = retryMs[attempt]
    if (ms === undefined || signal.aborted) return
    const { id } = folder.description.recording
    const timer = setTimeout(() => {
      this.#retries.delete(timer)
      const isThere = store.recordings.some(known => known.id === id) // unless it was deleted meanwhile
      if (isThere && !signal.aborted) this.begin(folder, attempt + 1)
    }, ms).unref()
    this.#retries.add(timer)
  }
}
