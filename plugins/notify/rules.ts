import type { Alert } from '../alerts/index.js'
import { endOf, isWithin, type WallClock } from './hours.js'
import type { Rule } from './options.js'

const RANKS = { high: 2, medium: 1, low: 0 } as const
const MINUTE_MS = 60_000
/** Bounds the memory for printers that keep inventing types. */
const MOST_REMEMBERED = 4_096

/** A job that a person ended is told of by rules for failures too, as it always was. */
const OF_FAILURES: Readonly<Record<string, string>> = { job_cancelled: 'job_failed' }

type Subject = Pick<Alert, 'type' | 'printer'> & Partial<Pick<Alert, 'severity'>>

function isMeant ({ alerts, printers, severity }: Rule, subject: Subject): boolean {
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

export interface RouterOptions {
  readonly rules: readonly Rule[]
  readonly quiet: string | undefined
  readonly clock: WallClock
  readonly now: () => number
}

/** Decides what is sent where; remembers what was sent when, for rules that limit it. */
export function createRouter ({ rules, quiet, clock, now }: RouterOptions) {
  const sent = new Map<string, number>()

  /** Whether it is not too early for another one; then it counts as sent. */
  function isDue (rule: Rule, { type, printer }: Subject, at: number): boolean {
    if (rule.everyMinutes === 0) return true
    const key = `${rules.indexOf(rule)}\n${printer}\n${type}`
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
    ofAlert ({ type, printer, severity, payload }: Alert): Errand[] {
      const at = now()
      const alert = { type: type === 'job_failed' && payload.cancelled === true ? 'job_cancelled' : type, printer, severity }
      return errands(rules.filter(rule =>
        isMeant(rule, alert) && isTime(rule, clock, at) && isDue(rule, alert, at)), at)
    },
    /** What a recording of several alerts is sent for. */
    ofClip (printer: string, types: readonly string[]): Errand[] {
      const at = now()
      return errands(rules.filter(rule => rule.attach === 'clip' && isTime(rule, clock, at) &&
        types.some(type => isMeant(rule, { type, printer }))), at)
    }
  }
}
