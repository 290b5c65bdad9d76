import { Cron } from 'croner'
import type { RuleIndex } from './rule-index.js'
import { nextSunTime, type Place } from './sun.js'
import type { Rule, Trigger } from '../types.js'

/** Later than this, a time was missed: the service was off, or held up. */
export const LATE_MS = 120_000

export interface ScheduleOptions {
  readonly place: Place | undefined
  /** Zone of rules that name none. */
  readonly timeZone: string | undefined
}

type Timed = Extract<Trigger, { kind: 'time' | 'sun' }>

/** @returns what finds the next time after one @throws Error for a pattern or zone that cannot be read */
function finder (trigger: Timed, { place, timeZone }: ScheduleOptions): (after: number) => number | undefined {
  if (trigger.kind === 'sun') {
    const event = trigger.event === 'sunset' ? 'sunset' : 'sunrise'
    return after => place && nextSunTime(event, (trigger.offset_min ?? 0) * 60_000, after, place)
  }
  const zone = trigger.zone ?? timeZone
  // Five parts: a minute is the shortest interval.
  const cron = new Cron(trigger.cron, { mode: '5-part', paused: true, ...(zone !== undefined && { timezone: zone }) })
  return after => cron.nextRun(new Date(after))?.getTime()
}

/** @throws Error for a pattern or zone that cannot be read */
export const nextTime = (trigger: Timed, after: number, options: ScheduleOptions): number | undefined =>
  finder(trigger, options)(after)

/** The first times between two. */
export function timesBetween (trigger: Timed, from: number, to: number, most: number,
  options: ScheduleOptions): number[] {
  const next = finder(trigger, options)
  const times: number[] = []
  for (let at = next(from); at !== undefined && at <= to && times.length < most; at = next(at)) times.push(at)
  return times
}

/** The same for all services; a rule with two such triggers at one time runs once. */
export const timeKey = (at: number): string => `time:${at}`

interface Entry { readonly rule: Rule, readonly trigger: Timed, readonly key: string, next: number | undefined }

export interface Due { readonly rule: Rule, readonly at: number, readonly isLate: boolean }

/** The next times of rules, and those that were missed. */
export class Schedules {
  readonly #options: ScheduleOptions
  #entries: Entry[] = []
  #earliest = Infinity

  constructor (options: ScheduleOptions) { this.#options = options }

  /** Equal schedules are computed once, and those that stay keep their next time: it takes a millisecond each. */
  use ({ times }: RuleIndex, now: number): void {
    const known = new Map(this.#entries.map(({ key, next }) => [key, next]))
    this.#entries = times.map(({ rule, trigger }) => {
      const key = JSON.stringify(trigger)
      if (!known.has(key)) known.set(key, this.#next(trigger, now))
      return { rule, trigger, key, next: known.get(key) }
    })
    this.#refresh()
  }

  /** Times between the last look at the clock and now, one of each rule. */
  missed (since: number, now: number): Due[] {
    return this.#entries.flatMap(({ rule, trigger }) => {
      const from = Math.max(since, rule.armedAt)
      const at = this.#next(trigger, from)
      return at !== undefined && at < now - LATE_MS ? [{ rule, at, isLate: true }] : []
    })
  }

  due (now: number): Due[] {
    if (now < this.#earliest) return []
    const due: Due[] = []
    const nexts = new Map<string, number | undefined>()
    for (const entry of this.#entries) {
      const { rule, trigger, key, next: at } = entry
      if (at === undefined || at > now) continue
      due.push({ rule, at, isLate: now - at > LATE_MS })
      if (!nexts.has(key)) nexts.set(key, this.#next(trigger, now))
      entry.next = nexts.get(key)
    }
    this.#refresh()
    return due
  }

  /** The next time of each rule that has one. */
  nexts (): ReadonlyMap<string, number> {
    const nexts = new Map<string, number>()
    for (const { rule: { id }, next } of this.#entries) {
      if (next !== undefined) nexts.set(id, Math.min(next, nexts.get(id) ?? Infinity))
    }
    return nexts
  }

  #next (trigger: Timed, after: number): number | undefined {
    try {
      return nextTime(trigger, after, this.#options)
    } catch {
      return undefined // a zone that this computer does not know
    }
  }

  #refresh (): void {
    this.#earliest = this.#entries.reduce((least, { next }) => Math.min(least, next ?? Infinity), Infinity)
  }
}
