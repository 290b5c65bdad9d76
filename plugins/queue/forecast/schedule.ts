import { opensAt, type Suitable, type WaitingJob } from '../decide/index.js'
import type { Lane, WaitsFor } from './lanes.js'

/** A copy on the printer where it is expected. Times are ms since the epoch. */
export interface Slot {
  readonly job: string
  readonly name: string
  readonly printer: string
  /** With `waitsFor`: as if that was done now. */
  readonly startsAt: number
  readonly endsAt: number
  readonly waitsFor: WaitsFor | undefined
}

/** What is expected of a job. */
export interface Expected {
  /** Its next copy. */
  readonly next: Slot
  /** Its last copy. */
  readonly last: Slot
}

export interface Schedule {
  readonly expected: ReadonlyMap<string, Expected>
  /** By printer, in order. */
  readonly slots: ReadonlyMap<string, readonly Slot[]>
}

export interface Plannable {
  readonly waiting: WaitingJob
  readonly copies: number
  readonly suitable: readonly Suitable[]
}

/** Plates without an estimate of the slicer. */
const UNKNOWN_SECONDS = 3_600

/** Printers that a person has to repair or resume are used where there is no other. */
const isLastResort = ({ waitsFor }: Lane): boolean => waitsFor === 'printer' || waitsFor === 'resume'

/** The times at which one printer can begin a print. */
class Timetable {
  readonly lane: Lane
  readonly slots: Slot[] = []
  #freeAt: number
  readonly #groups: Map<string, number>
  /** The last answer: most questions are the same again. */
  #known = { at: Number.NaN, start: 0 }

  /** @param groups when each group last started a print */
  constructor (lane: Lane, groups: Map<string, number>) {
    this.lane = lane
    this.#freeAt = lane.freeAt
    this.#groups = groups
    for (const { name, startedAt } of lane.spaced) groups.set(name, Math.max(groups.get(name) ?? 0, startedAt))
  }

  /** @param lastingMs how long the working hours must still last @returns Infinity for never */
  startsAt (notBefore: number, lastingMs: number): number {
    let at = Math.max(this.#freeAt, notBefore)
    for (const { name, spacingMs } of this.lane.spaced) at = Math.max(at, (this.#groups.get(name) ?? 0) + spacingMs)
    if (this.lane.hours.length === 0) return at
    if (lastingMs > 0) return this.#open(at, lastingMs)
    if (this.#known.at !== at) this.#known = { at, start: this.#open(at, 0) }
    return this.#known.start
  }

  #open (from: number, lastingMs: number): number {
    let at = from
    for (const hours of this.lane.hours) at = opensAt(hours, at, Math.ceil(lastingMs / 60_000)) ?? Infinity
    return at
  }

  add (slot: Slot): void {
    this.slots.push(slot)
    this.#freeAt = slot.endsAt
    for (const { name } of this.lane.spaced) this.#groups.set(name, slot.startsAt)
  }
}

/** A printer, and for how long it warms up for one copy and prints it. */
interface Option { readonly table: Timetable, readonly ms: number }

function optionsOf (suitable: readonly Suitable[], tables: ReadonlyMap<string, Timetable>): readonly Option[] {
  const all = suitable.flatMap(({ printer, plate, warmingS }): Option[] => {
    const table = tables.get(printer.serial)
    return table && !table.lane.isAbsent ? [{ table, ms: ((plate.seconds || UNKNOWN_SECONDS) + warmingS) * 1_000 }] : []
  })
  const free = all.filter(({ table }) => !isLastResort(table.lane))
  return free.length > 0 ? free : all
}

function place ({ waiting: { job }, copies }: Plannable, options: readonly Option[]): Expected | undefined {
  let first: Slot | undefined
  let last: Slot | undefined
  for (let copy = 0; copy < copies; copy++) {
    let best: Option | undefined
    let bestAt = Infinity
    for (const option of options) {
      const at = option.table.startsAt(job.notBefore ?? 0, job.needs.endInHours ? option.ms : 0)
      if (at < bestAt) [best, bestAt] = [option, at]
    }
    if (!best) break
    const { table: { lane: { printer, waitsFor } }, ms } = best
    const slot: Slot = { job: job.id, name: job.name, printer, startsAt: bestAt, endsAt: bestAt + ms, waitsFor }
    best.table.add(slot)
    first ??= slot
    if (last === undefined || slot.endsAt > last.endsAt) last = slot
  }
  return first && last && { next: first, last }
}

/**
 * Expects every waiting copy on the suitable printer that is free first, in the order of the queue. Assumes that plates
 * are cleared as soon as prints end.
 */
export function schedule (jobs: Iterable<Plannable>, lanes: ReadonlyMap<string, Lane>): Schedule {
  const groups = new Map<string, number>()
  const tables = new Map([...lanes].map(([serial, lane]) => [serial, new Timetable(lane, groups)]))
  const options = new Map<readonly Suitable[], readonly Option[]>()
  const expected = new Map<string, Expected>()
  for (const job of jobs) {
    const known = options.get(job.suitable) ?? optionsOf(job.suitable, tables)
    options.set(job.suitable, known)
    const found = place(job, known)
    if (found) expected.set(job.waiting.job.id, found)
  }
  return { expected, slots: new Map([...tables.values()].map(({ lane, slots }) => [lane.printer, slots])) }
}
