import { rm } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { FindDecoder } from '../camera/index.js'
import { createClipWriter } from './clip-writer.js'
import type { AlertMark, Recording } from './schemas.js'
import type { Shot } from './shot-ring.js'
import type { RecordingStore } from './store.js'

/** Encodes one at a time, for the whole service. */
export type Encode = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export interface LiveRecordingDeps {
  readonly store: RecordingStore
  readonly findDecoder: FindDecoder
  readonly encode: Encode
  /** Aborted at shutdown: what is not encoded by then is lost. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** Told of each change. */
  readonly onChanged: (recording: Recording) => void
  /** A picture that stands for itself came: the recording begins with it. */
  readonly onFirstPicture: () => void
}

/** A recording that takes what the camera shows now. */
export interface LiveRecording {
  readonly recording: Recording
  push (shot: Shot): void
  addAlert (alert: AlertMark): void
  /** Nothing more is taken. */
  end (): void
  /** How it ended; undefined when nothing was kept. Never rejects. */
  readonly done: Promise<Recording | undefined>
}

/** What waits for a slow disk. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
const NO_PICTURE = 'The camera gave no picture while it was recorded'
const NO_ROOM = 'There is no room for it: free disk space, or allow recordings more (maxMiB, keepFreeMiB)'
const MS_PER_SECOND = 1_000

export function createLiveRecording (begun: Recording, deps: LiveRecordingDeps): LiveRecording {
  const { store, findDecoder, encode, signal, log, onChanged, onFirstPicture } = deps
  const { id } = begun
  let recording = begun
  let waitingBytes = 0
  let ended = false
  let hasPicture = false
  /** Why there is nothing to keep. */
  let absence = NO_PICTURE
  const opened = store.workFolder(id).then(folder => ({ folder, writer: createClipWriter(folder, findDecoder) }))
  let writing: Promise<void> = opened.then(() => {})
  let end = () => {}
  const ending = new Promise<void>(resolve => {
    end = () => {
      ended = true
      resolve()
    }
  })

  function update (changes: Partial<Recording>): void {
    recording = { ...recording, ...changes }
    onChanged(recording)
  }

  async function write (shot: Shot): Promise<void> {
    const { writer } = await opened
    if (!await store.reserve(id, writer.bytes + shot.bytes)) {
      absence = NO_ROOM
      return end()
    }
    if (!hasPicture && shot.key) {
      hasPicture = true
      update({ started_at: new Date(shot.at).toISOString() })
      onFirstPicture()
    }
    await writer.add(shot)
  }

  async function finish (): Promise<Recording | undefined> {
    await ending
    await writing
    const { writer } = await opened
    if (writer.needsEncoding) update({ status: 'encoding' })
    const work = () => writer.finish(signal)
    const clip = await (writer.needsEncoding ? encode(work, signal) : work())
    if (clip === undefined) return undefined
    return await store.add({ ...recording, status: 'ready', duration_s: clip.durationMs / MS_PER_SECOND }, clip.file)
  }

  /** Evidence that shows nothing is none; who asked for a recording learns why there is none. */
  async function fail (problem: string): Promise<Recording | undefined> {
    if (signal.aborted || (recording.kind === 'evidence' && problem === NO_PICTURE)) return undefined
    return await store.add({ ...recording, status: 'failed', problem })
  }

  async function run (): Promise<Recording | undefined> {
    try {
      return await finish() ?? await fail(absence)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, printer: begun.printer }, 'a recording could not be kept')
      return await fail((error as Error).message)
    } finally {
      store.release(id)
      const { folder, writer } = await opened
      await writer.close()
      await rm(folder, { recursive: true, force: true })
    }
  }

  writing.catch(() => end())
  return {
    get recording () { return recording },
    push (shot) {
      if (ended) return
      if (waitingBytes > MOST_WAITING_BYTES) return end()
      waitingBytes += shot.bytes
      writing = writing.then(() => write(shot)).finally(() => { waitingBytes -= shot.bytes })
      writing.catch(() => end())
    },
    addAlert (alert) { if (!ended) update({ alerts: [...recording.alerts, alert] }) },
    end: () => end(),
    done: run().catch((error: unknown) => {
      log.error({ err: error, printer: begun.printer }, 'a recording could not be finished')
      return undefined
    })
  }
}
