import type { Json } from '../json-merge.js'
import { dryObstacles, minutesLeft } from '../machine/dryer.js'
import { activeExtruder, FIRST_HT, globalId, isHolder, isHt, isPresent } from '../machine/slots.js'
import { DRY, type Machine, type Slot, type Unit } from '../machine/types.js'
import { AMS_FACTS } from '../models/ams.data.js'
import { isVersionAtLeast } from '../version.js'

const NONE = 255
const NO_TAG = '0000000000000000'
/** Humidity index 5 is dry, 1 wet: the upper end of each band in percent. */
const HUMIDITY_BANDS_PCT = [15, 30, 45, 60] as const

/** While it dries: heating up, then driving moisture out. */
const SUB = { HEATING: 1, DEHUMIDIFY: 2 } as const
const WARM_WITHIN_C = 2

const humidityIndex = (percent: number): number => {
  const band = HUMIDITY_BANDS_PCT.findIndex(limit => percent < limit)
  return band < 0 ? 1 : 5 - band
}

/** Bits of a unit's `info` that never change. */
const infoBase = ({ modern, series }: Machine['traits'], { kind }: Unit): number => {
  const newer = modern && series !== 'X1' ? 2 ** 28 : 0
  return AMS_FACTS[kind].type + (AMS_FACTS[kind].dry === undefined ? 0x1000 : 0x2000) + newer
}

function info (m: Machine, unit: Unit): string {
  const dries = unit.dryer.state === DRY.DRYING
  const fans = dries ? 2 ** 18 + 2 ** 20 : 0
  const isWarm = unit.temp >= unit.dryer.temp - WARM_WITHIN_C
  const sub = dries ? (isWarm ? SUB.DEHUMIDIFY : SUB.HEATING) * 2 ** 22 : 0
  return (infoBase(m.traits, unit) + unit.dryer.state * 16 + unit.extruder * 256 + fans + sub).toString(16)
}

const dryFields = (m: Machine, unit: Unit): Json => ({
  dry_setting: {
    dry_duration: unit.dryer.hours,
    dry_filament: unit.dryer.filament,
    dry_temperature: unit.dryer.temp
  },
  dry_sf_reason: dryObstacles(m, unit)
})

function climate (m: Machine, unit: Unit): Json {
  if (unit.kind === 'AMS_LITE') return { humidity: '5', temp: '0.0' }
  return {
    humidity: String(humidityIndex(unit.humidityPct)),
    temp: unit.temp.toFixed(1),
    ...(isVersionAtLeast(m.firmware, m.traits.gates.amsClimate)
      ? { humidity_raw: unit.humidityPct.toFixed(0), info: info(m, unit), dry_time: minutesLeft(unit) }
      : {}),
    ...(AMS_FACTS[unit.kind].dry === undefined ? {} : dryFields(m, unit))
  }
}

const renderUnit = (m: Machine, unit: Unit): Json =>
  ({ id: String(unit.id), ...climate(m, unit), tray: unit.trays })

/** Bit of a slot in the bit words: four per unit, HT units from bit 16 on. */
const bitOf = ({ id }: Unit, slot: number): number => isHt(id) ? 16 + id - FIRST_HT : id * 4 + slot

const slotBits = (m: Machine, test: (unit: Unit, slot: number) => boolean): string => {
  let word = 0
  for (const unit of m.ams.units) {
    for (const slot of unit.trays.keys()) if (test(unit, slot)) word += 2 ** bitOf(unit, slot)
  }
  return word.toString(16)
}

const unitBits = (m: Machine): string =>
  m.ams.units.reduce((word, { id }) => word + 2 ** (isHt(id) ? 4 + id - FIRST_HT : id), 0).toString(16)

/** `tray_now` and its kin: the number within the unit on dual printers, across all units on the others. */
function trayNumber (m: Machine, slot: Slot | undefined): string {
  if (slot === undefined) return String(NONE)
  return String(m.traits.extruders === 2 && !isHolder(slot) ? slot.slot : globalId(slot))
}

const isPresentAt = (unit: Unit, slot: number): boolean => isPresent(unit.trays[slot] ?? {})

function root (m: Machine): Json {
  const { loaded, previous } = activeExtruder(m)
  const { change, scan } = m.ams
  const isRead = (unit: Unit, slot: number): boolean => scan?.slot.ams === unit.id && scan.slot.slot === slot
  return {
    ams_exist_bits: unitBits(m),
    tray_exist_bits: slotBits(m, isPresentAt),
    tray_is_bbl_bits: slotBits(m, (unit, slot) => (unit.trays[slot]?.tag_uid ?? NO_TAG) !== NO_TAG),
    tray_read_done_bits: slotBits(m, (unit, slot) => isPresentAt(unit, slot) && !isRead(unit, slot)),
    tray_reading_bits: slotBits(m, isRead),
    tray_now: trayNumber(m, loaded),
    tray_tar: trayNumber(m, change === undefined ? loaded : change.to),
    tray_pre: trayNumber(m, previous),
    insert_flag: m.ams.readsOnInsert,
    power_on_flag: m.ams.readsAtPowerOn,
    version: m.ams.version,
    ...(m.traits.modern ? { cali_id: 0, cali_stat: 0, unbind_ams_stat: 0, tray_hall_out_bits: '0' } : {})
  }
}

/** External spools: one object on the small printers, a list on the others, both on the X1. */
function holders (m: Machine): Json {
  const [only] = m.ams.holders
  if (!m.traits.modern) return { vt_tray: only }
  return m.traits.series === 'X1' ? { vt_tray: only, vir_slot: m.ams.holders } : { vir_slot: m.ams.holders }
}

export const amsFields = (m: Machine): Json => ({
  ams: { ...root(m), ams: m.ams.units.map(unit => renderUnit(m, unit)) },
  ...holders(m)
})
