import { STAGE, startLoad, startUnload } from './filament-change.js'
import { ERROR } from './errors.js'
import { atTarget, clampTarget } from './heat.js'
import {
  failJob, finishJob, isBusy, isPrinting, JOB_STAGE, pauseJob, PREPARE_MS, progress, SPEED_PCT
} from './job.js'
import { runOut } from './run-out.js'
import { activeExtruder, bedC, extruderFor, isHolder, isPresent, nozzleC, sameSlot, trayOf } from './slots.js'
import { isSwitching, startSwitch } from './tools.js'
import type { Extruder, Machine, Slot } from './types.js'
import { setHomeBit } from './bit-fields.js'

const PREHEAT = 2
const HOMING = 13
const LONGEST_PREHEAT_MS = 180_000
/** Progress at which a job that fails by itself does so. */
const FAILS_AT = 0.6
const FULL_PCT = 100

/** The filament for the current progress: a job with several uses them in turn, in equal shares. */
function wanted (m: Machine): Slot | undefined {
  const used = m.job.mapping.filter(slot => slot !== undefined)
  return used[Math.min(used.length - 1, Math.floor(progress(m.job) * used.length))]
}

function heatFor (m: Machine): void {
  const slot = wanted(m) ?? activeExtruder(m).loaded
  const tray = slot === undefined ? undefined : trayOf(m, slot)
  const extruder = slot === undefined ? activeExtruder(m) : extruderFor(m, slot)
  extruder.heater.target = clampTarget(nozzleC(tray), m.traits.limits.nozzle)
  m.bed.target = clampTarget(m.job.bedC > 0 ? m.job.bedC : bedC(tray), m.traits.limits.bed)
}

/** Waits for the user with an error about its filament. */
function raiseError (m: Machine, error: number): void {
  m.printError = error
  pauseJob(m, STAGE.CHANGING)
}

function startRunning (m: Machine): void {
  const { job } = m
  if (job.failure !== 0) {
    raiseError(m, job.failure)
    job.failure = 0
    return
  }
  job.state = 'RUNNING'
  job.stage = job.stages[0]?.code ?? JOB_STAGE.PRINTING
  if (job.durationMs > 0) heatFor(m)
}

function prepare (m: Machine, ms: number): void {
  m.job.prepareMs = Math.min(PREPARE_MS, m.job.prepareMs + ms)
  if (m.job.prepareMs >= PREPARE_MS) startRunning(m)
}

function walk (m: Machine, ms: number): void {
  const { job } = m
  const stage = job.stages[job.stageAt]
  job.stageMs += ms
  const heating = stage?.code === PREHEAT && !atTarget(m.bed) && job.stageMs < LONGEST_PREHEAT_MS
  if (stage === undefined || job.stageMs < stage.ms || heating) return
  if (stage.code === HOMING) for (const axis of [0, 1, 2]) setHomeBit(m, axis, true)
  job.stageAt++
  job.stageMs = 0
  job.stage = job.stages[job.stageAt]?.code ?? JOB_STAGE.PRINTING
}

/** Filament on a holder is inserted by hand, after the unit's was retracted. */
function isTakingOver (m: Machine, extruder: Extruder, holder: Slot): boolean {
  const occupied = extruder.loaded !== undefined && !isHolder(extruder.loaded)
  if (occupied) startUnload(m, extruder.loaded)
  else extruder.loaded = holder
  return occupied || isSwitching(m)
}

/** Brings the current filament into the tool; true while that takes time. */
function isFeeding (m: Machine): boolean {
  if (m.ams.change !== undefined || isSwitching(m)) return true
  const slot = wanted(m)
  if (slot === undefined) return false
  const extruder = extruderFor(m, slot)
  startSwitch(m, extruder.id)
  if (sameSlot(extruder.loaded, slot)) return isSwitching(m)
  if (isHolder(slot)) return isTakingOver(m, extruder, slot)
  const tray = trayOf(m, slot)
  if (tray !== undefined && isPresent(tray)) startLoad(m, slot, 0, STAGE.CHANGING)
  else raiseError(m, ERROR.MAPPING)
  return true
}

function lay (m: Machine, ms: number): void {
  const { job } = m
  if (job.elapsedMs === 0) m.fans[1] = FULL_PCT
  job.elapsedMs += ms * (SPEED_PCT[job.speed] ?? FULL_PCT) / FULL_PCT
  const done = progress(job)
  if (job.end === 'fail' && done >= FAILS_AT) failJob(m, ERROR.HOMING_FAILED)
  else if (done * FULL_PCT >= job.runoutAtPct) runOut(m)
  else if (done >= 1) finishJob(m)
}

/** A run without layers is a calibration: it ends with its stages. */
function print (m: Machine, ms: number): void {
  if (m.job.durationMs === 0) finishJob(m)
  else if (!isFeeding(m)) lay(m, ms)
}

export function stepJob (m: Machine, ms: number): void {
  if (!isBusy(m)) return
  if (m.job.state === 'PREPARE') prepare(m, ms)
  else if (isPrinting(m)) print(m, ms)
  else if (m.job.state === 'RUNNING') walk(m, ms)
}
