import type { SessionContext } from './context.js'
import { int, list, num, packed, part, type Raw } from './raw.js'
import type { DecodeInput, Section } from './section.js'
import type { AirDuct, Fans, Heat, Temperature } from './types.js'

/** The temperature that printers without a chamber sensor report. */
export const NO_SENSOR_C = 5
/** How long after a command the reported mode may still be the previous one. */
const CHAMBER_SETTLE_MS = 10_000
const COOLING = 0
const HEATING = 1

const isSettled = ({ chamber }: SessionContext, now: number): boolean => now - chamber.at > CHAMBER_SETTLE_MS

export const heat: Section<Heat> = {
  fields: ['bed_temper', 'bed_target_temper', 'nozzle_temper', 'nozzle_target_temper', 'chamber_temper', 'ctt',
    'device.bed', 'device.bed_temp', 'device.extruder', 'device.ctc', 'device.cham_temp', 'device.airduct'],
  context: ['chamber'],
  aged: isSettled,
  read: readHeat
}

function readHeat (raw: Raw, input: DecodeInput): Heat {
  return {
    bed: readBed(raw),
    chamber: readChamber(raw, input),
    nozzle: readActiveNozzle(raw)
  }
}

function readBed (raw: Raw): Temperature {
  const word = packed(part(raw, 'device', 'bed', 'info').temp ?? part(raw, 'device').bed_temp)
  return {
    actual: num(raw.bed_temper, word.actual),
    target: Math.trunc(num(raw.bed_target_temper, word.target))
  }
}

/** On dual printers the flat fields follow one nozzle or the other by firmware: the extruder list is reliable. */
function readActiveNozzle (raw: Raw): Temperature {
  const extruder = part(raw, 'device', 'extruder')
  const infos = list(extruder.info)
  if (infos.length >= 2) {
    const active = infos.find(info => int(info.id) === activeExtruder(raw)) ?? infos[0]
    return packed(active?.temp)
  }
  return { actual: num(raw.nozzle_temper), target: Math.trunc(num(raw.nozzle_target_temper)) }
}

/** 0 right, 1 left, 15 switching; 0 on single printers. */
export const activeExtruder = (raw: Raw): number => (int(part(raw, 'device', 'extruder').state) >>> 4) & 0xF

function readChamber (raw: Raw, input: DecodeInput): Heat['chamber'] {
  const device = part(raw, 'device')
  const target = chamberTarget(raw, input)
  if (device.ctc !== undefined) return { ...packed(part(device, 'ctc', 'info').temp), target, sensor: true }
  if (device.cham_temp !== undefined) return { actual: packed(device.cham_temp).actual, target, sensor: true }
  const flat = num(raw.chamber_temper, NaN)
  const sensor = Number.isFinite(flat) && (input.model.chamberSensor || flat !== NO_SENSOR_C)
  return { actual: sensor ? flat : 0, target, sensor }
}

/**
 * The reported target; while it is 0, the last commanded one, which is the only one on printers without a heater. On
 * printers that heat, switching to the cooling mode ends a target, and in the heating mode the reported one counts.
 */
function chamberTarget (raw: Raw, { context, model, receivedAt }: DecodeInput): number {
  const device = part(raw, 'device')
  const word = part(device, 'ctc', 'info').temp ?? device.cham_temp
  const reported = packed(word).target || Math.trunc(num(raw.ctt))
  if (reported > 0) return reported
  const mode = int(part(device, 'airduct').modeCur, -1)
  const ended = model.chamberHeater === 'set_ctt' && (mode === COOLING || mode === HEATING) &&
    isSettled(context, receivedAt)
  return ended ? 0 : context.chamber.targetC
}

/** Ids of `device.airduct.parts`. */
export const DUCT = { part: 16, aux: 32, exhaust: 48, intake: 96, leftAux: 160 } as const

export const fans: Section<Fans> = {
  fields: ['cooling_fan_speed', 'big_fan1_speed', 'big_fan2_speed', 'heatbreak_fan_speed', 'device.airduct'],
  context: ['fanTargets'],
  read: readFans
}

function readFans (raw: Raw, { context }: DecodeInput): Fans {
  const parts = readDuctParts(raw)
  return {
    part: parts[DUCT.part] ?? levelPercent(raw.cooling_fan_speed),
    partTarget: context.fanTargets.part,
    aux: parts[DUCT.aux] ?? levelPercent(raw.big_fan1_speed),
    exhaust: parts[DUCT.exhaust] ?? levelPercent(raw.big_fan2_speed),
    heatbreak: levelPercent(raw.heatbreak_fan_speed),
    enhancedTarget: context.fanTargets.enhanced
  }
}

const LEVELS = 15
const BYTE = 255

/** Fan fields range from 0 to 15; a larger number is a byte. */
export function levelPercent (value: unknown): number {
  const level = Math.max(0, num(value))
  return Math.min(100, Math.round(level / (level > LEVELS ? BYTE : LEVELS) * 100))
}

/** Some printers without modes report this one. */
const NO_MODE = 255

export const airDuct: Section<AirDuct> = {
  fields: ['device.airduct'],
  read: raw => {
    const duct = part(raw, 'device', 'airduct')
    const mode = int(duct.modeCur, -1)
    return { mode: mode === NO_MODE ? -1 : mode, subMode: int(duct.subMode, -1), parts: readDuctParts(raw) }
  }
}

const readDuctParts = (raw: Raw): Record<number, number> => Object.fromEntries(
  list(part(raw, 'device', 'airduct').parts)
    .map(item => [int(item.id), Math.min(100, int(item.state) & 0xFF)]))
