import { isJson, type Json } from '../json-merge.js'
import { isHt, LEFT_HOLDER, patchTray, RIGHT_HOLDER, slotOf, trayOf } from '../machine/slots.js'
import type { Machine, Profile, Slot } from '../machine/types.js'
import { integer, number, text } from '../request.js'
import { done, refused, type Body, type Handlers, type Reply } from './reply.js'

const FIRST_INDEX = 1
const DEFAULT_K = 0.02

/** `extrusion_cali_sel` counts trays across all units; unit and slot take precedence if they are given. */
function addressed (body: Body): Slot | undefined {
  const ams = integer(body.ams_id)
  const tray = integer(body.tray_id)
  if (ams === undefined) return tray === undefined ? undefined : slotOf(tray)
  if (ams === LEFT_HOLDER || ams === RIGHT_HOLDER || isHt(ams)) return { ams, slot: 0 }
  const slot = integer(body.slot_id) ?? (tray === undefined ? undefined : tray & 3)
  return slot === undefined ? undefined : { ams, slot }
}

const kOf = (m: Machine, index: number): number =>
  number(m.profiles.find(({ cali_idx: own }) => own === index)?.k_value) ?? DEFAULT_K

/** The small printers show the value itself on the tray, the others only the profile's number. */
function select (m: Machine, body: Body): Reply {
  const slot = addressed(body)
  const index = integer(body.cali_idx)
  if (slot === undefined || index === undefined || trayOf(m, slot) === undefined) return refused()
  patchTray(m, slot, { cali_idx: index, ...(m.traits.modern ? {} : { k: kOf(m, index) }) })
  return done()
}

const suits = (profile: Profile, body: Body): boolean => {
  const filament = text(body.filament_id) ?? ''
  const diameter = number(body.nozzle_diameter)
  const extruder = integer(body.extruder_id)
  return (filament === '' || profile.filament_id === filament) &&
    (diameter === undefined || number(profile.nozzle_diameter) === diameter) &&
    (extruder === undefined || profile.extruder_id === extruder)
}

function list (m: Machine, body: Body): Reply {
  const filaments = m.profiles.filter(profile => suits(profile, body))
  return filaments.length > 0 ? done({ filaments }) : refused({ reason: 'Not find', filaments })
}

const nextIndex = (m: Machine): number =>
  m.profiles.reduce((next, { cali_idx: index }) => Math.max(next, (integer(index) ?? 0) + 1), FIRST_INDEX)

const toProfile = (m: Machine, body: Body, item: Json): Profile => ({
  cali_idx: integer(item.cali_idx) ?? nextIndex(m),
  filament_id: text(item.filament_id) ?? '',
  setting_id: text(item.setting_id) ?? '',
  name: text(item.name) ?? '',
  k_value: text(item.k_value) ?? DEFAULT_K.toFixed(6),
  n_coef: text(item.n_coef) ?? '0.000000',
  nozzle_id: text(item.nozzle_id) ?? '',
  nozzle_diameter: text(item.nozzle_diameter ?? body.nozzle_diameter) ?? '0.4',
  extruder_id: integer(item.extruder_id) ?? 0,
  nozzle_pos: 0,
  nozzle_sn: ''
})

function store (m: Machine, profile: Profile): void {
  m.profiles = [...m.profiles.filter(({ cali_idx: index }) => index !== profile.cali_idx), profile]
}

/** A list of profiles for the table, or one value for one tray for the oldest firmware. */
function set (m: Machine, body: Body): Reply {
  if (Array.isArray(body.filaments)) {
    for (const item of body.filaments.filter(isJson)) store(m, toProfile(m, body, item))
    return done()
  }
  const slot = addressed(body)
  const k = number(body.k_value)
  if (slot === undefined || k === undefined || trayOf(m, slot) === undefined) return refused()
  patchTray(m, slot, { k, n: number(body.n_coef) ?? 1 })
  return done()
}

function remove (m: Machine, body: Body): Reply {
  const left = m.profiles.filter(({ cali_idx: index }) => index !== integer(body.cali_idx))
  if (left.length === m.profiles.length) return refused({ reason: 'Not find' })
  m.profiles = left
  return done()
}

export const calibration: Handlers = {
  extrusion_cali_sel: select,
  extrusion_cali_get: list,
  extrusion_cali_set: set,
  extrusion_cali_del: remove,
  extrusion_cali_get_result: () => refused({ reason: "Don't exist" })
}
