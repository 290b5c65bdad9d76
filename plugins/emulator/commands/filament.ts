import { abortChange, confirmStep, startLoad, startUnload } from '../machine/filament-change.js'
import { isDrying } from '../machine/dryer.js'
import { REFUSED_DRYING } from '../machine/errors.js'
import { isBusy, resumeJob } from '../machine/job.js'
import { startScan } from '../machine/scan.js'
import {
  isHolder, isHt, isPresent, LEFT_HOLDER, RIGHT_HOLDER, slotOf, trayOf, unitOf
} from '../machine/slots.js'
import type { Machine, Slot } from '../machine/types.js'
import { setSetting } from '../machine/bit-fields.js'
import { isVersionAtLeast } from '../version.js'
import { integer } from '../request.js'
import { done, refused, type Body, type Handlers, type Reply } from './reply.js'

const NONE = 255
const ERRNO = { FAILED: -1, CHAMBER_HOT: -2, UNIT_HOT: -4, DRYING: -9 } as const

/** Filament that a warm chamber or unit would soften, and the limits. */
const SOFT = /^(PLA|TPU|PVA)/
const CHAMBER_SOFT_C = 45
const UNIT_SOFT_C = 50

interface RequestedChange { readonly to: Slot | undefined, readonly from: Slot | undefined }

/** Old firmware named a target only; newer requests name unit and slot, and unload by slot 255. */
function readRequestedChange (body: Body): RequestedChange | undefined {
  const ams = integer(body.ams_id)
  const slot = integer(body.slot_id)
  const target = integer(body.target)
  if (ams === undefined) {
    if (target === undefined) return undefined
    return target === NONE ? { to: undefined, from: undefined } : { to: slotOf(target), from: undefined }
  }
  if (slot === NONE || (slot ?? target) === NONE) return { to: undefined, from: { ams, slot: 0 } }
  if (ams === LEFT_HOLDER || ams === RIGHT_HOLDER) return { to: { ams, slot: 0 }, from: undefined }
  return { to: { ams, slot: isHt(ams) ? 0 : slot ?? 0 }, from: undefined }
}

/** Why the slot's filament cannot be changed now. */
function obstacle (m: Machine, to: Slot): Reply | undefined {
  const unit = unitOf(m, to.ams)
  const soft = SOFT.test(String(trayOf(m, to)?.tray_type ?? ''))
  if (unit !== undefined && isDrying(unit)) return refused({ err_code: REFUSED_DRYING, errno: ERRNO.DRYING })
  if (soft && m.chamber.actual > CHAMBER_SOFT_C) {
    return refused({ errno: ERRNO.CHAMBER_HOT, soft_temp: CHAMBER_SOFT_C })
  }
  if (soft && unit !== undefined && unit.temp > UNIT_SOFT_C) return refused({ errno: ERRNO.UNIT_HOT })
  return undefined
}

const exists = (m: Machine, slot: Slot | undefined): boolean =>
  slot === undefined || isHolder(slot) || unitOf(m, slot.ams) !== undefined

const hasSpool = (m: Machine, slot: Slot): boolean => isHolder(slot) || isPresent(trayOf(m, slot) ?? {})

function unload (m: Machine, body: Body, from: Slot | undefined): Reply {
  const temp = integer(body.curr_temp)
  if (m.traits.series === 'A1' && (temp === undefined || integer(body.tar_temp) === undefined)) {
    return refused({ reason: 'error string' })
  }
  if (!exists(m, from)) return refused({ errno: ERRNO.FAILED })
  startUnload(m, from, temp)
  return done({ errno: 0 })
}

function load (m: Machine, body: Body, to: Slot): Reply {
  if (!exists(m, to) || !hasSpool(m, to)) return refused({ errno: ERRNO.FAILED })
  const reason = obstacle(m, to)
  if (reason !== undefined) return reason
  startLoad(m, to, integer(body.tar_temp))
  return done({ errno: 0 })
}

/** During printing only the job changes filament; during a pause the user may. */
function changeFilament (m: Machine, body: Body): Reply {
  const requested = readRequestedChange(body)
  const isMoving = m.ams.change !== undefined || m.ams.scan !== undefined
  const isPrinting = isBusy(m) && m.job.state !== 'PAUSE'
  if (requested === undefined || isMoving || isPrinting) return refused({ errno: ERRNO.FAILED })
  return requested.to === undefined ? unload(m, body, requested.from) : load(m, body, requested.to)
}

/** A tag can be read while nothing is loaded and the unit has nothing else to do. */
export function canScan (m: Machine, slot: Slot): boolean {
  const unit = unitOf(m, slot.ams)
  const loaded = m.extruders.some(extruder => extruder.loaded !== undefined)
  const free = m.ams.change === undefined && m.ams.scan === undefined && !loaded
  return free && unit !== undefined && !isDrying(unit) && isPresent(trayOf(m, slot) ?? {})
}

function getRfid (m: Machine, body: Body): Reply | undefined {
  if (!isVersionAtLeast(m.firmware, m.traits.gates.rfid)) return undefined
  const slot = { ams: integer(body.ams_id) ?? -1, slot: integer(body.slot_id) ?? -1 }
  if (!canScan(m, slot)) return refused({ errno: ERRNO.FAILED })
  startScan(m, slot)
  return done()
}

const CONTROL: Readonly<Record<string, (m: Machine) => void>> = {
  resume: m => { if (m.ams.change !== undefined) m.ams.change.paused = false },
  pause: m => { if (m.ams.change !== undefined) m.ams.change.paused = true },
  done: m => { confirmStep(m); if (m.job.spent !== undefined) resumeJob(m) },
  abort: abortChange,
  reset: abortChange
}

function control (m: Machine, { param }: Body): Reply {
  const act = typeof param === 'string' && Object.hasOwn(CONTROL, param) ? CONTROL[param] : undefined
  if (act === undefined) return refused({ reason: 'invalid parameter' })
  act(m)
  return done()
}

const READ_AT_INSERT_BIT = 0
const READ_AT_POWER_ON_BIT = 1

function userSetting (m: Machine, body: Body): Reply {
  const { tray_read_option: insert, startup_read_option: start, calibrate_remain_flag: remain } = body
  const unit = integer(body.ams_id) ?? -1
  if (unit >= 0 && unitOf(m, unit) === undefined) return refused()
  if (typeof insert === 'boolean') {
    m.ams.readsOnInsert = insert
    setSetting(m, { cfg: READ_AT_INSERT_BIT }, insert)
  }
  if (typeof start === 'boolean') {
    m.ams.readsAtPowerOn = start
    setSetting(m, { cfg: READ_AT_POWER_ON_BIT }, start)
  }
  if (typeof remain === 'boolean') setSetting(m, { home: 7, cfg: 17 }, remain)
  return done()
}

export const filament: Handlers = {
  ams_change_filament: changeFilament,
  ams_get_rfid: getRfid,
  ams_control: control,
  ams_user_setting: userSetting,
  ams_reset: m => { abortChange(m); m.ams.hung = false; return done() }
}
