import { startUnload } from '../machine/filament-change.js'
import { isBusy, pauseJob, resumeJob, SPEED_PCT, startJob, stopJob } from '../machine/job.js'
import { getBit, setField, setHomeBit } from '../machine/bit-fields.js'
import { integer, text } from '../request.js'
import { done, doneQuietly, refused, acknowledged, type Body, type Handlers, type Reply } from './reply.js'
import type { Machine, Stage } from '../machine/types.js'

const SPEED_BIT = 8

/** `spd_lvl` follows at any time; the profile holds for the next job too. */
function printSpeed (m: Machine, { param }: Body): Reply {
  const level = integer(param)
  if (level === undefined || SPEED_PCT[level] === undefined) return refused({ reason: 'invalid speed' })
  m.job.speed = level
  setField(m, 'cfg', SPEED_BIT, 3, level)
  return done()
}

/** Unknown objects are ignored. */
function skipObjects (m: Machine, { obj_list: list }: Body): Reply {
  if (!Array.isArray(list) || !['RUNNING', 'PAUSE'].includes(m.job.state)) return refused()
  const ids = list.map(integer).filter(id => id !== undefined)
  const known = m.job.objects.length === 0 ? ids : ids.filter(id => m.job.objects.includes(id))
  m.job.skipped = [...new Set([...m.job.skipped, ...known])]
  return done()
}

/** An error number other than the one shown clears nothing; 0 or none clears any. */
function clearError (m: Machine, { print_error: wanted }: Body): Reply {
  const number = integer(wanted) ?? 0
  if (number === 0 || number === m.printError) m.printError = 0
  return done()
}

/** Calibration steps by option bit, with their stages. */
const CALIBRATIONS: readonly Stage[] = [
  { code: 12, ms: 20_000 },
  { code: 1, ms: 30_000 },
  { code: 3, ms: 30_000 },
  { code: 25, ms: 30_000 },
  { code: 39, ms: 30_000 },
  { code: 40, ms: 60_000 },
  { code: 65, ms: 20_000 }
]

const calibrationStages = (option: number): Stage[] =>
  CALIBRATIONS.filter((_, bit) => ((option >> bit) & 1) === 1)

function calibration (m: Machine, { option }: Body): Reply {
  const stages = calibrationStages(integer(option) ?? 0)
  if (isBusy(m) || stages.length === 0) return refused()
  startJob(m, { name: 'auto_cali', minutes: 0, layers: 0, stages: [{ code: 13, ms: 5000 }, ...stages] })
  return done()
}

function gcodeFile (m: Machine, { param }: Body): Reply {
  const path = text(param)
  if (path === undefined || isBusy(m)) return refused()
  startJob(m, { name: path.split('/').at(-1)?.replace(/\.gcode$/, '') ?? path, file: path })
  return done()
}

/** Bits of `fun` for moves with a dedicated command. */
const HOME_BIT = 32
const JOG_BIT = 38

function home (m: Machine): Reply | undefined {
  if (!getBit(m, 'fun', HOME_BIT)) return undefined
  for (const axis of [0, 1, 2]) setHomeBit(m, axis, true)
  return doneQuietly()
}

const jog = (m: Machine): Reply | undefined => getBit(m, 'fun', JOG_BIT) ? doneQuietly() : undefined

/** Ignores the warning of the printer from now on, and resumes the job. */
function carryOn (m: Machine): Reply {
  resumeJob(m)
  return done()
}

/** Printers with two tools do not have this command. */
function unloadOld (m: Machine): Reply | undefined {
  if (m.traits.extruders === 2) return undefined
  if (isBusy(m) && m.job.state !== 'PAUSE') return refused()
  startUnload(m, undefined)
  return done()
}

export const job: Handlers = {
  pause: m => { pauseJob(m); return done() },
  resume: carryOn,
  ignore: carryOn,
  stop: m => { stopJob(m); return done() },
  print_speed: printSpeed,
  skip_objects: skipObjects,
  clean_print_error: clearError,
  idle_ignore: clearIdle,
  calibration,
  gcode_file: gcodeFile,
  back_to_center: home,
  xyz_ctrl: jog,
  set_extrusion_length: jog,
  buzzer_ctrl: acknowledged,
  close_air_filt: acknowledged,
  unload_filament: unloadOld
}

function clearIdle (m: Machine): Reply {
  if (!isBusy(m)) m.printError = 0
  return done()
}
