import { A2L_LITE, FIRST_HT, slotBit, unitBit } from '../state/ams.js'
import { hex, hexBit, int } from '../state/raw.js'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tray states that mean "empty or unknown" if they come without any other field. */
const BLANK_STATES = new Set(['0', '8', '9', '10'])

function isBare (tray: Fields): boolean {
  for (const key in tray) {
    if (key !== 'id' && key !== 'state') return false
  }
  return true
}

/** A tray with only an id, or an id and one of the blank states, no longer has a spool. */
export const isBlankTray = (patch: Fields): boolean =>
  isBare(patch) && (patch.state === undefined || BLANK_STATES.has(String(patch.state)))

const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)

const TAGS = ['tag_uid', 'tray_uuid']

/** Periodic updates contain zeros for RFID tags that the full report had: the known tag stays. */
export function withoutLostTags (before: Fields, patch: Fields): Fields {
  const isLost = (key: string) => isZeros(patch[key]) && typeof before[key] === 'string' && !isZeros(before[key])
  if (!isLost('tag_uid') && !isLost('tray_uuid')) return patch
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !TAGS.includes(key) || !isLost(key)))
}

const isNoBits = (value: unknown) => /^0*$/.test(String(value))

/** True if a report clears all AMS bits; undefined if it has none. */
export function clearsAms ({ ams }: Fields): boolean | undefined {
  if (!isFields(ams) || ams.tray_exist_bits === undefined) return undefined
  return ams.power_on_flag === false && isNoBits(ams.tray_exist_bits) && isNoBits(ams.ams_exist_bits ?? '')
}

/** The report without its AMS bits. */
export function withoutAmsBits (body: Fields): Fields {
  const { tray_exist_bits: _trays, ams_exist_bits: _units, ...ams } = body.ams as Fields
  return { ...body, ams }
}

/** An `ams` patch without stale contents of empty slots, and with the known contents of filled ones. */
export function normalizeAmsPatch (before: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch
  const known = isFields(before) ? before : {}
  const bits = patch.tray_exist_bits ?? known.tray_exist_bits
  return dropRemovedSpools(keepFilledSlots(known, patch, bits), bits)
}

/** A cleared bit in `tray_exist_bits` empties its slot, although reports may still contain the removed spool. */
export const dropRemovedSpools = (ams: Fields, existBits: unknown = ams.tray_exist_bits): Fields =>
  mapTrays(ams, existBits, (tray, exists) => exists ? tray : emptied(tray))

/**
 * A set bit preserves the known contents of a slot that comes without any: a loaded AMS HT is reported with the state 9
 * only. Exchanging a spool clears the bit in between.
 */
const keepFilledSlots = (before: Fields, patch: Fields, existBits: unknown): Fields =>
  mapTrays(patch, existBits, (tray, exists, unitId) => {
    if (!exists || !isBlankTray(tray)) return tray
    const known = itemOf(itemOf(before.ams, unitId)?.tray, tray.id)
    return known === undefined || isBare(known) ? tray : { ...known, ...tray }
  })

/** @param change gets whether the slot's bit is set; nothing is changed without bits */
function mapTrays (ams: Fields, existBits: unknown,
  change: (tray: Fields, exists: boolean, unitId: unknown) => Fields): Fields {
  if (existBits === undefined || !Array.isArray(ams.ams)) return ams
  const exist = hex(existBits)
  const units = mapSame(ams.ams, (unit: unknown) => {
    if (!isFields(unit) || !Array.isArray(unit.tray)) return unit
    const trays = mapSame(unit.tray, (tray: unknown) =>
      isFields(tray) ? change(tray, hexBit(exist, slotBit(int(unit.id), int(tray.id))), unit.id) : tray)
    return trays === unit.tray ? unit : { ...unit, tray: trays }
  })
  return units === ams.ams ? ams : { ...ams, ams: units }
}

const itemOf = (list: unknown, id: unknown): Fields | undefined => Array.isArray(list)
  ? list.find((item): item is Fields => isFields(item) && String(item.id) === String(id))
  : undefined

/** Valid unit ids; `ams_exist_bits` says which of them are connected. */
const isUnitId = (id: number): boolean =>
  (id >= 0 && id < 4) || id === A2L_LITE || (id >= FIRST_HT && id < FIRST_HT + 8)

/**
 * The previous `ams` without units that a full report does not list: they may come from a corrupt report. Printers that
 * are being switched off send an empty list; it removes only units with invalid ids. A unit whose bit is set in
 * `ams_exist_bits` stays.
 */
export function onlyListedUnits (before: unknown, patch: unknown): unknown {
  if (!isFields(before) || !Array.isArray(before.ams) || !isFields(patch) || !Array.isArray(patch.ams)) return before
  const listed = new Set(patch.ams.map(unit => int(isFields(unit) ? unit.id : undefined, -1)))
  const exist = hex(patch.ams_exist_bits ?? before.ams_exist_bits)
  const isConnected = (id: number) => hexBit(exist, unitBit(id) ?? -1)
  const stays = (id: number) => listed.has(id) || (isUnitId(id) && (listed.size === 0 || isConnected(id)))
  const units = before.ams.filter(unit => stays(int((unit as Fields).id, -1)))
  return units.length === before.ams.length ? before : { ...before, ams: units }
}

function emptied (tray: Fields): Fields {
  if (isBare(tray)) return tray
  return tray.state === undefined ? { id: tray.id } : { id: tray.id, state: tray.state }
}

/** @returns the list itself if no item changed */
function mapSame (list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const out = list.map(change)
  return out.every((item, at) => item === list[at]) ? list : out
}
