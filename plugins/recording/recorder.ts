import type { Dispose, PrinterSession } from '../../core/index.js'
import { AlreadyRecording } from './errors.js'
import type { InTheMaking } from './in-the-making.js'
import { createLiveRecording, type LiveRecording, type LiveRecordingDeps } from './live-recording.js'
import type { AlertMark, Recording } from './schemas.js'
import type { Shot } from './shot-ring.js'
import { newId } from './store.js'

/** Recordings of what cameras show now: evidence, and those that somebody asks for. */
export interface Recorder {
  /** What the camera of a printer has just shown. */
  push (session: PrinterSession, shot: Shot): void
  /**
   * Begins one that was asked for.
   * @throws PRN_ERR_ALREADY_RECORDING; PRN_ERR_NO_CAMERA and PRN_ERR_NOT_CONNECTED when there is nothing to connect to
   */
  start (session: PrinterSession, seconds: number): Recording
  /** Keeps what came before an alert and what comes after it; one for all alerts that follow each other closely. */
  keep (session: PrinterSession, alert: AlertMark, before: readonly Shot[]): void
  /** @returns what it is by then; undefined when there is none of that id */
  stop (id: string): Recording | undefined
  /** Evidence is no longer wanted of a printer: what was begun takes nothing more. */
  endEvidence (printer: string): void
  /** Ends those of a printer. */
  end (session: PrinterSession): void
  /** Ends all and waits until they are kept. */
  close (): Promise<void>
}

export interface RecorderDeps extends Omit<LiveRecordingDeps, 'onChanged'> {
  readonly inTheMaking: InTheMaking
  /** Keeps the camera connected. */
  readonly hold: (session: PrinterSession) => Dispose
  /** Told of each that is kept. */
  readonly onKept: (recording: Recording) => void
  readonly now: () => number
  /** How long evidence goes on after the alert. */
  readonly afterMs: number
}

interface Running {
  readonly session: PrinterSession
  readonly live: LiveRecording
  /** ms since the epoch. */
  readonly since: number
  readonly release: Dispose
  timer: NodeJS.Timeout
}

/** However many alerts follow each other. */
const LONGEST_EVIDENCE_MS = 120_000
const MS_PER_SECOND = 1_000

/** What the printer prints. */
export const jobOf = ({ state }: PrinterSession): Recording['job'] =>
  ({ name: state?.job.subtaskName || (state?.job.gcodeFile ?? ''), task_id: state?.job.taskId ?? '' })

/** One that has no picture yet. */
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
  const { inTheMaking, hold, onKept, now, afterMs, log } = deps
  /** Those that take pictures, by id. */
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
    const kept = await done
    end(id) // it may have ended by itself
    inTheMaking.delete(id)
    if (kept !== undefined) onKept(kept)
  }

  function begin (session: PrinterSession, kind: Recording['kind'], ms: number, release: Dispose): LiveRecording {
    const begun = begunRecording(session.name, jobOf(session), kind, now())
    const { id } = begun
    const live = createLiveRecording(begun, { ...deps, onChanged: inTheMaking.set })
    inTheMaking.set(begun)
    running.set(id, { session, live, since: now(), release, timer: setTimeout(end, ms, id).unref() })
    const whole = finish(id, live).finally(() => unfinished.delete(whole))
    unfinished.add(whole)
    return live
  }

  /** Evidence of what came before is kept even when there is nothing to connect to. */
  function tryHold (session: PrinterSession): Dispose {
    try {
      return hold(session)
    } catch (error) {
      log.debug({ err: error, printer: session.name }, 'the camera cannot be kept connected')
      return () => {}
    }
  }

  /** Another alert makes it longer. */
  function prolong ({ live, since, timer }: Running): NodeJS.Timeout {
    clearTimeout(timer)
    const leftMs = Math.max(0, since + LONGEST_EVIDENCE_MS - now())
    return setTimeout(end, Math.min(afterMs, leftMs), live.recording.id).unref()
  }

  return {
    push (session, shot) { for (const one of running.values()) if (one.session === session) one.live.push(shot) },
    start (session, seconds) {
      const known = find(session, 'manual')
      if (known !== undefined) throw new AlreadyRecording(session.name, known.live.recording.id)
      return begin(session, 'manual', seconds * MS_PER_SECOND, hold(session)).recording
    },
    keep (session, alert, before) {
      const known = find(session, 'evidence')
      if (known !== undefined) {
        known.live.addAlert(alert)
        known.timer = prolong(known)
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
