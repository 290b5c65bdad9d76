import { rm } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { FindDecoder } from '../camera/index.js'
import { createClipWriter } from './clip-writer.js'
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

/** A recording of the live camera. */
export interface LiveRecording {
  readonly recording: Recording
  push (shot: Shot): void
  addAlert (alert: AlertMark): void
  /** Ends the recording; later shots are ignored. */
  end (): void
  /** The stored recording; undefined if none was stored. Never rejects. */
  readonly done: Promise<Recording | undefined>
}

/** Limit of shots waiting for a slow disk. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
const NO_PICTURE = 'The camera sent no picture during the recording'
const NO_ROOM = 'Not enough space: free disk space, or raise the limit for recordings (maxMiB, keepFreeMiB)'
const MS_PER_SECOND = 1_000

export function createLiveRecording (begun: Recording, deps: LiveRecordingDeps): LiveRecording {
  const { store, findDecoder, encode, signal, log, onChanged, onFirstPicture } = deps
  const { id } = begun
  let recording = begun
  let waitingBytes = 0
  let ended = false
  let hasPicture = false
  /** Why there is nothing to store. */
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

  /** Evidence without a picture is dropped; a manual recording is stored as failed, with the reason. */
  async function fail (problem: string): Promise<Recording | undefined> {
    if (signal.aborted || (recording.kind === 'evidence' && problem === NO_PICTURE)) return undefined
    return await store.add({ ...recording, status: 'failed', problem })
  }

  async function run (): Promise<Recording | undefined> {
    try {
      return await finish() ?? await fail(absence)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, printer: begun.printer }, 'a recording could not be stored')
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
