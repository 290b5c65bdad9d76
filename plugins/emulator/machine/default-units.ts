import { createHash } from 'node:crypto'
import type { Json } from '../json-merge.js'
import type { AmsKind, Traits } from '../models/traits.js'
import { AMS_FACTS } from '../models/ams.data.js'
import { DRY_SPOOL, PLAIN_SPOOLS, TAGGED_SPOOLS, type Spool } from '../models/spools.data.js'
import { idleDryer } from './dryer.js'
import { ROOM_C } from './heat.js'
import { FIRST_HT, LEFT_HOLDER, RIGHT_HOLDER } from './slots.js'
import type { Profile, Tray, Unit } from './types.js'

const NO_TAG = '0000000000000000'
const NO_UUID = NO_TAG + NO_TAG
const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').toUpperCase().slice(0, length)

/** Fields of a spool in both report generations, known or not. */
const common = (spool: Spool | undefined, seed: string): Json => ({
  tray_info_idx: spool?.id ?? '',
  tray_type: spool?.type ?? '',
  tray_sub_brands: spool?.brand ?? '',
  tray_id_name: spool?.code ?? '',
  tray_color: spool?.colour ?? '00000000',
  cols: [spool?.colour ?? '00000000'],
  ctype: 0,
  remain: spool?.remain ?? 0,
  cali_idx: -1,
  nozzle_temp_min: String(spool?.min ?? 0),
  nozzle_temp_max: String(spool?.max ?? 0),
  bed_temp: '0',
  bed_temp_type: '0',
  tray_weight: spool?.code ? '1000' : '0',
  tray_diameter: spool?.code ? '1.75' : '0.00',
  tag_uid: spool?.code ? digest(`${seed} tag`, 16) : NO_TAG,
  tray_uuid: spool?.code ? digest(`${seed} spool`, 32) : NO_UUID,
  xcam_info: '000000000000000000000000'
})

function trayRecord (traits: Traits, id: number, spool: Spool | undefined, seed: string): Tray {
  // The small printers take the drying parameters of a spool from its tag only.
  const known = spool !== undefined && (traits.modern || spool.code !== '') ? spool : undefined
  const drying = { temp: String(known?.dryC ?? 0), time: String(known?.dryH ?? 0) }
  const generation = traits.modern
    ? { state: 11, total_len: 330000, drying_temp: drying.temp, drying_time: drying.time }
    : { k: 0.02, n: 1, tray_temp: drying.temp, tray_time: drying.time }
  return { id: String(id), ...common(spool, seed), ...generation }
}

const emptySlot = (traits: Traits, id: number): Tray =>
  traits.modern ? { id: String(id), state: 0 } : { id: String(id) }

function spoolsOf (kind: AmsKind, order: number): readonly (Spool | undefined)[] {
  if (kind === 'AMS_HT') return [DRY_SPOOL]
  if (kind === 'AMS_LITE') return PLAIN_SPOOLS
  const first = (order * 4) % TAGGED_SPOOLS.length
  return TAGGED_SPOOLS.slice(first, first + 4)
}

/** Units with the spools that a printer starts with. */
export function createUnits (traits: Traits, ams: readonly AmsKind[], serial: string): Unit[] {
  const counts = { four: 0, ht: 0 }
  return ams.map((kind, order): Unit => {
    const heated = kind === 'AMS_HT'
    const id = heated ? FIRST_HT + counts.ht++ : counts.four++
    const spools = spoolsOf(kind, order)
    const trays = Array.from({ length: AMS_FACTS[kind].slots }, (_, slot) => {
      const spool = spools[slot]
      if (spool === undefined) return emptySlot(traits, slot)
      return trayRecord(traits, slot, spool, `${serial} ${id} ${slot}`)
    })
    return {
      id,
      kind,
      serial: AMS_FACTS[kind].serialPrefix + digest(`${serial} unit ${id}`, 12),
      extruder: traits.extruders === 2 && heated ? 1 : 0,
      humidityPct: heated ? 12 : 22,
      temp: ROOM_C + 1,
      trays,
      dryer: idleDryer()
    }
  })
}

/** Fields of an external spool for programs written for the first printers. */
const OLD_FIELDS = { k: 0.02, n: 1, tray_temp: '0', tray_time: '0' }

/** External spools: unknown, except on the small printers. */
export function createHolders (traits: Traits, serial: string): Tray[] {
  const only = traits.modern ? RIGHT_HOLDER : LEFT_HOLDER
  const ids = traits.extruders === 2 ? [LEFT_HOLDER, RIGHT_HOLDER] : [only]
  return ids.map(id => traits.modern
    ? { ...trayRecord(traits, id, undefined, serial), ctype: traits.extruders === 2 ? 2 : 0, ...OLD_FIELDS }
    : { ...trayRecord(traits, id, PLAIN_SPOOLS[3], serial), remain: 0 })
}

/** One pressure-advance profile for each filament in stock, for every tool. */
export function createProfiles (traits: Traits): Profile[] {
  const spools = [...TAGGED_SPOOLS, ...PLAIN_SPOOLS].filter(spool => spool !== undefined)
  const ids = [...new Set(spools.map(({ id }) => id))]
  return ids.flatMap((id, at) => Array.from({ length: traits.extruders }, (_, extruder): Profile => ({
    cali_idx: at * traits.extruders + extruder + 1,
    filament_id: id,
    setting_id: '',
    name: spools.find(spool => spool.id === id)?.brand || 'Generic',
    k_value: (0.02 + at * 0.004).toFixed(6),
    n_coef: '0.000000',
    nozzle_id: 'HS00-0.4',
    nozzle_diameter: '0.4',
    extruder_id: extruder,
    nozzle_pos: 0,
    nozzle_sn: ''
  })))
}
