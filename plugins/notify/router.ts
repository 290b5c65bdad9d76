import type { Alert } from '../alerts/index.js'
import { endOf, isWithin, type WallClock } from './hours.js'
import type { Rule } from './options.js'

const RANKS = { high: 2, medium: 1, low: 0 } as const
const MINUTE_MS = 60_000
/** Bounds the memory for printers that keep inventing types. */
const MOST_REMEMBERED = 4_096

/** A job that a person ended is told of by rules for failures too, as it always was. */
const OF_FAILURES: Readonly<Record<string, string>> = { job_cancelled: 'job_failed' }

/** An alert without codes has one that is empty. */
type Subject = Pick<Alert, 'type' | 'printer'> & Partial<Pick<Alert, 'severity'>> & { readonly codes: readonly string[] }

type Errors = readonly { readonly code?: unknown }[]
const errorsOf = ({ payload: { errors } }: Alert): Errors => Array.isArray(errors) ? errors as Errors : []

const subjectOf = (alert: Alert): Subject => {
  const { type, printer, severity, payload } = alert
  const codes = [...errorsOf(alert).map(({ code }) => code), payload.code].filter(code => typeof code === 'string')
  const isCancelled = type === 'job_failed' && payload.cancelled === true
  return { type: isCancelled ? 'job_cancelled' : type, printer, severity, codes: codes.length === 0 ? [''] : codes }
}

/** Digits alone, so that it does not matter how a code is written. @param pattern may hold `*` */
function matches (pattern: string, code: string): boolean {
  const bare = (text: string) => text.toUpperCase().replace(/^HMS[_-]/, '').replaceAll(/[_-]/g, '')
  const parts = bare(pattern).split('*')
  return new RegExp(`^${parts.join('.*')}$`).test(bare(code))
}

const hasCode = ({ codes: wanted }: Rule, code: string): boolean =>
  wanted === undefined || wanted.some(pattern => matches(pattern, code))

function isMeant (rule: Rule, subject: Subject): boolean {
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

/** One message that a rule asks for. */
export interface Errand {
  readonly rule: Rule
  readonly target: string
  /** When it may be sent, ms. */
  readonly dueAt: number
}

/** What was recorded names types of alerts, and no codes. */
function isForClip ({ codes: _, ...rule }: Rule, type: string, printer: string): boolean {
  return isMeant(rule, { type, printer, codes: [''] })
}

export interface RouterOptions {
  readonly rules: readonly Rule[]
  readonly quiet: string | undefined
  readonly clock: WallClock
  readonly now: () => number
}

/** Decides what is sent where; remembers what was sent when, for rules that limit it. */
export function createRouter ({ rules, quiet, clock, now }: RouterOptions) {
  const sent = new Map<string, number>()

  /** Whether it is not too early for another one of its codes; then it counts as sent. */
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

  /** Each target once; the first rule that asks for it decides. */
  function errands (chosen: readonly Rule[], at: number): Errand[] {
    const found = new Map<string, Errand>()
    for (const rule of chosen) {
      const dueAt = quiet === undefined || rule.urgent ? at : endOf(quiet, clock, at)
      for (const target of rule.to) if (!found.has(target)) found.set(target, { rule, target, dueAt })
    }
    return [...found.values()]
  }

  return {
    /** Without the faults that a rule ignores; undefined where nothing is left to tell. */
    withoutIgnored (alert: Alert): Alert | undefined {
      const at = now()
      const subject = subjectOf(alert)
      const isIgnored = (code: string) => rules.some(rule =>
        rule.ignore && isTime(rule, clock, at) && isMeant(rule, { ...subject, codes: [code] }))
      const errors = errorsOf(alert)
      if (errors.length === 0) return subject.codes.every(isIgnored) ? undefined : alert
      const left = errors.filter(({ code }) => !isIgnored(String(code)))
      if (left.length === errors.length) return alert
      return left.length === 0 ? undefined : { ...alert, payload: { ...alert.payload, errors: left } }
    },
    ofAlert (alert: Alert): Errand[] {
      const at = now()
      const subject = subjectOf(alert)
      return errands(rules.filter(rule =>
        !rule.ignore && isMeant(rule, subject) && isTime(rule, clock, at) && isDue(rule, subject, at)), at)
    },
    /** What a recording of several alerts is sent for. */
    ofClip (printer: string, types: readonly string[]): Errand[] {
      const at = now()
      return errands(rules.filter(rule => rule.attach === 'clip' && isTime(rule, clock, at) &&
        types.some(type => isForClip(rule, type, printer))), at)
    }
  }
}
