import { UNITS, type Counters, type Every, type Unit } from './counters.js'

/** `soon` from nine tenths of an interval on. */
export type TaskState = 'ok' | 'soon' | 'due'

const SOON = 0.9
const DAY_MS = 86_400_000

/** When a task was done last, or when its printer was first seen. */
export interface Since {
  /** ms since the epoch. */
  readonly at: number
  readonly counters: Counters
}

export interface Progress {
  readonly unit: Unit
  readonly used: number
  readonly every: number
}

export interface Due {
  readonly state: TaskState
  /** Of the interval that ends first; 1 is due. */
  readonly share: number
  /** Of every interval, the one that ends first first. */
  readonly progress: readonly Progress[]
}

const shareOf = ({ used, every }: Progress): number => used / every

/** A counter that was set back by a person does not go below nothing. */
function usedSince (unit: Unit, now: number, counters: Counters, since: Since): number {
  return Math.max(0, unit === 'days' ? (now - since.at) / DAY_MS : counters[unit] - since.counters[unit])
}

/** How far a task is. Pure; the time is an argument. @param now ms since the epoch */
export function dueOf (every: Every, counters: Counters, since: Since, now: number): Due {
  const progress = UNITS.flatMap((unit): Progress[] => {
    const length = every[unit]
    return length === undefined ? [] : [{ unit, used: usedSince(unit, now, counters, since), every: length }]
  }).sort((a, b) => shareOf(b) - shareOf(a))
  const share = progress[0] === undefined ? 0 : shareOf(progress[0])
  return { state: share >= 1 ? 'due' : share >= SOON ? 'soon' : 'ok', share, progress }
}

/** Printing hours until it is due by them; undefined for a task that no hours make due. */
export function hoursLeft ({ progress }: Due): number | undefined {
  const hours = progress.find(({ unit }) => unit === 'hours')
  return hours && Math.max(0, hours.every - hours.used)
}
