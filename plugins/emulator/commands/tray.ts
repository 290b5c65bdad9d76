import { isBusy } from '../machine/job.js'
import { isHolder, isHt, isPresent, LEFT_HOLDER, patchTray, RIGHT_HOLDER, trayOf } from '../machine/slots.js'
import type { Json } from '../json-merge.js'
import type { Machine, Slot } from '../machine/types.js'
import { integer, text } from '../request.js'
import { done, refused, type Body, type Handlers, type Reply } from './reply.js'

const EDITABLE_WHILE_PRINTING = 0b1000
const WITH_DATA = 11
const NO_COLOUR = '00000000'

const FIELDS: readonly (readonly [from: string, to: string])[] = [
  ['tray_info_idx', 'tray_info_idx'],
  ['tray_type', 'tray_type'],
  ['tray_color', 'tray_color'],
  ['tray_id_name', 'tray_id_name'],
  ['tray_sub_brands', 'tray_sub_brands'],
  ['nozzle_temp_min', 'nozzle_temp_min'],
  ['nozzle_temp_max', 'nozzle_temp_max']
]

/** Holder, single slot, or slot of a four-slot unit, whose slot takes precedence over the tray number. */
function addressed (body: Body): Slot | undefined {
  const ams = integer(body.ams_id)
  if (ams === undefined) return undefined
  if (ams === LEFT_HOLDER || ams === RIGHT_HOLDER || isHt(ams)) return { ams, slot: 0 }
  const slot = integer(body.slot_id) ?? integer(body.tray_id)
  return slot === undefined ? undefined : { ams, slot: slot & 3 }
}

/** The A1 series knows its holder by 255 only. */
const isDeaf = (m: Machine, slot: Slot): boolean => m.traits.series === 'A1' && slot.ams === LEFT_HOLDER

/** Values of the request in the spelling of the report: everything is text. */
function described (body: Body): Json {
  const named = FIELDS.flatMap(([from, to]) => {
    const value = text(body[from])
    return value === undefined ? [] : [[to, value] as const]
  })
  const colour = text(body.tray_color)
  const cols = Array.isArray(body.cols) ? body.cols : [colour ?? NO_COLOUR]
  return { ...Object.fromEntries(named), ...(colour === undefined ? {} : { cols }) }
}

const mayEdit = (m: Machine): boolean =>
  !isBusy(m) || m.traits.modern || (m.words.flag3 & EDITABLE_WHILE_PRINTING) !== 0

/** Marks the spool as described. */
const presence = (m: Machine): Json => m.traits.modern ? { state: WITH_DATA } : {}

function filamentSetting (m: Machine, body: Body): Reply | undefined {
  const slot = addressed(body)
  if (slot !== undefined && isDeaf(m, slot)) return undefined
  const tray = slot === undefined ? undefined : trayOf(m, slot)
  if (slot === undefined || tray === undefined || !mayEdit(m)) return refused()
  const known = isPresent(tray) || body.tray_type !== ''
  if (known) patchTray(m, slot, { ...described(body), ...(isHolder(slot) ? {} : presence(m)) })
  return done({ tray_id: isHolder(slot) ? LEFT_HOLDER : slot.slot })
}

export const tray: Handlers = { ams_filament_setting: filamentSetting }
