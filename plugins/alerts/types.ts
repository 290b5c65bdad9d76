import type { Fault, PrinterState } from '../../core/index.js'

export const SEVERITIES = ['high', 'medium', 'low'] as const
export type AlertSeverity = (typeof SEVERITIES)[number]

/** An alert in the queue and in messages. */
export interface Alert {
  readonly type: string
  readonly printer: string
  /** ISO 8601 in UTC, to the second. */
  readonly timestamp: string
  readonly severity: AlertSeverity
  readonly payload: Readonly<Record<string, unknown>>
}

export const VERDICTS = ['clean', 'warning', 'critical'] as const
export type HealthVerdict = (typeof VERDICTS)[number]

/** The job monitor's result for a printer. */
export interface Health {
  /** The stable verdict; undefined while there is none, as before a job, in standby or with too few analyses. */
  readonly verdict: HealthVerdict | undefined
  /** Latest anomaly score. */
  readonly score: number
}

/** The input of rules. */
export interface PrinterSnapshot {
  readonly state: PrinterState
  readonly health: Health | undefined
}

/** What a rule found. */
export interface Finding {
  readonly type: string
  readonly severity: AlertSeverity
  readonly payload: Readonly<Record<string, unknown>>
}

export interface RuleContext {
  /** ms of a monotonic clock, for time windows. */
  readonly at: number
  /** Text of a fault by its code. */
  readonly describe: (fault: Fault) => string
  /** The same; for a code without a text, what is known about it. */
  readonly sentence: (fault: Fault) => string
  /** Link to the vendor's explanation. */
  readonly url: (fault: Fault) => string
}

export interface Outcome<M> { readonly findings: readonly Finding[], readonly memory: M }

/** Compares two snapshots of a printer; pure. Its memory is passed in and returned. */
export interface AlertRule<M = unknown> {
  readonly name: string
  readonly initial: M
  /** @returns undefined if nothing was found and the memory is unchanged: the common case, which must be cheap */
  readonly detect: (now: PrinterSnapshot, before: PrinterSnapshot, memory: M, context: RuleContext) =>
    Outcome<M> | undefined
}

export type AnyAlertRule = AlertRule<any>

/** A rule without memory: two states in, a payload or undefined out. */
export interface SimpleRule {
  readonly type: string
  readonly severity: AlertSeverity
  readonly detect: (now: PrinterState, before: PrinterState) => Readonly<Record<string, unknown>> | undefined
}

/** Defines a rule that compares two states. */
export const defineAlert = ({ type, severity, detect }: SimpleRule): AlertRule<undefined> => Object.freeze({
  name: type,
  initial: undefined,
  detect: (now: PrinterSnapshot, before: PrinterSnapshot) => {
    const payload = detect(now.state, before.state)
    return payload === undefined ? undefined : { findings: [{ type, severity, payload }], memory: undefined }
  }
})

/** Defines a rule with a memory, or one that raises several types of alerts. */
export const defineAlertRule = <M>(rule: AlertRule<M>): AlertRule<M> => Object.freeze(rule)
