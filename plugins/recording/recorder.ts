import type { Dispose, PrinterSession } from '../../core/index.js'
import { AlreadyRecording } from './errors.js'
import type { PendingRecordings } from './pending-recordings.js'
import { LiveRecording, type LiveRecordingDeps } from './live-recording.js'
import type { AlertMark, Recording } from './schemas.js'
import type { Shot } from './shot-ring.js'
import { newId } from './store.js'

export interface RecorderDeps extends Omit<LiveRecordingDeps, 'onChanged' | 'onFirstPicture'> {
  readonly pendingRecordings: PendingRecordings
  /** Keeps the camera connected. */
  readonly hold: (session: PrinterSession) => Dispose
  /** Runs for each recording that was stored. */
  readonly onStored: (recording: Recording) => void
  readonly now: () => number
  /** How long evidence continues after the alert. */
  readonly afterMs: number
  /** How long a manual recording waits for its first picture. */
  readonly connectMs: number
}

interface Running {
  readonly session: PrinterSession
  readonly live: LiveRecording
  /** ms since the epoch. */
  readonly since: number
  readonly release: Dispose
  timer: NodeJS.Timeout
}

/** Limit for evidence of any number of alerts. */
const LONGEST_EVIDENCE_MS = 120_000
const MS_PER_SECOND = 1_000

/** The printer's current job. */
export const jobOf = ({ state }: PrinterSession): Recording['job'] =>
  ({ name: state?.job.subtaskName || (state?.job.gcodeFile ?? ''), task_id: state?.job.taskId ?? '' })

/** A new recording without a picture. */
export const begunRecording = (printer: string, job: Recording['job'], kind: Recording['kind'],
  now: number): Recording => ({
  id: newId(),
  printer,
  kind,
  status: 'recording',
  started_at: new Date(now).toISOString(),
  duration_s: 0,
  bytes: 0,
  job,
  alerts: [],
  problem: null
})

/** Recordings of live cameras: evidence and manual ones. */
export class Recorder {
  readonly #deps: RecorderDeps
  /** Running recordings, by id. */
  readonly #running = new Map<string, Running>()
  readonly #unfinished = new Set<Promise<void>>()

  constructor (deps: RecorderDeps) { this.#deps = deps }

  /** The latest shot of a printer's camera. */
  push (session: PrinterSession, shot: Shot): void {
    for (const one of this.#running.values()) if (one.session === session) one.live.push(shot)
  }

  /**
   * Begins a manual recording. Its seconds count from its first picture, since a camera may take a while to connect.
   * @throws PRN_ERR_ALREADY_RECORDING; PRN_ERR_NO_CAMERA and PRN_ERR_NOT_CONNECTED if there is nothing to connect to
   */
  start (session: PrinterSession, seconds: number): Recording {
    const { hold, connectMs } = this.#deps
    const known = this.#find(session, 'manual')
    if (known !== undefined) throw new AlreadyRecording(session.name, known.live.recording.id)
    return this.#begin(session, 'manual', connectMs, hold(session), seconds * MS_PER_SECOND).recording
  }

  /** Records evidence from before and after an alert; alerts in quick succession share one recording. */
  recordEvidence (session: PrinterSession, alert: AlertMark, before: readonly Shot[]): void {
    const known = this.#find(session, 'evidence')
    if (known !== undefined) {
      known.live.addAlert(alert)
      this.#prolong(known)
      return
    }
    const live = this.#begin(session, 'evidence', this.#deps.afterMs, this.#tryHold(session))
    live.addAlert(alert)
    for (const shot of before) live.push(shot)
  }

  /** @returns the recording; undefined if none with that id is running */
  stop (id: string): Recording | undefined {
    const known = this.#running.get(id)
    this.#end(id)
    return known?.live.recording
  }

  /** Ends running evidence of a printer, after it was switched off. */
  endEvidence (printer: string): void {
    for (const [id, { live: { recording } }] of this.#running) {
      if (recording.kind === 'evidence' && recording.printer === printer) this.#end(id)
    }
  }

  /** Ends all recordings of a printer. */
  end (session: PrinterSession): void {
    for (const [id, one] of this.#running) if (one.session === session) this.#end(id)
  }

  /** Ends all recordings and waits until they are stored. */
  async close (): Promise<void> {
    for (const id of this.#running.keys()) this.#end(id)
    await Promise.all(this.#unfinished)
  }

  #find (session: PrinterSession, kind: Recording['kind']): Running | undefined {
    return [...this.#running.values()].find(one => one.session === session && one.live.recording.kind === kind)
  }

  /**
   * @param ms until it ends
   * @param shownMs replaces `ms` from the first picture on
   */
  #begin (session: PrinterSession, kind: Recording['kind'], ms: number, release: Dispose, shownMs?: number):
  LiveRecording {
    const { pendingRecordings, now } = this.#deps
    const begun = begunRecording(session.name, jobOf(session), kind, now())
    const { id } = begun
    const onFirstPicture = () => { if (shownMs !== undefined) this.#restartTimer(id, shownMs) }
    const live = new LiveRecording(begun, { ...this.#deps, onChanged: pendingRecordings.set, onFirstPicture })
    pendingRecordings.set(begun)
    this.#running.set(id, { session, live, since: now(), release, timer: this.#timerFor(id, ms) })
    const whole = this.#finish(id, live).finally(() => this.#unfinished.delete(whole))
    this.#unfinished.add(whole)
    return live
  }

  #end (id: string): void {
    const one = this.#running.get(id)
    if (one === undefined) return
    this.#running.delete(id)
    clearTimeout(one.timer)
    one.release()
    one.live.end()
  }

  async #finish (id: string, { done }: LiveRecording): Promise<void> {
    const stored = await done
    this.#end(id) // may have ended already
    this.#deps.pendingRecordings.delete(id)
    if (stored !== undefined) this.#deps.onStored(stored)
  }

  #timerFor (id: string, ms: number): NodeJS.Timeout { return setTimeout(() => { this.#end(id) }, ms).unref() }

  #restartTimer (id: string, ms: number): void {
    const one = this.#running.get(id)
    if (one === undefined) return
    clearTimeout(one.timer)
    one.timer = this.#timerFor(id, ms)
  }

  /** Another alert extends the recording. */
  #prolong ({ live, since }: Running): void {
    const { now, afterMs } = this.#deps
    const leftMs = Math.max(0, since + LONGEST_EVIDENCE_MS - now())
    this.#restartTimer(live.recording.id, Math.min(afterMs, leftMs))
  }

  /** Buffered evidence is stored even if the camera cannot be held. */
  #tryHold (session: PrinterSession): Dispose {
    try {
      return this.#deps.hold(session)
    } catch (error) {
      this.#deps.log.debug({ err: error, printer: session.name }, 'the camera cannot be kept connected')
      return () => {}
    }
  }
}
