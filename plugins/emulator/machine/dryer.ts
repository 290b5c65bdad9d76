import { ROOM_C } from './heat.js'
import { feeds } from './slots.js'
import { DRY, type Dryer, type Machine, type Unit } from './types.js'

const CHECK_MS = 2000
const STOP_MS = 2000
const COOL_MS = 20_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** °C per second, and percent of humidity per second. */
const HEAT_RATE = 0.05
const COOL_SHARE = 0.002
const DRY_RATE = 0.002
const DRIEST_PCT = 10

/** Why a unit cannot start to dry. */
const REASON = { BUSY: 2, OUTLET: 3, STARTING: 4, RUNNING: 6 } as const

export const idleDryer = (): Dryer =>
  ({ state: DRY.OFF, leftMs: 0, dryMs: 0, hours: -1, temp: -1, filament: '' })

export const isDrying = ({ dryer }: Unit): boolean =>
  dryer.state === DRY.CHECKING || dryer.state === DRY.DRYING

export function startDrying ({ dryer }: Unit, temp: number, hours: number, filament: string): void {
  const start = { state: DRY.CHECKING, leftMs: CHECK_MS, dryMs: hours * HOUR_MS }
  Object.assign(dryer, { ...start, hours, temp, filament })
}

export function stopDrying (unit: Unit): void {
  if (!isDrying(unit)) return
  Object.assign(unit.dryer, { ...idleDryer(), state: DRY.STOPPING, leftMs: STOP_MS })
}

/** Remaining minutes in the report. */
export const minutesLeft = (unit: Unit): number =>
  isDrying(unit) ? Math.ceil(unit.dryer.dryMs / MINUTE_MS) : 0

/** `dry_sf_reason`: empty when it may start. */
export function dryObstacles (m: Machine, unit: Unit): number[] {
  if (unit.dryer.state === DRY.CHECKING) return [REASON.STARTING]
  if (unit.dryer.state === DRY.DRYING) return [REASON.RUNNING]
  const busy = m.ams.change !== undefined || m.ams.scan?.slot.ams === unit.id
  return [...(busy ? [REASON.BUSY] : []), ...(feeds(m, unit) ? [REASON.OUTLET] : [])]
}

const NEXT: Readonly<Record<number, (dryer: Dryer) => void>> = {
  [DRY.CHECKING]: dryer => { dryer.state = DRY.DRYING },
  [DRY.DRYING]: dryer => Object.assign(dryer, { ...idleDryer(), state: DRY.COOLING, leftMs: COOL_MS }),
  [DRY.STOPPING]: dryer => Object.assign(dryer, { state: DRY.COOLING, leftMs: COOL_MS }),
  [DRY.COOLING]: dryer => { dryer.state = DRY.OFF }
}

function stepState (dryer: Dryer, ms: number): void {
  if (dryer.state === DRY.DRYING) dryer.dryMs -= ms
  else dryer.leftMs -= ms
  if ((dryer.state === DRY.DRYING ? dryer.dryMs : dryer.leftMs) <= 0) NEXT[dryer.state]?.(dryer)
}

function stepAir (unit: Unit, seconds: number): void {
  if (unit.dryer.state !== DRY.DRYING) {
    unit.temp = ROOM_C + (unit.temp - ROOM_C) * Math.exp(-COOL_SHARE * seconds)
    return
  }
  unit.temp = Math.min(unit.dryer.temp, unit.temp + HEAT_RATE * seconds)
  unit.humidityPct = Math.max(DRIEST_PCT, unit.humidityPct - DRY_RATE * seconds)
}

export function stepDryers (m: Machine, ms: number): void {
  for (const unit of m.ams.units) {
    if (unit.dryer.state !== DRY.OFF) stepState(unit.dryer, ms)
    stepAir(unit, ms / 1000)
  }
}
