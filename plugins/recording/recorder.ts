import type { Dispose, PrinterSession } from '../../core/index.js'
import { AlreadyRecording } from './errors.js'
import type { PendingRecordings } from './pending-recordings.js'
import { createLiveRecording, type LiveRecording, type LiveRecordingDeps } from './live-recording.js'
import type { AlertMark, Recording } from './schemas.js'
import type { Shot } from './shot-ring.js'
import { newId } from './store.js'

/** Recordings of live cameras: evidence and manual ones. */
export interface Recorder {
  /** The latest shot of a printer's camera. */
  push (session: PrinterSession, shot: Shot): void
  /**
   * Begins a manual recording. Its seconds count from its first picture, since a camera may take a while to connect.
   * @throws PRN_ERR_ALREADY_RECORDING; PRN_ERR_NO_CAMERA and PRN_ERR_NOT_CONNECTED if there is nothing to connect to
   */
  start (session: PrinterSession, seconds: number): Recording
  /** Records evidence from before and after an alert; alerts in quick succession share one recording. */
  recordEvidence (session: PrinterSession, alert: AlertMark, before: readonly Shot[]): void
  /** @returns the recording; undefined if none with that id is running */
  stop (id: string): Recording | undefined
  /** Ends running evidence of a printer, after it was switched off. */
  endEvidence (printer: string): void
  /** Ends all recordings of a printer. */
  end (session: PrinterSession): void
  /** Ends all recordings and waits until they are stored. */
  close (): Promise<void>
}

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

export function createRecorder (deps: RecorderDeps): Recorder {
  const { pendingRecordings, hold, onStored, now, afterMs, connectMs, log } = deps
  /** Running recordings, by id. */
  const running = new Map<string, Running>()
  const unfinished = new Set<Promise<void>>()

  const find = (session: PrinterSession, kind: Recording['kind']): Running | undefined =>
    [...running.values()].find(one => one.session === session && one.live.recording.kind === kind)

  function end (id: string): void {
    const one = running.get(id)
    if (one === undefined) return
    running.delete(id)
    clearTimeout(one.timer)
    one.release()
    one.live.end()
  }

  async function finish (id: string, { done }: LiveRecording): Promise<void> {
    const stored = await done
    end(id) // may have ended already
    pendingRecordings.delete(id)
    if (stored !== undefined) onStored(stored)
  }

  function restartTimer (id: string, ms: number): void {
    const one = running.get(id)
    if (one === undefined) return
    clearTimeout(one.timer)
    one.timer = setTimeout(end, ms, id).unref()
  }

  /**
   * @param ms until it ends
   * @param shownMs replaces `ms` from the first picture on
   */
  function begin (session: PrinterSession, kind: Recording['kind'], ms: number, release: Dispose, shownMs?: number):
  LiveRecording {
    const begun = begunRecording(session.name, jobOf(session), kind, now())
    const { id } = begun
    const onFirstPicture = () => { if (shownMs !== undefined) restartTimer(id, shownMs) }
    const live = createLiveRecording(begun, { ...deps, onChanged: pendingRecordings.set, onFirstPicture })
    pendingRecordings.set(begun)
    running.set(id, { session, live, since: now(), release, timer: setTimeout(end, ms, id).unref() })
    const whole = finish(id, live).finally(() => unfinished.delete(whole))
    unfinished.add(whole)
    return live
  }

  /** Buffered evidence is stored even if the camera cannot be held. */
  function tryHold (session: PrinterSession): Dispose {
    try {
      return hold(session)
    } catch (error) {
      log.debug({ err: error, printer: session.name }, 'the camera cannot be kept connected')
      return () => {}
    }
  }

  /** Another alert extends the recording. */
  function prolong ({ live, since }: Running): void {
    const leftMs = Math.max(0, since + LONGEST_EVIDENCE_MS - now())
    restartTimer(live.recording.id, Math.min(afterMs, leftMs))
  }

  return {
    push (session, shot) { for (const one of running.values()) if (one.session === session) one.live.push(shot) },
    start (session, seconds) {
      const known = find(session, 'manual')
      if (known !== undefined) throw new AlreadyRecording(session.name, known.live.recording.id)
      return begin(session, 'manual', connectMs, hold(session), seconds * MS_PER_SECOND).recording
    },
    recordEvidence (session, alert, before) {
      const known = find(session, 'evidence')
      if (known !== undefined) {
        known.live.addAlert(alert)
        prolong(known)
        return
      }
      const live = begin(session, 'evidence', afterMs, tryHold(session))
      live.addAlert(alert)
      for (const shot of before) live.push(shot)
    },
    stop (id) {
      const known = running.get(id)
      end(id)
      return known?.live.recording
    },
    endEvidence (printer) {
      for (const [id, { live: { recording } }] of running) {
        if (recording.kind === 'evidence' && recording.printer === printer) end(id)
      }
    },
    end (session) { for (const [id, one] of running) if (one.session === session) end(id) },
    async close () {
      for (const id of running.keys()) end(id)
      await Promise.all(unfinished)
    }
  }
}
