import { bit, bits, flag, hex, hex8, hexBit, hexLow, int, list, num, numbers, part, text, type Raw } from './raw.js'
import type { DryerReply } from './context.js'
import type { DecodeInput, Section } from './section.js'
import { AMS_MODELS, DRYER_STATES, type Ams, type AmsModel, type AmsUnit, type Dryer, type Module } from './types.js'

/** First unit id of the single-slot AMS HT. */
export const FIRST_HT = 128
/** The AMS Lite of the A2L reports as this unit. */
export const A2L_LITE = 16

/** The A2L's built-in unit numbers its slots from 0. */
export const isLoneLite = (unitIds: readonly number[]): boolean =>
  unitIds.includes(A2L_LITE) && !unitIds.some(id => id < A2L_LITE)

const HOME_ESTIMATE_REMAINING = 7

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  0: 'Idle',
  1: 'Filament Changing',
  2: 'RFID Identifying',
  3: 'Assist/Engaged',
  4: 'Calibration',
  16: 'Self Check',
  32: 'Debug',
  255: 'Unknown'
}

/** Fields that {@link reportedUnits} depends on. */
export const UNIT_FIELDS = ['ams.ams', 'ams.ams_exist_bits'] as const

/** Fields that {@link estimatesRemaining} depends on. */
export const ESTIMATE_FIELDS = ['ams.calibrate_remain_flag', 'home_flag'] as const

export const ams: Section<Ams> = {
  fields: [...UNIT_FIELDS, ...ESTIMATE_FIELDS, 'ams.tray_exist_bits', 'ams.insert_flag', 'ams.power_on_flag',
    'ams_status', 'ams_rfid_status'],
  context: ['modules', 'dryers'],
  read: readAms
}

function readAms (raw: Raw, input: DecodeInput): Ams {
  const root = part(raw, 'ams')
  const statusRaw = int(raw.ams_status)
  return {
    present: raw.ams !== undefined,
    units: reportedUnits(raw).map(unit => readUnit(unit, root, input)),
    existBits: Number.parseInt(hex(root.ams_exist_bits), 16),
    statusRaw,
    statusText: STATUS_TEXTS[(statusRaw >>> 8) & 0xFF] ?? 'Idle',
    rfidStatus: int(raw.ams_rfid_status),
    readOnInsert: flag(root.insert_flag),
    readAtPowerOn: flag(root.power_on_flag),
    estimateRemaining: estimatesRemaining(raw) ?? false
  }
}

/** Whether the printer estimates the remaining filament; undefined if it does not report that. */
export function estimatesRemaining (raw: Raw): boolean | undefined {
  const { calibrate_remain_flag: own } = part(raw, 'ams')
  if (own === undefined && raw.home_flag === undefined) return undefined
  return flag(own, bit(int(raw.home_flag), HOME_ESTIMATE_REMAINING))
}

/** The connected units: a cleared bit in `ams_exist_bits` means that the unit was unplugged. */
export function reportedUnits (raw: Raw): readonly Raw[] {
  const { ams: all, ams_exist_bits: bits } = part(raw, 'ams')
  if (!Array.isArray(all)) return []
  const known = connected.get(all)
  if (known !== undefined && known.bits === bits) return known.units
  const units = connectedUnits(list(all), bits)
  connected.set(all, { bits, units })
  return units
}

/** Several sections read the units of the same report. */
const connected = new WeakMap<object, { readonly bits: unknown, readonly units: readonly Raw[] }>()

function connectedUnits (all: readonly Raw[], existBits: unknown): readonly Raw[] {
  const exist = hex(existBits)
  const isThere = (at: number | undefined) => existBits === undefined || at === undefined || hexBit(exist, at)
  return all.filter(unit => isThere(unitBit(int(unit.id)))).toSorted((a, b) => int(a.id) - int(b.id))
}

/** Position of a unit in `ams_exist_bits`; undefined if unknown. */
export const unitBit = (id: number): number | undefined => id < 4 ? id : id >= FIRST_HT ? 4 + id - FIRST_HT : undefined

/** Position of a slot in `tray_exist_bits`. */
export const slotBit = (amsId: number, slot: number): number =>
  amsId >= FIRST_HT ? 16 + amsId - FIRST_HT : amsId === A2L_LITE ? 24 + slot : amsId * 4 + slot

function readUnit (unit: Raw, root: Raw, { context }: DecodeInput): AmsUnit {
  const id = int(unit.id)
  const info = hexLow(hex(unit.info))
  const module = moduleOf(id, context.modules)
  const model = modelOf(module, info)
  const slots = Math.max(id >= FIRST_HT ? 1 : 4, list(unit.tray).length)
  const exist = hex(root.tray_exist_bits)
  return {
    id,
    chipId: module?.serial ?? '',
    model,
    slots,
    temperatureC: temperature(unit.temp),
    humidityIndex: int(unit.humidity),
    humidityPercent: humidityPercent(unit.humidity_raw),
    info,
    dryer: model === 'AMS_2_PRO' || model === 'AMS_HT' ? readDryer(unit, info, context.dryers[id]) : undefined,
    trayExists: Array.from({ length: slots }, (_, slot) => hexBit(exist, slotBit(id, slot))),
    extruder: extruderOf(info, unit.info !== undefined),
    firmware: module?.version ?? ''
  }
}

const COLDEST_C = -20
const HOTTEST_C = 100

/** Units without a sensor report values that no AMS sensor can measure; these become 0. */
const temperature = (value: unknown): number => {
  const celsius = num(value)
  return celsius >= COLDEST_C && celsius <= HOTTEST_C ? celsius : 0
}

const humidityPercent = (value: unknown): number => {
  const percent = int(value)
  return percent >= 1 && percent <= 100 ? percent : 0
}

/** Bits 8 to 11: 0 right, 1 left, 0xE not initialised, 0xF unassigned. */
const extruderOf = (info: number, known: boolean): number | undefined => {
  const id = bits(info, 8, 4)
  return known && id < 2 ? id : undefined
}

const UNIT_MODULE = /^(ams|ams_f1|n3f|n3s)\/(\d+)$/

/** True for modules of the version report that are AMS units (the hub `ahb` is not). */
export const isAmsModule = ({ name, product }: Module): boolean =>
  UNIT_MODULE.test(name) || (/ams/i.test(product) && name !== 'ahb')

const moduleOf = (id: number, modules: readonly Module[]): Module | undefined =>
  modules.find(({ name }) => UNIT_MODULE.exec(name)?.[2] === String(id))

const BY_SERIAL: Readonly<Record<string, AmsModel>> =
  { '006': 'AMS_1', '03C': 'AMS_LITE', '19C': 'AMS_2_PRO', '19F': 'AMS_HT' }
const BY_MODULE: Readonly<Record<string, AmsModel>> =
  { ams: 'AMS_1', ams_f1: 'AMS_LITE', n3f: 'AMS_2_PRO', n3s: 'AMS_HT' }

/** The model of a reported unit. */
export const unitModel = (unit: Raw, modules: readonly Module[]): AmsModel =>
  modelOf(moduleOf(int(unit.id), modules), hexLow(hex(unit.info)))

/** Model of the AMS Lite that is built into the A2L, in the info word. */
const BUILT_IN_LITE = 5

function modelOf (module: Module | undefined, info: number): AmsModel {
  const bySerial = BY_SERIAL[module?.serial.slice(0, 3).toUpperCase() ?? '']
  if (bySerial) return bySerial
  const code = bits(info, 0, 4)
  const byInfo = code === BUILT_IN_LITE ? 'AMS_LITE' : AMS_MODELS[code]
  if (byInfo && byInfo !== 'UNKNOWN') return byInfo
  return BY_MODULE[module?.name.split('/')[0] ?? ''] ?? 'UNKNOWN'
}

const SUB_STATUS = ['OFF', 'HEATING', 'DEHUMIDIFY'] as const

function readDryer (unit: Raw, info: number, reply: DryerReply | undefined): Dryer {
  const setting = part(unit, 'dry_setting')
  const sub = bits(info, 22, 4)
  // Only a known state says that a heater is off.
  const state = DRYER_STATES[bits(info, 4, 4)] ?? 'CHECKING'
  return {
    state,
    // The field has more bits than its three values need: the upper ones have another meaning.
    subStatus: SUB_STATUS[sub > 2 ? sub & 3 : sub] ?? 'OFF',
    fan1: bits(info, 18, 2) === 1,
    fan2: bits(info, 20, 2) === 1,
    remainingMinutes: int(unit.dry_time),
    // Firmware that does not report its settings uses those of the accepted command.
    targetC: int(setting.dry_temperature, state === 'OFF' ? -1 : reply?.targetC || -1),
    durationHours: int(setting.dry_duration, -1),
    filament: text(setting.dry_filament),
    refusals: numbers(unit.dry_sf_reason),
    failCode: reply && reply.errorNumber !== 0 ? errorCode(reply.errorNumber) : '',
    failErrorNumber: reply?.errorNumber ?? 0,
    failReason: reply?.reason ?? '',
    failCount: reply?.count ?? 0
  }
}

/** `HMS_0500-C04F` of a 32-bit error number. */
export function errorCode (number: number): string {
  const digits = hex8(number)
  return `HMS_${digits.slice(0, 4)}-${digits.slice(4)}`
}
