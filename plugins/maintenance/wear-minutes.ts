import type { PrinterState } from '../../core/index.js'

const HOT_C = 250
/** A chamber without a heater counts as heated when the bed has warmed it this far. */
const WARM_CHAMBER_C = 45
const MINUTE_MS = 60_000
const MINUTES = 60
/** Hours that wait for the database: a day of outage of a large farm. */
const MOST_HOURS = 10_000

export const KINDS = ['hot', 'chamber', 'drying', 'changes'] as const
export type WearKind = (typeof KINDS)[number]

/** The minutes of an hour, one bit each. */
export type Masks = Readonly<Record<WearKind, bigint>>

export interface WearHour extends Masks {
  readonly serial: string
  /** Since the epoch. */
  readonly hour: number
}

type Reported = Pick<PrinterState, 'heat' | 'extruders' | 'ams' | 'activeTray'>

const isHot = ({ heat, extruders }: Reported): boolean =>
  heat.nozzle.actual >= HOT_C || extruders.some(({ temperature }) => temperature.actual >= HOT_C)

const isChamberWarm = ({ heat: { chamber } }: Reported): boolean =>
  chamber.target > 0 || (chamber.sensor && chamber.actual >= WARM_CHAMBER_C)

const isDrying = ({ ams }: Reported): boolean => ams.units.some(({ dryer }) => dryer?.state === 'DRYING')

/** The spool in a nozzle; undefined during a change. */
const loadedOf = ({ activeTray: { id, amsId, slot, state } }: Reported): string | undefined =>
  state === 'LOADED' && id >= 0 ? `${amsId}.${slot}.${id}` : undefined

interface Hour { readonly serial: string, readonly hour: number, masks: Record<WearKind, bigint>, isChanged: boolean }

/**
 * In which minutes printers were hot, dried or changed their filament. A minute is a bit, so it counts once however
 * often it is reported, and by however many services.
 */
export class WearMinutes {
  readonly #hours = new Map<string, Hour>()
  readonly #loaded = new Map<string, string>()

  /** Takes a report. Called about once a second for each printer. @param at ms since the epoch */
  see (serial: string, state: Reported, at: number): void {
    const changed = this.#changed(serial, state)
    if (isHot(state)) this.#mark(serial, 'hot', at)
    if (isChamberWarm(state)) this.#mark(serial, 'chamber', at)
    if (isDrying(state)) this.#mark(serial, 'drying', at)
    if (changed) this.#mark(serial, 'changes', at)
  }

  /** Hours with minutes that are not stored yet. */
  unstored (): WearHour[] {
    return [...this.#hours.values()].filter(({ isChanged }) => isChanged)
      .map(({ serial, hour, masks }) => ({ serial, hour, ...masks }))
  }

  /** Takes note that these are stored, and forgets what is over. @param now ms since the epoch */
  stored (hours: readonly WearHour[], now: number): void {
    for (const { serial, hour, ...masks } of hours) {
      const known = this.#hours.get(`${serial}:${hour}`)
      if (known && KINDS.every(kind => known.masks[kind] === masks[kind])) known.isChanged = false
    }
    const current = Math.floor(now / MINUTE_MS / MINUTES)
    for (const [key, { hour, isChanged }] of this.#hours) if (!isChanged && hour < current) this.#hours.delete(key)
  }

  #changed (serial: string, state: Reported): boolean {
    const loaded = loadedOf(state)
    const nozzle = `${serial}:${state.activeTray.tool}` // turning to the other nozzle is no change of filament
    const before = this.#loaded.get(nozzle)
    if (loaded === undefined || loaded === before) return false
    this.#loaded.set(nozzle, loaded)
    return before !== undefined
  }

  #mark (serial: string, kind: WearKind, at: number): void {
    const minute = Math.floor(at / MINUTE_MS)
    const hour = Math.floor(minute / MINUTES)
    const known = this.#hourOf(serial, hour)
    const bit = 1n << BigInt(minute % MINUTES)
    if ((known.masks[kind] & bit) !== 0n) return
    known.masks[kind] |= bit
    known.isChanged = true
  }

  #hourOf (serial: string, hour: number): Hour {
    const key = `${serial}:${hour}`
    const known = this.#hours.get(key)
    if (known) return known
    const [oldest] = this.#hours.keys()
    if (this.#hours.size >= MOST_HOURS && oldest !== undefined) this.#hours.delete(oldest)
    const made: Hour = { serial, hour, masks: { hot: 0n, chamber: 0n, drying: 0n, changes: 0n }, isChanged: false }
    this.#hours.set(key, made)
    return made
  }
}

/** How many minutes a mask has. */
export function minutesIn (mask: bigint): number {
  let count = 0
  for (let left = mask; left > 0n; left &= left - 1n) count++
  return count
}
