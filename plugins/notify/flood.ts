import type { Alert } from '../alerts/index.js'
import { Incidents } from './incidents.js'

/** The code that marks a failure as a cancellation may arrive this long after it. */
const MAY_BE_CANCELLED_MS = 5_000

type Errors = readonly { readonly code?: unknown }[]
const errorsOf = ({ payload: { errors } }: Alert): Errors => Array.isArray(errors) ? errors as Errors : []
const isCancelled = ({ payload }: Alert): boolean => payload.cancelled === true

/** Whether the later alert is about the same failure, which was a cancellation. */
const corrects = (later: Alert, { payload }: Alert): boolean => isCancelled(later) &&
  (later.payload.replaces === 'job_failed' || later.payload.subtask_name === payload.subtask_name)

/** What distinguishes incidents of the same type; undefined for alerts that are always sent at once. */
function subjectOf ({ type, payload }: Alert): string | undefined {
  if (type === 'job_paused') return String(payload.code ?? payload.stage_id ?? '')
  if (type === 'stage_change') return String(payload.stage_id)
  return type === 'job_resumed' || type === 'hms_error_cleared' ? '' : undefined
}

/**
 * Combines alerts that repeat: the first is sent at once, the next ones together. A different code is a different
 * incident, and so is the same one after a quiet time. Nothing is dropped.
 */
export class FloodGate {
  readonly #steady: () => number
  readonly #incidents = new Incidents()
  /** The key of the last pause, by printer. */
  readonly #pauses = new Map<string, string>()
  readonly #failures = new Map<string, { readonly alert: Alert, readonly dueAt: number }>()

  /** @param steady monotonic clock, ms */
  constructor (steady: () => number) {
    this.#steady = steady
  }

  /** What is held back, as it will be sent. */
  get held (): readonly Alert[] {
    return [...[...this.#failures.values()].map(({ alert }) => alert), ...this.#incidents.held]
  }

  /** @returns what to send now */
  take (alert: Alert): Alert[] {
    const at = this.#steady()
    const { type, printer } = alert
    if (type === 'hms_error_new' && errorsOf(alert).length > 0) return this.#takeFaults(alert, at)
    if (type === 'job_failed') return this.#takeFailure(alert, at)
    const subject = subjectOf(alert)
    if (subject === undefined) return [alert]
    // Resuming belongs to the pause: a loop of both is one incident.
    if (type === 'job_resumed' && this.#incidents.join(this.#pauses.get(printer) ?? '', alert, at)) return []
    const key = `${printer}\n${type}\n${subject}`
    if (type === 'job_paused') this.#pauses.set(printer, key)
    return this.#incidents.take(key, alert, at) ? [alert] : []
  }

  /** What was held back long enough. @param isLast returns everything held back */
  due (isLast = false): Alert[] {
    const at = this.#steady()
    return [...this.#dueFailures(at, isLast), ...this.#incidents.due(at, isLast)]
  }

  #takeFaults (alert: Alert, at: number): Alert[] {
    const withErrors = (errors: Errors): Alert => ({ ...alert, payload: { ...alert.payload, errors } })
    const fresh = errorsOf(alert).filter(error =>
      this.#incidents.take(`${alert.printer}\nfault\n${String(error.code)}`, withErrors([error]), at))
    return fresh.length === 0 ? [] : [withErrors(fresh)]
  }

  #takeFailure (alert: Alert, at: number): Alert[] {
    const earlier = this.#failures.get(alert.printer)?.alert
    this.#failures.delete(alert.printer)
    // A printer that refuses a start fails twice within a moment: that is a failure of its own.
    const told = earlier === undefined || corrects(alert, earlier) ? [] : [earlier]
    if (isCancelled(alert)) return [...told, alert]
    this.#failures.set(alert.printer, { alert, dueAt: at + MAY_BE_CANCELLED_MS })
    return told
  }

  #dueFailures (at: number, isLast: boolean): Alert[] {
    const due = [...this.#failures].filter(([, { dueAt }]) => isLast || at >= dueAt)
    for (const [printer] of due) this.#failures.delete(printer)
    return due.map(([, { alert }]) => alert)
  }
}
