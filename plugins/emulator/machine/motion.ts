import type { ModelName } from '../models/traits.js'
import { homeBit, setHomeBit } from './bit-fields.js'
import { isBusy } from './job.js'
import type { Machine, MotionState } from './types.js'

export const AXES = ['X', 'Y', 'Z'] as const
type Axis = (typeof AXES)[number]

/** A printer that has just been switched on does not know where it is. */
export const restingMotion = (): MotionState => ({
  at: { X: 0, Y: 0, Z: 0 },
  isRelative: false,
  isFeedRelative: false,
  hasLimits: true,
  savedLimits: true,
  savedModes: [],
  fedMm: 0,
  feedAt: 0
})

const USUAL = { X: 256, Y: 256, Z: 256 }
const H2D = { X: 350, Y: 320, Z: 325 }
/** How far the axes go, mm. */
const TRAVELS: Readonly<Partial<Record<ModelName, Readonly<Record<Axis, number>>>>> = {
  A1_MINI: { X: 180, Y: 180, Z: 180 },
  H2S: { X: 340, Y: 320, Z: 340 },
  H2D,
  H2D_PRO: H2D,
  X2D: { ...USUAL, Z: 260 }
}
const travelsOf = ({ traits }: Machine): Readonly<Record<Axis, number>> => TRAVELS[traits.model] ?? USUAL
/** Between nozzle and plate after homing, mm. */
const HOMED_Z = 10
/** Firmware moves no filament through a nozzle that is colder. */
const COLDEST_FEED_C = 170
/** Modes that are kept at most: a request could save them without end. */
const MOST_SAVED = 16

/** @param axes to home */
export function homeAxes (m: Machine, axes: readonly Axis[]): void {
  const { X, Y } = travelsOf(m)
  const home: Readonly<Record<Axis, number>> = { X: X / 2, Y: Y / 2, Z: HOMED_Z }
  for (const axis of axes) {
    m.motion.at[axis] = home[axis]
    setHomeBit(m, AXES.indexOf(axis), true)
  }
}

export const releaseAxes = (m: Machine): void => { for (const at of AXES.keys()) setHomeBit(m, at, false) }

/** What a printer that is not homed is told to move is ignored, and so is filament in a cold nozzle. */
export function moveBy (m: Machine, words: Readonly<Partial<Record<string, number>>>): void {
  if (isBusy(m)) return // the job moves it
  const { motion } = m
  for (const [at, axis] of AXES.entries()) {
    const value = words[axis]
    if (value === undefined || !homeBit(m, at)) continue
    const wanted = motion.isRelative ? motion.at[axis] + value : value
    motion.at[axis] = motion.hasLimits ? Math.min(travelsOf(m)[axis], Math.max(0, wanted)) : wanted
  }
  if (words.E !== undefined) feed(m, words.E)
}

function feed (m: Machine, value: number): void {
  const { motion, extruders, tool } = m
  const mm = motion.isFeedRelative || motion.isRelative ? value : value - motion.feedAt
  motion.feedAt += mm
  const heater = extruders[m.traits.extruders === 1 ? 0 : tool.current]?.heater
  if (heater !== undefined && heater.actual >= COLDEST_FEED_C) motion.fedMm += mm
}

/** `S` saves whether moves end at the borders, `R` restores it; an axis with 1 or 0 switches it for all. */
export function setLimits ({ motion }: Machine, words: Readonly<Partial<Record<string, number>>>): void {
  if (words.S !== undefined) motion.savedLimits = motion.hasLimits
  if (words.R !== undefined) motion.hasLimits = motion.savedLimits
  for (const axis of AXES) if (words[axis] !== undefined) motion.hasLimits = words[axis] !== 0
}

export function saveMode ({ motion }: Machine): void {
  if (motion.savedModes.length < MOST_SAVED) motion.savedModes.push(motion.isRelative)
}

export function restoreMode ({ motion }: Machine): void {
  motion.isRelative = motion.savedModes.pop() ?? motion.isRelative
}
