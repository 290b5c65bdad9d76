import { clampTarget } from '../machine/heat.js'
import { trayOf } from '../machine/slots.js'
import type { Machine } from '../machine/types.js'
import { getBit } from '../machine/bit-fields.js'
import { integer, number } from '../request.js'
import { doneQuietly, outOfRange, refused, type Body, type Handlers, type Reply } from './reply.js'

/** Below this a chamber target counts as off. */
const CHAMBER_HEAT_MIN_C = 40
/** Filament that a hot chamber would soften in the feed path. */
const SOFT = /^(PLA|TPU|PVA)/
const ERRNO = { SOFT_FILAMENT: -2, TOO_LOW: -4 } as const

/** P number and air-duct part of the fans that the duct's mode can hold back. */
const PART: Readonly<Record<number, number>> = { 1: 16, 2: 32, 3: 48, 10: 160 }
const ENHANCED = 9

const mode = (m: Machine, id: number) => m.traits.airduct.find(({ modeId }) => modeId === id)

/** The enhanced fan is set without a trace in any report; fans that are not fitted are ignored. */
export function setFan (m: Machine, fan: number, percent: number): boolean {
  if (fan === ENHANCED) return m.traits.extTool === 'F000'
  if (!m.traits.fans.includes(fan)) return false
  const part = PART[fan]
  const held = part !== undefined && mode(m, m.airductMode)?.off.includes(part) === true
  m.fans[fan] = held ? 0 : Math.min(100, Math.max(0, Math.round(percent)))
  return true
}

export function setAirduct (m: Machine, id: number, subMode = -1): boolean {
  const wanted = mode(m, id)
  if (wanted === undefined) return false
  m.airductMode = id
  if (subMode >= 0) m.airductSubMode = subMode
  for (const fan of m.traits.fans) setFan(m, fan, m.fans[fan] ?? 0)
  return true
}

/** Tool by number: 0 right, 1 left, where there are two; the only one elsewhere. */
export function setNozzle (m: Machine, celsius: number, tool: number): boolean {
  const extruder = m.extruders[m.traits.extruders === 1 ? 0 : tool]
  if (extruder === undefined) return false
  extruder.heater.target = clampTarget(celsius, m.traits.limits.nozzle)
  extruder.idleHotMs = 0
  return true
}

export const setBed = (m: Machine, celsius: number): void => {
  m.bed.target = clampTarget(celsius, m.traits.limits.bed)
}

export const setChamber = (m: Machine, celsius: number): void => {
  m.chamber.target = celsius < CHAMBER_HEAT_MIN_C ? 0 : clampTarget(celsius, m.traits.limits.chamber)
}

const isSoftLoaded = (m: Machine): boolean => m.extruders.some(({ loaded }) =>
  loaded !== undefined && SOFT.test(String(trayOf(m, loaded)?.tray_type ?? '')))

/** Only printers whose chamber heater is set this way know the command. */
function setCtt (m: Machine, body: Body): Reply | undefined {
  if (m.traits.chamber !== 'set_ctt') return undefined
  const celsius = integer(body.ctt_val)
  if (celsius === undefined || celsius > m.traits.limits.chamber) return outOfRange()
  if (celsius >= CHAMBER_HEAT_MIN_C && body.temper_check !== false && isSoftLoaded(m)) {
    return refused({ errno: ERRNO.SOFT_FILAMENT })
  }
  setChamber(m, celsius)
  return celsius > 0 && celsius < CHAMBER_HEAT_MIN_C ? refused({ errno: ERRNO.TOO_LOW }) : doneQuietly()
}

/** Firmware that accepts temperatures in separate fields sets this bit of `fun`. */
const STRUCTURED_BIT = 39
const isStructured = (m: Machine): boolean => getBit(m, 'fun', STRUCTURED_BIT)

function setBedTemp (m: Machine, { temp }: Body): Reply | undefined {
  if (!isStructured(m)) return undefined
  const celsius = number(temp)
  if (celsius === undefined || celsius > m.traits.limits.bed) return outOfRange()
  setBed(m, celsius)
  return doneQuietly()
}

function setNozzleTemp (m: Machine, body: Body): Reply | undefined {
  if (!isStructured(m)) return undefined
  const celsius = number(body.target_temp)
  if (celsius === undefined || celsius > m.traits.limits.nozzle) return outOfRange()
  return setNozzle(m, celsius, integer(body.extruder_index) ?? 0) ? doneQuietly() : outOfRange()
}

function setAirductMode (m: Machine, body: Body): Reply | undefined {
  if (m.traits.airduct.length === 0) return undefined
  return setAirduct(m, integer(body.modeId) ?? -1, integer(body.submode) ?? -1) ? doneQuietly() : outOfRange()
}

function setFanSpeed (m: Machine, body: Body): Reply | undefined {
  if (!isStructured(m)) return undefined
  const speed = number(body.speed)
  if (speed === undefined || speed < 0 || speed > 255) return outOfRange()
  return setFan(m, integer(body.fan_index) ?? -1, speed * 100 / 255) ? doneQuietly() : outOfRange()
}

export const climate: Handlers = {
  set_bed_temp: setBedTemp,
  set_nozzle_temp: setNozzleTemp,
  set_ctt: setCtt,
  set_airduct: setAirductMode,
  set_fan: setFanSpeed
}
