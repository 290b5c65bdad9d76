import { A2L_LITE, FIRST_HT, isLoneLite, reportedUnits, UNIT_FIELDS } from './ams.js'
import { activeExtruder } from './heat.js'
import { placeOfWord } from './job.js'
import { bits, hex, hexLow, int, list, num, packed, part, text, type Raw } from './raw.js'
import { nozzleOfCode, nozzleOfWords } from './nozzle.js'
import { HOLDER_LEFT, HOLDER_RIGHT, isHolder, wireTrayId } from './spools.js'
import type { DecodeInput, Section } from './section.js'
import type { ActiveTray, Extruder, Nozzle, TrayPlace, TrayState } from './types.js'

/** Fields that show where an extruder's filament comes from and whether it moves. */
const TRAY_FIELDS = [...UNIT_FIELDS, 'ams.tray_now', 'ams.tray_tar', 'device.extruder', 'stg_cur'] as const

export const extruders: Section<readonly Extruder[]> = {
  fields: [...TRAY_FIELDS, 'nozzle_temper', 'nozzle_target_temper', 'nozzle_type', 'nozzle_diameter', 'device.nozzle'],
  context: ['loaded'],
  read: (raw, input) => input.dual ? readPair(raw, input) : [readSingle(raw)]
}

/** On printers with one extruder the flat fields contain its values; it has no id. */
function readSingle (raw: Raw): Extruder {
  const info = list(part(raw, 'device', 'extruder').info)[0] ?? {}
  const bitsOf = int(info.info)
  const tray = traySingle(raw)
  return {
    id: -1,
    temperature: { actual: num(raw.nozzle_temper), target: Math.trunc(num(raw.nozzle_target_temper)) },
    infoBits: bitsOf,
    state: info.info === undefined ? 'NOT_AVAILABLE' : stateOf(bitsOf),
    status: info.stat === undefined ? 'NOT_AVAILABLE' : statusOf(int(info.stat)),
    nozzle: nozzleSingle(raw),
    tray,
    targetTray: info.star === undefined
      ? placeOfNumber(raw, 'tray_tar')
      : onlyHolder(placeOfSnow(int(info.star), info.htar)),
    trayState: movingState(raw) ?? (tray === undefined ? 'UNLOADED' : 'LOADED'),
    amsId: tray === undefined || isHolder(tray.amsId) ? -1 : tray.amsId
  }
}

/**
 * The source of a single extruder's filament. The extruder's packed word is reliable whenever it is present; `tray_now`
 * is a slot number, 254 for the holder and 255 for none.
 */
export function traySingle (raw: Raw): TrayPlace | undefined {
  const info = list(part(raw, 'device', 'extruder').info)[0]
  return info?.snow === undefined ? placeOfNumber(raw, 'tray_now') : onlyHolder(placeOfSnow(int(info.snow), info.hnow))
}

function placeOfNumber (raw: Raw, field: 'tray_now' | 'tray_tar'): TrayPlace | undefined {
  const id = int(part(raw, 'ams')[field], 255)
  if (id === 255 || id < 0) return undefined
  if (id === 254) return { amsId: 254, slot: 0 }
  if (id >= FIRST_HT) return { amsId: id, slot: 0 }
  const isBuiltIn = isLoneLite(reportedUnits(raw).map(unit => int(unit.id)))
  return { amsId: isBuiltIn ? A2L_LITE : id >> 2, slot: id & 3 }
}

/** A single-extruder printer has one holder, published as 254. */
const onlyHolder = (place: TrayPlace | undefined): TrayPlace | undefined =>
  place && isHolder(place.amsId) ? { amsId: 254, slot: 0 } : place

const HOLDER_NOZZLE = 254

/** `snow`, `star`, `spre` with their nozzle word: a nozzle word of 254 means the extruder's own holder. */
function placeOfSnow (word: number, nozzleWord: unknown, extruder = 0): TrayPlace | undefined {
  const place = placeOfWord(word)
  return place && int(nozzleWord) === HOLDER_NOZZLE ? { amsId: HOLDER_RIGHT - extruder, slot: 0 } : place
}

function readPair (raw: Raw, input: DecodeInput): readonly Extruder[] {
  return list(part(raw, 'device', 'extruder').info)
    .map(info => readOne(raw, info, input))
    .toSorted((a, b) => a.id - b.id)
}

function readOne (raw: Raw, info: Raw, { context }: DecodeInput): Extruder {
  const id = int(info.id)
  const state = stateOf(int(info.info))
  const status = statusOf(int(info.stat))
  const tray = placeOfSnow(int(info.snow, 0xFF), info.hnow, id)
  return {
    id,
    temperature: packed(info.temp),
    infoBits: int(info.info),
    state,
    status,
    nozzle: nozzleOf(raw, info),
    tray,
    targetTray: placeOfSnow(int(info.star, 0xFF), info.htar, id),
    trayState: trayStateOf(state, status, context.loaded[id] ?? false),
    amsId: tray !== undefined && !isHolder(tray.amsId) ? tray.amsId : unitOf(raw, id)
  }
}

/** First unit whose info word assigns it to the extruder; -1 none. */
const unitOf = (raw: Raw, extruder: number): number => {
  const unit = reportedUnits(raw).find(({ info }) =>
    info !== undefined && bits(hexLow(hex(info)), 8, 4) === extruder)
  return unit === undefined ? -1 : int(unit.id)
}

const LOADED_BIT = 1
const BUFFER_BIT = 2
const NOZZLE_BIT = 3

function stateOf (info: number): Extruder['state'] {
  if (bits(info, NOZZLE_BIT, 1) === 0) return 'NO_NOZZLE'
  if (bits(info, LOADED_BIT, 1) === 1) return 'LOADED'
  return bits(info, BUFFER_BIT, 1) === 1 ? 'BUFFER_LOADED' : 'EMPTY'
}

function statusOf (stat: number): Extruder['status'] {
  if (bits(stat, 8, 2) >= 2) return 'ACTIVE'
  return bits(stat, 0, 1) === 1 ? 'HEATING' : 'IDLE'
}

/** `wasLoaded` distinguishes unloading from loading while the extruder heats. */
function trayStateOf (state: Extruder['state'], status: Extruder['status'], wasLoaded: boolean): TrayState {
  if (state !== 'LOADED') return status === 'IDLE' ? 'UNLOADED' : 'LOADING'
  if (status !== 'HEATING') return 'LOADED'
  return wasLoaded ? 'UNLOADING' : 'LOADING'
}

const STAGE_LOADING = 24
const STAGE_UNLOADING = 22

/** Loading or unloading according to the stage; undefined in other stages. */
function movingState (raw: Raw): TrayState | undefined {
  const stage = int(raw.stg_cur)
  return stage === STAGE_LOADING ? 'LOADING' : stage === STAGE_UNLOADING ? 'UNLOADING' : undefined
}

function nozzleOf (raw: Raw, info: Raw): Nozzle {
  const fitted = list(part(raw, 'device', 'nozzle').info)
  const byId = (wanted: unknown) => fitted.find(({ id }) => int(id, -1) === int(wanted, -2))
  const nozzle = byId(info.hnow) ?? byId(info.id)
  return nozzleOfCode(text(nozzle?.type), num(nozzle?.diameter))
}

function nozzleSingle (raw: Raw): Nozzle {
  const fitted = list(part(raw, 'device', 'nozzle').info)[0]
  const code = nozzleOfCode(text(fitted?.type), num(fitted?.diameter))
  return code.material === 'UNKNOWN' ? nozzleOfWords(text(raw.nozzle_type), num(raw.nozzle_diameter)) : code
}

export const activeTray: Section<ActiveTray> = {
  fields: TRAY_FIELDS,
  context: ['loaded'],
  read: readActiveTray
}

function readActiveTray (raw: Raw, input: DecodeInput): ActiveTray {
  const all = extruders.read(raw, input)
  const tool = input.dual ? activeExtruder(raw) : -1
  const active = all.find(({ id }) => id === tool)
  const place = active?.tray
  return {
    id: trayId(place, input.dual),
    amsId: place === undefined || isHolder(place.amsId) ? -1 : place.amsId,
    slot: place === undefined ? -1 : isHolder(place.amsId) ? place.amsId : place.slot,
    targetId: trayId(active?.targetTray, input.dual),
    state: movingState(raw) ?? active?.trayState ?? 'UNLOADED',
    tool,
    external: place !== undefined && isHolder(place.amsId)
  }
}

/** Dual printers count within the unit, single-extruder ones over all units. */
function trayId (place: TrayPlace | undefined, dual: boolean): number {
  if (place === undefined) return -1
  if (isHolder(place.amsId)) return dual ? place.amsId : HOLDER_LEFT
  return dual ? place.slot : wireTrayId(place.amsId, place.slot)
}
