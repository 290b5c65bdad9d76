import type { Extruder, Heater, Machine } from './types.js'

interface Rates {
  /** °C per second while heating. */
  readonly up: number
  /** Share of the distance to the surroundings that is lost per second. */
  readonly down: number
}

const NOZZLE: Rates = { up: 5, down: 0.012 }
const BED: Rates = { up: 1.5, down: 0.004 }
const CHAMBER: Rates = { up: 0.2, down: 0.003 }
export const ROOM_C = 25
/** A chamber without a heater of its own follows the bed by this share. */
const BED_TO_CHAMBER = 0.2

/** A tool that is not printing is cooled to this after a while, on dual printers. */
const PARKED_C = 38
const PARKED_AFTER_MS = 170_000

const toward = (heater: Heater, seconds: number, rates: Rates, floor: number): void => {
  if (heater.actual < heater.target) {
    heater.actual = Math.min(heater.target, heater.actual + rates.up * seconds)
    return
  }
  const lowest = Math.max(heater.target, floor)
  if (heater.actual <= lowest) return
  const cooled = floor + (heater.actual - floor) * Math.exp(-rates.down * seconds)
  heater.actual = Math.max(lowest, cooled)
}

export const clampTarget = (celsius: number, highest: number): number =>
  Math.min(highest, Math.max(0, Math.round(celsius)))

export const atTarget = (heater: Heater, within = 3): boolean => heater.actual >= heater.target - within

const isIdle = ({ job }: Machine): boolean => ['IDLE', 'FINISH', 'FAILED'].includes(job.state)

function park (m: Machine, extruder: Extruder, ms: number): void {
  const resting = isIdle(m) && m.ams.change === undefined && extruder.heater.target > PARKED_C
  extruder.idleHotMs = resting ? extruder.idleHotMs + ms : 0
  if (extruder.idleHotMs < PARKED_AFTER_MS) return
  extruder.heater.target = PARKED_C
  extruder.idleHotMs = 0
}

function stepChamber (m: Machine, seconds: number): void {
  const passive = ROOM_C + Math.max(0, m.bed.actual - ROOM_C) * BED_TO_CHAMBER
  const goal = Math.max(m.chamber.target, passive)
  if (m.chamber.actual < goal) m.chamber.actual = Math.min(goal, m.chamber.actual + CHAMBER.up * seconds)
  else toward(m.chamber, seconds, CHAMBER, Math.min(goal, m.chamber.actual))
}

/** Temperatures move toward their targets, or back to the room. */
export function stepHeat (m: Machine, ms: number): void {
  const seconds = ms / 1000
  for (const extruder of m.extruders) {
    toward(extruder.heater, seconds, NOZZLE, ROOM_C)
    if (m.traits.extruders === 2) park(m, extruder, ms)
  }
  toward(m.bed, seconds, BED, ROOM_C)
  if (m.traits.chamber !== 'none') stepChamber(m, seconds)
}

/** Whether anything is heated. */
export const isHeating = (m: Machine): boolean =>
  m.bed.target > 0 || m.chamber.target > 0 || m.extruders.some(({ heater }) => heater.target > 0)
