import type { Alert } from '../alerts/index.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** An incident that did not occur for this long counts as new and is sent at once. */
const QUIET_MS = 10 * MINUTE_MS
/** Delays until repetitions are sent, combined in one message; they grow while the repetitions continue. */
const STEPS_MS = [1, 10, 30, 60].map(minutes => minutes * MINUTE_MS)
/** Then they are sent after a pause of this length, or at the latest after the second one. */
const SETTLE_MS = 30 * SECOND_MS
const LATEST_MS = 5 * MINUTE_MS
/** The code that marks a failure as a cancellation may arrive this long after it. */
const MAY_BE_CANCELLED_MS = 5 * SECOND_MS
/** Bounds the memory for printers that report ever new codes. */
const MOST_REMEMBERED = 1_024

interface Incident {
  sentAt: number
  seenAt: number
  step: number
  /** Number of repetitions held back, and the time of the first. */
  count: number
  since: string
  held: Alert | undefined
}

type Errors = readonly { readonly code?: unknown }[]
const errorsOf = ({ payload: { errors } }: Alert): Errors => Array.isArray(errors) ? errors as Errors : []
const isCancelled = ({ payload }: Alert): boolean => payload.cancelled === true

/** What distinguishes incidents of the same type; undefined for alerts that are always sent at once. */
function subjectOf ({ type, payload }: Alert): string | undefined {
  if (type === 'job_paused') return String(payload.code ?? payload.stage_id ?? '')
  if (type === 'stage_change') return String(payload.stage_id)
  return type === 'job_resumed' || type === 'hms_error_cleared' ? '' : undefined
}

/** A combined message states how often, and since when. */
const repeated = (held: Alert, { count, since }: Incident): Alert =>
  count <= 1 ? held : { ...held, payload: { ...held.payload, repeated: count, since } }

/**
 * Combines alerts that repeat: the first is sent at once, the next ones together. A different code is a different
 * incident, and so is the same one after a quiet time. Nothing is dropped.
 * @param steady monotonic clock, ms
 */
export function createFloodGate (steady: () => number) {
  const incidents = new Map<string, Incident>()
  /** The incident of the last pause, by printer. */
  const pauses = new Map<string, string>()
  const failures = new Map<string, { alert: Alert, dueAt: number }>()

  /** @returns whether to send it now; otherwise it is held back */
  function isNew (key: string, alert: Alert, at: number): boolean {
    const known = incidents.get(key)
    incidents.delete(key)
    if (known === undefined || at - known.seenAt >= QUIET_MS) {
      const { count = 0, since = alert.timestamp, held } = known ?? {}
      incidents.set(key, { sentAt: at, seenAt: at, step: 0, count, since, held })
      const [oldest = key] = incidents.keys()
      if (incidents.size > MOST_REMEMBERED) incidents.delete(oldest)
      return true
    }
    if (known.count === 0) known.since = alert.timestamp
    incidents.set(key, { ...known, seenAt: at, count: known.count + 1, held: alert })
    return false
  }

  function faults (alert: Alert, at: number): Alert[] {
    const withErrors = (errors: Errors): Alert => ({ ...alert, payload: { ...alert.payload, errors } })
    const fresh = errorsOf(alert).filter(error =>
      isNew(`${alert.printer}\nfault\n${String(error.code)}`, withErrors([error]), at))
    return fresh.length === 0 ? [] : [withErrors(fresh)]
  }

  /** Resuming belongs to the pause: a loop of both is one incident. */
  function isPartOfPause (alert: Alert, at: number): boolean {
    const pause = incidents.get(pauses.get(alert.printer) ?? '')
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
    if (alert.type === 'job_resumed' && isPartOfPause(alert, at)) return []
    const key = `${alert.printer}\n${alert.type}\n${subject}`
    if (alert.type === 'job_paused') pauses.set(alert.printer, key)
    return isNew(key, alert, at) ? [alert] : []
  }

  const dueAt = ({ sentAt, seenAt, step }: Incident): number => {
    const next = sentAt + (STEPS_MS[step] ?? 0)
    return Math.max(next, Math.min(seenAt + SETTLE_MS, next + LATEST_MS))
  }

  /** @param isLast returns everything held back */
  function due (isLast = false): Alert[] {
    const at = steady()
    const ready: Alert[] = []
    for (const [printer, failure] of failures) {
      if (!isLast && at < failure.dueAt) continue
      failures.delete(printer)
      ready.push(failure.alert)
    }
    for (const incident of incidents.values()) {
      const { held } = incident
      if (held === undefined || (!isLast && at < dueAt(incident))) continue
      ready.push(repeated(held, incident))
      const step = Math.min(incident.step + 1, STEPS_MS.length - 1)
      Object.assign(incident, { sentAt: at, step, count: 0, held: undefined })
    }
    return ready
  }

  return { take, due }
}
