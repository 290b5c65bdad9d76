import { atTarget } from './heat.js'
import { activeExtruder, extruderFor, isHolder, nozzleC, trayOf } from './slots.js'
import { startSwitch } from './tools.js'
import type { Change, ChangeStep, Extruder, Machine, Slot } from './types.js'

/** Sub-status of `ams_status` while filament changes. */
const SUB = { HEAT: 2, CUT: 3, PULL: 4, PUSH: 6, PURGE: 7 } as const
const MAIN = { CHANGE: 1, IDENTIFY: 2, ASSIST: 3 } as const

export const STAGE = { CHANGING: 4, UNLOADING: 22, LOADING: 24 } as const

const FROM_UNIT: readonly ChangeStep[] = [
  { sub: SUB.HEAT, ms: 2000 },
  { sub: SUB.CUT, ms: 3000 },
  { sub: SUB.PULL, ms: 5000 },
  { sub: SUB.PUSH, ms: 6000 },
  { sub: SUB.PURGE, ms: 8000 }
]
const FROM_HOLDER = FROM_UNIT.filter(({ sub }) => sub !== SUB.CUT && sub !== SUB.PULL)
const UNLOAD = FROM_UNIT.filter(({ sub }) => sub <= SUB.PULL)

/** Upper limit for heating, which may take longer than its step. */
const LONGEST_HEATING_MS = 120_000

interface Plan {
  readonly kind: Change['kind']
  readonly extruder: Extruder
  readonly to: Slot | undefined
  readonly temp: number
  readonly stage: number
}

function begin (m: Machine, { kind, extruder, to, temp, stage }: Plan): void {
  const steps = kind === 'unload' ? UNLOAD : to !== undefined && isHolder(to) ? FROM_HOLDER : FROM_UNIT
  m.ams.change = {
    kind,
    extruder: extruder.id,
    to,
    temp,
    stage,
    steps,
    at: 0,
    leftMs: steps[0]?.ms ?? 0,
    paused: false,
    targetBefore: extruder.heater.target
  }
  extruder.heater.target = Math.min(m.traits.limits.nozzle, Math.max(extruder.heater.target, temp))
}

/** Starts to load; the tool that the slot feeds comes into use. `temp` 0 lets the printer choose. */
export function startLoad (m: Machine, to: Slot, temp = 0, stage: number = STAGE.LOADING): void {
  const extruder = extruderFor(m, to)
  startSwitch(m, extruder.id)
  begin(m, { kind: 'load', extruder, to, temp: temp > 0 ? temp : nozzleC(trayOf(m, to)), stage })
}

/** Starts to unload what is in the tool that `from` feeds, or in the tool in use. */
export function startUnload (m: Machine, from: Slot | undefined, temp = 0): void {
  const extruder = from === undefined ? activeExtruder(m) : extruderFor(m, from)
  const current = extruder.loaded === undefined ? undefined : trayOf(m, extruder.loaded)
  begin(m, {
    kind: 'unload',
    extruder,
    to: undefined,
    temp: temp > 0 ? temp : nozzleC(current),
    stage: STAGE.UNLOADING
  })
}

const isPrinting = ({ job }: Machine): boolean => job.state === 'RUNNING' || job.state === 'PAUSE'

/** Aborts a change at its current step; loaded filament stays. */
export function abortChange (m: Machine): void {
  const change = m.ams.change
  const extruder = m.extruders[change?.extruder ?? 0]
  if (change === undefined || extruder === undefined) return
  if (!isPrinting(m)) extruder.heater.target = change.targetBefore
  m.ams.change = undefined
}

function complete (m: Machine, change: Change): void {
  const extruder = m.extruders[change.extruder]
  if (extruder !== undefined) {
    extruder.previous = extruder.loaded
    extruder.loaded = change.to
  }
  m.ams.version++
  abortChange(m)
}

function isReady (m: Machine, change: Change): boolean {
  const heater = m.extruders[change.extruder]?.heater
  if (change.steps[change.at]?.sub !== SUB.HEAT || heater === undefined) return true
  return atTarget({ actual: heater.actual, target: change.temp }) || change.leftMs < -LONGEST_HEATING_MS
}

export function stepChange (m: Machine, ms: number): void {
  const change = m.ams.change
  if (change === undefined || change.paused) return
  change.leftMs -= ms
  if (change.leftMs > 0 || !isReady(m, change)) return
  change.at++
  const next = change.steps[change.at]
  if (next === undefined) complete(m, change)
  else change.leftMs = next.ms
}

/** Skips to the end of the step at hand, as a user's confirmation does. */
export function confirmStep (m: Machine): void {
  const change = m.ams.change
  if (change !== undefined && change.steps[change.at]?.sub !== SUB.HEAT) change.leftMs = 0
}

/** `ams_status`: main code in the upper byte, step in the lower. */
export function amsStatus (m: Machine): number {
  const { change, scan } = m.ams
  if (change !== undefined) return MAIN.CHANGE * 256 + (change.steps[change.at]?.sub ?? 0)
  if (scan !== undefined) return MAIN.IDENTIFY * 256
  const loaded = activeExtruder(m).loaded
  return loaded !== undefined && !isHolder(loaded) ? MAIN.ASSIST * 256 : 0
}
