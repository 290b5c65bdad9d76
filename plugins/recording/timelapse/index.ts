import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createKeyedQueue, type Dispose, type PrinterSession, type PrinterState } from '../../../core/index.js'
import type { FindDecoder, Frame } from '../../camera/index.js'
import { encodePictures } from '../clip-writer.js'
import type { InTheMaking } from '../in-the-making.js'
import type { Encode } from '../live-recording.js'
import { begunRecording, jobOf } from '../recorder.js'
import type { Recording, Settings } from '../schemas.js'
import type { RecordingStore } from '../store.js'
import { hasEnded, isDue, jobKey, type Moment } from './pace.js'
import { openJobFolders, type JobFolder } from './job-folder.js'
import { shrink } from './shrink.js'

/** Takes pictures of jobs, and makes a video of them when a job has ended. */
export interface Timelapse {
  follow (session: PrinterSession): Dispose
  /** The printer is no longer configured: what there is of its job becomes a video. */
  forget (printer: string): void
  /** The user has deleted one that could not be encoded. */
  discard (id: string): Promise<void>
  /** Resolves when nothing is read or written any more. */
  close (): Promise<void>
}

export interface TimelapseDeps {
  readonly store: RecordingStore
  readonly inTheMaking: InTheMaking
  readonly settingsOf: (printer: string) => Settings
  /** A picture of now. */
  readonly frame: (session: PrinterSession) => Promise<Frame>
  readonly findDecoder: FindDecoder
  readonly encode: Encode
  readonly isConfigured: (printer: string) => boolean
  readonly onKept: (recording: Recording) => void
  /** Waits before an encoding that failed is tried again, each in its turn. @default after 1, 10, 60 and 360 minutes */
  readonly retryMs?: readonly number[]
  readonly signal: AbortSignal
  readonly now: () => number
  readonly log: FastifyBaseLogger
}

interface Track {
  readonly folder: JobFolder
  readonly last: Moment | undefined
}

const FPS = 30
const TICK_MS = 1_000
/** A video of one picture shows nothing. */
const FEWEST_PICTURES = 2
const MS_PER_SECOND = 1_000
/** Room, or a decoder, may be there by then. */
const RETRY_MS = [60_000, 600_000, 3_600_000, 21_600_000]

/** Goes on with the jobs that an earlier run has left, and encodes those that ended meanwhile. */
export async function createTimelapse (deps: TimelapseDeps): Promise<Timelapse> {
  const { store, inTheMaking, settingsOf, findDecoder, encode, onKept, retryMs = RETRY_MS, signal, now, log } = deps
  const folders = await openJobFolders(store.folder)
  const tracks = new Map<string, Track>()
  /** Whose folders of an earlier run were looked at. */
  const resumed = new WeakSet<PrinterSession>()
  /** What is done for a printer is done in its order. */
  const work = createKeyedQueue()
  const unfinished = new Set<Promise<void>>()
  const retries = new Set<NodeJS.Timeout>()

  async function make (folder: JobFolder): Promise<Recording | undefined> {
    const { description: { recording }, pictures } = folder
    const { id } = recording
    if (pictures.count < FEWEST_PICTURES) return undefined
    inTheMaking.set({ ...recording, status: 'encoding' })
    const part = await store.workFolder(id)
    try {
      const { file, durationMs } = await encode(() =>
        encodePictures(findDecoder, pictures, FPS, join(part, 'video.mp4'), signal), signal)
      return await store.add({ ...recording, status: 'ready', duration_s: durationMs / MS_PER_SECOND }, file)
    } finally {
      await rm(part, { recursive: true, force: true })
    }
  }

  /** The pictures stay when they cannot be encoded: that is tried again a few times, and at the next start. */
  async function encodeEnded (folder: JobFolder, attempt = 0): Promise<void> {
    const { recording } = folder.description
    const { id } = recording
    try {
      await store.reserve(id, folder.pictures.bytes)
      const kept = await make(folder)
      await folders.remove(id)
      if (kept !== undefined) onKept(kept)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, printer: recording.printer }, 'a timelapse could not be encoded')
      onKept(await store.add({ ...recording, status: 'failed', problem: (error as Error).message }))
      retry(folder, attempt)
    } finally {
      inTheMaking.delete(id)
      store.release(id)
    }
  }

  function retry (folder: JobFolder, attempt: number): void {
    const ms = retryMs[attempt]
    if (ms === undefined || signal.aborted) return
    const { id } = folder.description.recording
    const timer = setTimeout(() => {
      retries.delete(timer)
      const isThere = store.recordings.some(known => known.id === id) // unless it was deleted meanwhile
      if (isThere && !signal.aborted) background(encodeEnded(folder, attempt + 1))
    }, ms).unref()
    retries.add(timer)
  }

  function background (task: Promise<void>): void {
    const whole = task.catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'a timelapse failed')
    }).finally(() => unfinished.delete(whole))
    unfinished.add(whole)
  }

  async function endJob (folder: JobFolder): Promise<void> {
    tracks.delete(folder.description.recording.printer)
    background(encodeEnded(await folders.end(folder)))
  }

  /** What an earlier run has left of a printer's job; older jobs end. */
  async function resume ({ name }: PrinterSession, key: string): Promise<void> {
    for (const folder of await folders.unfinished(name)) {
      if (folder.description.key === key) keep(folder)
      else await endJob(folder)
    }
  }

  function keep (folder: JobFolder, last?: Moment): void {
    const { recording } = folder.description
    tracks.set(recording.printer, { folder, last })
    inTheMaking.set(recording)
  }

  async function trackOf (session: PrinterSession, key: string): Promise<Track> {
    const known = tracks.get(session.name)
    if (known !== undefined) return known
    const recording = begunRecording(session.name, jobOf(session), 'timelapse', now())
    keep(await folders.begin({ recording, key, step: 1 }))
    return await trackOf(session, key)
  }

  async function take (session: PrinterSession, { folder }: Track, moment: Moment): Promise<void> {
    keep(folder, moment)
    const frame = await deps.frame(session).catch((error: Error) => {
      log.debug({ err: error, printer: session.name }, 'no picture for the timelapse')
    })
    if (!frame) return
    const jpeg = await shrink(frame)
    const bytes = folder.pictures.bytes + jpeg.length
    if (await store.reserve(folder.description.recording.id, bytes)) await folder.add(jpeg)
  }

  async function look (session: PrinterSession, { job }: PrinterState): Promise<void> {
    const { name } = session
    const key = jobKey(job)
    if (!resumed.has(session) && job.gcodeState !== '') {
      resumed.add(session)
      if (!tracks.has(name)) await resume(session, key)
    }
    const known = tracks.get(name)
    if (known !== undefined && hasEnded(job, known.folder.description.key)) await endJob(known.folder)
    if (job.gcodeState !== 'RUNNING') return
    const moment = { at: now(), layer: job.layer }
    const { folder, last } = tracks.get(name) ?? {}
    if (!isDue(settingsOf(name), moment, last, folder?.description.step ?? 1)) return
    await take(session, await trackOf(session, key), moment)
  }

  function follow (session: PrinterSession): Dispose {
    const { name } = session
    let isWaiting = false
    const isIdle = () => resumed.has(session) && !tracks.has(name) && settingsOf(name).timelapse === 'off'
    const notice = () => {
      if (isWaiting || session.state === undefined || signal.aborted || isIdle()) return
      isWaiting = true
      background(work.run(name, async () => {
        isWaiting = false
        if (session.state !== undefined) await look(session, session.state)
      }, signal))
    }
    const off = session.events.on('state', notice)
    const timer = setInterval(notice, TICK_MS).unref()
    notice()
    return () => {
      off()
      clearInterval(timer)
    }
  }

  for (const folder of await folders.ended()) background(encodeEnded(folder))
  for (const folder of await folders.allUnfinished()) {
    if (!deps.isConfigured(folder.description.recording.printer)) await endJob(folder)
  }
  return {
    follow,
    forget (printer) {
      background(work.run(printer, async () => {
        for (const folder of await folders.unfinished(printer)) await endJob(folder)
      }, signal))
    },
    discard: folders.remove,
    async close () {
      for (const timer of retries) clearTimeout(timer)
      await Promise.all(unfinished)
    }
  }
}
