import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession, PrinterState } from '../../../core/index.js'
import type { Frame } from '../../camera/index.js'
import type { PendingRecordings } from '../pending-recordings.js'
import { begunRecording, jobOf } from '../recorder.js'
import type { Settings } from '../schemas.js'
import type { RecordingStore } from '../store.js'
import type { JobDescription, JobFolder, JobFolders } from './job-folder.js'
import { hasEnded, isDue, jobKey, type JobProgress } from './job-progress.js'
import { shrink } from './shrink.js'

export interface JobTrackerDeps {
  readonly store: RecordingStore
  readonly pendingRecordings: PendingRecordings
  readonly settingsOf: (printer: string) => Settings
  /** A current picture. */
  readonly frame: (session: PrinterSession) => Promise<Frame>
  readonly now: () => number
  readonly log: FastifyBaseLogger
}

interface Track {
  readonly folder: JobFolder
  readonly last: JobProgress | undefined
}

/** Jobs of slicers have no ids, so that two prints of one file have the same key. */
const isSamePrint = (known: JobDescription, { key, layer, start }: Required<Pick<JobDescription, 'key' | 'layer' | 'start'>>) =>
  known.key === key && layer >= (known.layer ?? 0) && (!known.start || start === '' || known.start === start)

/** The running timelapse of each printer. Calls for one printer must not overlap. */
export class JobTracker {
  readonly #deps: JobTrackerDeps
  readonly #folders: JobFolders
  readonly #onEnded: (folder: JobFolder) => void
  readonly #tracks = new Map<string, Track>()
  /** Sessions whose unfinished folders were already read. */
  readonly #resumed = new WeakSet<PrinterSession>()

  /** @param onEnded called with the folder of an ended job */
  constructor (deps: JobTrackerDeps, folders: JobFolders, onEnded: (folder: JobFolder) => void) {
    this.#deps = deps
    this.#folders = folders
    this.#onEnded = onEnded
  }

  /** Whether `update` would do nothing for any report. */
  isIdle (session: PrinterSession): boolean {
    const { name } = session
    return this.#resumed.has(session) && !this.#tracks.has(name) && this.#deps.settingsOf(name).timelapse === 'off'
  }

  /** Takes a picture if one is due, and ends the timelapse when the job has ended. */
  async update (session: PrinterSession, { job }: PrinterState): Promise<void> {
    const { name } = session
    const key = jobKey(job)
    if (!this.#resumed.has(session) && job.gcodeState !== '') {
      this.#resumed.add(session)
      if (!this.#tracks.has(name)) await this.#resume(session, key, job.layer)
    }
    const known = this.#tracks.get(name)
    if (known !== undefined && hasEnded(job, known.folder.description.key)) await this.end(known.folder)
    if (job.gcodeState !== 'RUNNING') return
    const progress = { at: this.#deps.now(), layer: job.layer }
    const { folder, last } = this.#tracks.get(name) ?? {}
    if (!isDue(this.#deps.settingsOf(name), progress, last, folder?.description.step ?? 1)) return
    await this.#take(session, folder ?? await this.#begin(session, key), progress)
  }

  async end (folder: JobFolder): Promise<void> {
    this.#tracks.delete(folder.description.recording.printer)
    this.#onEnded(await this.#folders.end(folder))
  }

  /** Ends all jobs of a printer, also those of earlier runs. */
  async endAll (printer: string): Promise<void> {
    for (const folder of await this.#folders.unfinished(printer)) await this.end(folder)
  }

  /** Resumes the current job if an earlier run left it unfinished; other jobs end. */
  async #resume ({ name, context: { reportedStart } }: PrinterSession, key: string, layer: number): Promise<void> {
    for (const folder of await this.#folders.unfinished(name)) {
      if (isSamePrint(folder.description, { key, layer, start: reportedStart })) this.#track(folder)
      else await this.end(folder)
    }
  }

  async #begin (session: PrinterSession, key: string): Promise<JobFolder> {
    const recording = begunRecording(session.name, jobOf(session), 'timelapse', this.#deps.now())
    const folder = await this.#folders.begin({ recording, key, step: 1, start: session.context.reportedStart })
    this.#track(folder)
    return folder
  }

  #track (folder: JobFolder, last?: JobProgress): void {
    const { recording } = folder.description
    this.#tracks.set(recording.printer, { folder, last })
    this.#deps.pendingRecordings.set(recording)
  }

  async #take (session: PrinterSession, folder: JobFolder, progress: JobProgress): Promise<void> {
    const { store, log } = this.#deps
    this.#track(folder, progress)
    const frame = await this.#deps.frame(session).catch((error: Error) => {
      log.debug({ err: error, printer: session.name }, 'no picture for the timelapse')
    })
    if (!frame) return
    const jpeg = await shrink(frame)
    const bytes = folder.pictures.bytes + jpeg.length
    if (await store.reserve(folder.description.recording.id, bytes)) await folder.add(jpeg, progress.layer)
  }
}
