import type { Alert } from '../alerts/index.js'
import { endOf, isWithin, type WallClock } from './hours.js'
import type { Rule } from './options.js'

const RANKS = { high: 2, medium: 1, low: 0 } as const
const MINUTE_MS = 60_000
/** Bounds the memory for printers that report ever new codes. */
const MOST_REMEMBERED = 4_096

/** Rules for failures also apply to cancelled jobs, for compatibility. */
const OF_FAILURES: Readonly<Record<string, string>> = { job_cancelled: 'job_failed' }

/** An alert without codes has a single empty one. */
type Subject = Pick<Alert, 'type' | 'printer'> & Partial<Pick<Alert, 'severity'>> & { readonly codes: readonly string[] }

type Errors = readonly { readonly code?: unknown }[]
const errorsOf = ({ payload: { errors } }: Alert): Errors => Array.isArray(errors) ? errors as Errors : []

const subjectOf = (alert: Alert): Subject => {
  const { type, printer, severity, payload } = alert
  const codes = [...errorsOf(alert).map(({ code }) => code), payload.code].filter(code => typeof code === 'string')
  const isCancelled = type === 'job_failed' && payload.cancelled === true
  return { type: isCancelled ? 'job_cancelled' : type, printer, severity, codes: codes.length === 0 ? [''] : codes }
}

/** Ignores the separators of a code. @param pattern may contain `*` */
function matches (pattern: string, code: string): boolean {
  const bare = (text: string) => text.toUpperCase().replace(/^HMS[_-]/, '').replaceAll(/[_-]/g, '')
  const parts = bare(pattern).split('*')
  return new RegExp(`^${parts.join('.*')}$`).test(bare(code))
}

const hasCode = ({ codes: wanted }: Rule, code: string): boolean =>
  wanted === undefined || wanted.some(pattern => matches(pattern, code))

function applies (rule: Rule, subject: Subject): boolean {
  const { alerts, printers, severity } = rule
  if (!subject.codes.some(code => hasCode(rule, code))) return false
  if (!alerts.some(wanted => wanted === '*' || wanted === subject.type || wanted === OF_FAILURES[subject.type])) return false
  if (printers !== undefined && !printers.includes(subject.printer)) return false
  return subject.severity === undefined || RANKS[subject.severity] >= RANKS[severity]
}

function isTime ({ hours, days }: Rule, clock: WallClock, now: number): boolean {
  if (hours === undefined && days === undefined) return true
  const time = clock(now)
  return (hours === undefined || isWithin(hours, time)) && (days === undefined || days.includes(time.day))
}

/** One message to send because of a rule. */
export interface Dispatch {
  readonly rule: Rule
  readonly target: string
  /** Earliest time to send it, ms since the epoch. */
  readonly dueAt: number
}

/** Recordings have types of alerts, but no codes. */
function isForClip ({ codes: _, ...rule }: Rule, type: string, printer: string): boolean {
  return applies(rule, { type, printer, codes: [''] })
}

export interface RouterOptions {
  readonly rules: readonly Rule[]
  readonly quiet: string | undefined
  readonly clock: WallClock
  readonly now: () => number
}

/** Decides what is sent where; remembers when, for rules with a limit. */
export function createRouter ({ rules, quiet, clock, now }: RouterOptions) {
  const sent = new Map<string, number>()

  /** Whether the rule's limit permits a message for one of the codes; if so, they count as sent. */
  const isDue = (rule: Rule, subject: Subject, at: number): boolean =>
    rule.everyMinutes === 0 || subject.codes.map(code => isCodeDue(rule, subject, code, at)).includes(true)

  function isCodeDue (rule: Rule, { type, printer }: Subject, code: string, at: number): boolean {
    const key = `${rules.indexOf(rule)}\n${printer}\n${type}\n${code}`
    if (at - (sent.get(key) ?? -Infinity) < rule.everyMinutes * MINUTE_MS) return false
    sent.delete(key)
    sent.set(key, at)
    const [oldest = key] = sent.keys()
    if (sent.size > MOST_REMEMBERED) sent.delete(oldest)
    return true
  }

  /** One message per target, by the first rule that names it. */
  function dispatches (chosen: readonly Rule[], at: number): Dispatch[] {
    const found = new Map<string, Dispatch>()
    for (const rule of chosen) {
      const dueAt = quiet === undefined || rule.urgent ? at : endOf(quiet, clock, at)
      for (const target of rule.to) if (!found.has(target)) found.set(target, { rule, target, dueAt })
    }
    return [...found.values()]
  }

  return {
    /** The alert without ignored faults; undefined if nothing is left. */
    withoutIgnored (alert: Alert): Alert | undefined {
      const at = now()
      const subject = subjectOf(alert)
      const isIgnored = (code: string) => rules.some(rule =>
        rule.ignore && isTime(rule, clock, at) && applies(rule, { ...subject, codes: [code] }))
      const errors = errorsOf(alert)
      if (errors.length === 0) return subject.codes.every(isIgnored) ? undefined : alert
      const left = errors.filter(({ code }) => !isIgnored(String(code)))
      if (left.length === errors.length) return alert
      return left.length === 0 ? undefined : { ...alert, payload: { ...alert.payload, errors: left } }
    },
    ofAlert (alert: Alert): Dispatch[] {
      const at = now()
      const subject = subjectOf(alert)
      return dispatches(rules.filter(rule =>
        !rule.ignore && applies(rule, subject) && isTime(rule, clock, at) && isDue(rule, subject, at)), at)
    },
    /** For a recording of one or more alerts. */
    ofClip (printer: string, types: readonly string[]): Dispatch[] {
      const at = now()
      return dispatches(rules.filter(rule => rule.attach === 'clip' && isTime(rule, clock, at) &&
        types.some(type => isForClip(rule, type, printer))), at)
    }
  }
}
