import type { Alert } from '../alerts/index.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** A matter that was not seen for so long is a new one, and is told at once. */
const QUIET_MS = 10 * MINUTE_MS
/** Repetitions are told together so long after the message before; ever more rarely while they go on. */
const STEPS_MS = [1, 10, 30, 60].map(minutes => minutes * MINUTE_MS)
/** They are told once they have stopped for so long, or at the latest after so long. */
const SETTLE_MS = 30 * SECOND_MS
const LATEST_MS = 5 * MINUTE_MS
/** The number that makes a failure a cancellation may come so long after it. */
const MAY_BE_CANCELLED_MS = 5 * SECOND_MS
/** Bounds the memory for printers that keep inventing codes. */
const MOST_REMEMBERED = 1_024

interface Matter {
  toldAt: number
  seenAt: number
  step: number
  /** How many are held back, and the time of the first. */
  count: number
  since: string
  held: Alert | undefined
}

type Errors = readonly { readonly code?: unknown }[]
const errorsOf = ({ payload: { errors } }: Alert): Errors => Array.isArray(errors) ? errors as Errors : []
const isCancelled = ({ payload }: Alert): boolean => payload.cancelled === true

/** What an alert is about besides its type; undefined for those that never repeat themselves, or always matter. */
function subjectOf ({ type, payload }: Alert): string | undefined {
  if (type === 'job_paused') return String(payload.code ?? payload.stage_id ?? '')
  if (type === 'stage_change') return String(payload.stage_id)
  return type === 'job_resumed' || type === 'hms_error_cleared' ? '' : undefined
}

/** A follow-up says how often, and since when. */
const repeated = (held: Alert, { count, since }: Matter): Alert =>
  count <= 1 ? held : { ...held, payload: { ...held.payload, repeated: count, since } }

/**
 * Keeps what flickers from making a message each time: the first is told at once, the next ones together. Another code
 * is another matter, and so is the same one after a quiet time. Nothing is dropped.
 * @param steady ms of a clock that never jumps
 */
export function createFloodGate (steady: () => number) {
  const matters = new Map<string, Matter>()
  /** The pause that a printer goes on from, by printer. */
  const pauses = new Map<string, string>()
  const failures = new Map<string, { alert: Alert, dueAt: number }>()

  /** @returns whether it is told now; else it is counted */
  function isNew (key: string, alert: Alert, at: number): boolean {
    const known = matters.get(key)
    matters.delete(key)
    if (known === undefined || at - known.seenAt >= QUIET_MS) {
      const { count = 0, since = alert.timestamp, held } = known ?? {}
      matters.set(key, { toldAt: at, seenAt: at, step: 0, count, since, held })
      const [oldest = key] = matters.keys()
      if (matters.size > MOST_REMEMBERED) matters.delete(oldest)
      return true
    }
    if (known.count === 0) known.since = alert.timestamp
    matters.set(key, { ...known, seenAt: at, count: known.count + 1, held: alert })
    return false
  }

  function faults (alert: Alert, at: number): Alert[] {
    const withErrors = (errors: Errors): Alert => ({ ...alert, payload: { ...alert.payload, errors } })
    const fresh = errorsOf(alert).filter(error =>
      isNew(`${alert.printer}\nfault\n${String(error.code)}`, withErrors([error]), at))
    return fresh.length === 0 ? [] : [withErrors(fresh)]
  }

  /** Going on belongs to the pause: a loop of both is one matter. */
  function goesOn (alert: Alert, at: number): boolean {
    const pause = matters.get(pauses.get(alert.printer) ?? '')
    if (pause === undefined || at - pause.seenAt >= QUIET_MS) return false
    pause.seenAt = at
    const { held } = pause
    const isFirst = held === undefined || pause.count === 0
    pause.held = isFirst ? alert : { ...held, payload: { ...held.payload, goes_on: true } }
    if (pause.count === 0) pause.since = alert.timestamp
    return true
  }

  function take (alert: Alert): Alert[] {
    const at = steady()
    if (alert.type === 'hms_error_new' && errorsOf(alert).length > 0) return faults(alert, at)
    if (alert.type === 'job_failed') {
      failures.delete(alert.printer)
      if (isCancelled(alert)) return [alert]
      failures.set(alert.printer, { alert, dueAt: at + MAY_BE_CANCELLED_MS })
      return []
    }
    const subject = subjectOf(alert)
    if (subject === undefined) return [alert]
    if (alert.type === 'job_resumed' && goesOn(alert, at)) return []
    const key = `${alert.printer}\n${alert.type}\n${subject}`
    if (alert.type === 'job_paused') pauses.set(alert.printer, key)
    return isNew(key, alert, at) ? [alert] : []
  }

  const dueAt = ({ toldAt, seenAt, step }: Matter): number => {
    const next = toldAt + (STEPS_MS[step] ?? 0)
    return Math.max(next, Math.min(seenAt + SETTLE_MS, next + LATEST_MS))
  }

  /** @param isLast everything that is held back, now */
  function due (isLast = false): Alert[] {
    const at = steady()
    const ready: Alert[] = []
    for (const [printer, failure] of failures) {
      if (!isLast && at < failure.dueAt) continue
      failures.delete(printer)
      ready.push(failure.alert)
    }
    for (const matter of matters.values()) {
      const { held } = matter
      if (held === undefined || (!isLast && at < dueAt(matter))) continue
      ready.push(repeated(held, matter))
      const step = Math.min(matter.step + 1, STEPS_MS.length - 1)
      Object.assign(matter, { toldAt: at, step, count: 0, held: undefined })
    }
    return ready
  }

  return { take, due }
}
