import { isDrying, startDrying, stopDrying } from '../machine/dryer.js'
import { REFUSED_OUTLET, unitError } from '../machine/errors.js'
import { isPrinting } from '../machine/job.js'
import { feeds, unitOf } from '../machine/slots.js'
import type { Machine, Unit } from '../machine/types.js'
import { AMS_FACTS } from '../models/ams.data.js'
import { isVersionAtLeast } from '../version.js'
import { integer, number, text } from '../request.js'
import { done, outOfRange, refused, type Body, type Handlers, type Reply } from './reply.js'

const MODE = { STOP: 0, START: 1 } as const
/** Lower half of a unit's refusal. */
const BUSY = { SCANNING: 0xC06A, CHANGING: 0xC06B, ASSISTING: 0xC06C } as const

function busyWith (m: Machine, unit: Unit): number | undefined {
  if (m.ams.scan?.slot.ams === unit.id) return BUSY.SCANNING
  if (m.ams.change !== undefined) return BUSY.CHANGING
  return isPrinting(m) && feeds(m, unit) ? BUSY.ASSISTING : undefined
}

function obstacle (m: Machine, unit: Unit): number | undefined {
  const busy = busyWith(m, unit)
  if (busy !== undefined) return unitError({ ams: unit.id, slot: 0 }, busy)
  return feeds(m, unit) ? REFUSED_OUTLET : undefined
}

function start (m: Machine, unit: Unit, body: Body): Reply {
  const range = AMS_FACTS[unit.kind].dry
  const [temp, hours, filament] = [number(body.temp), number(body.duration), text(body.filament) ?? '']
  if (range === undefined || temp === undefined || temp < range.min || temp > range.max) return outOfRange()
  if (hours === undefined || hours <= 0) return outOfRange()
  if (filament === '' && m.traits.modern) return refused({ reason: 'invalid filament' })
  if (typeof body.close_power_conflict !== 'boolean' && m.traits.modern) return refused({ reason: 'invalid parameter' })
  const error = obstacle(m, unit)
  if (error !== undefined) return refused({ err_code: error })
  if (!isDrying(unit)) startDrying(unit, temp, hours, filament)
  return done()
}

/** A P1 accepts the command even when the unit cannot dry, without effect. */
const cannotDry = (m: Machine): Reply =>
  m.traits.series === 'P1' ? done() : refused({ reason: 'not supported' })

function drying (m: Machine, body: Body): Reply | undefined {
  if (!isVersionAtLeast(m.firmware, m.traits.gates.amsClimate)) return undefined
  const unit = unitOf(m, integer(body.ams_id) ?? -1)
  if (unit === undefined) return refused({ reason: 'invalid ams_id' })
  if (AMS_FACTS[unit.kind].dry === undefined) return cannotDry(m)
  const mode = integer(body.mode)
  if (mode === MODE.START) return start(m, unit, body)
  if (mode !== MODE.STOP) return refused({ reason: 'invalid mode' })
  stopDrying(unit)
  return done()
}

function stopAll (m: Machine): Reply {
  for (const unit of m.ams.units) stopDrying(unit)
  return done()
}

export const dryer: Handlers = { ams_filament_drying: drying, auto_stop_ams_dry: stopAll }
