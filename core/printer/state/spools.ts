import {
  A2L_LITE, ESTIMATE_FIELDS, estimatesRemaining, FIRST_HT, isLoneLite, reportedUnits, slotBit, UNIT_FIELDS, unitModel
} from './ams.js'
import { hex, hexBit, int, list, num, part, text, type Raw } from './raw.js'
import type { DecodeInput, Section } from './section.js'
import type { Spool, TrayPlace } from './types.js'

export const spools: Section<readonly Spool[]> = {
  fields: [...UNIT_FIELDS, ...ESTIMATE_FIELDS, 'ams.tray_exist_bits', 'vt_tray', 'vir_slot'],
  context: ['modules'],
  read: readSpools
}

/** External holders: the only or left one, and the right one of a dual printer. */
export const HOLDER_LEFT = 254
export const HOLDER_RIGHT = 255
export const isHolder = (id: number): boolean => id === HOLDER_LEFT || id === HOLDER_RIGHT

const EMPTY_COLOR = '00000000'

/** Units below the A2L's built-in one count over all units, and that one counts its slots from 0. */
const countedId = (amsId: number, slot: number): number => amsId < A2L_LITE ? amsId * 4 + slot : slot

/** Product id of a slot: unit*4+slot, AMS HT from 16. Commands count those from 128 instead; see {@link wireTrayId}. */
export const spoolId = (amsId: number, slot: number): number =>
  amsId >= FIRST_HT ? 16 + amsId - FIRST_HT : countedId(amsId, slot)

/** Absolute tray id on the wire: unit*4+slot, or the unit id of an AMS HT. */
export const wireTrayId = (amsId: number, slot: number): number =>
  amsId >= FIRST_HT ? amsId : countedId(amsId, slot)

/**
 * The unit and slot of an absolute tray id on the wire; undefined if there is none.
 * @param unitIds the printer's units, as far as they are known: only they tell whose slots 0 to 3 are
 */
export function placeOfTray (trayId: number, unitIds: readonly number[] = []): TrayPlace | undefined {
  if (!Number.isInteger(trayId) || trayId < 0) return undefined
  if (isHolder(trayId)) return { amsId: trayId, slot: 0 }
  if (trayId >= FIRST_HT && trayId <= 135) return { amsId: trayId, slot: 0 }
  if (trayId < 4 && isLoneLite(unitIds)) return { amsId: A2L_LITE, slot: trayId }
  return trayId <= 103 ? { amsId: trayId >> 2, slot: trayId & 3 } : undefined
}

function readSpools (raw: Raw, input: DecodeInput): readonly Spool[] {
  const ams = part(raw, 'ams')
  const exist = ams.tray_exist_bits === undefined ? undefined : hex(ams.tray_exist_bits)
  const estimates = estimatesRemaining(raw) ?? true
  const inUnits = reportedUnits(raw).flatMap(unit => {
    const measures = estimates && unitModel(unit, input.context.modules) !== 'AMS_LITE'
    return list(unit.tray)
      .map(tray => readSlot(tray, int(unit.id), exist, measures))
      .toSorted((a, b) => a.slot - b.slot)
  })
  return [...inUnits, ...readHolders(raw, input)]
}

/** @param measures the unit estimates the remaining filament of spools with an RFID tag */
function readSlot (tray: Raw, amsId: number, exist: string | undefined, measures: boolean): Spool {
  const slot = int(tray.id)
  const id = spoolId(amsId, slot)
  const gone = exist !== undefined && !hexBit(exist, slotBit(amsId, slot))
  const spool = readSpool(gone ? {} : tray, { id, amsId, slot })
  const remainingPercent = spool.remainingPercent === 0 && !(measures && hasTag(spool)) ? -1 : spool.remainingPercent
  return {
    ...spool,
    remainingPercent,
    state: int(tray.state),
    present: !gone && (exist !== undefined || spool.type !== '')
  }
}

/** Without a tag both ids are zeros. */
const hasTag = ({ tagUid, trayUuid }: Spool): boolean => /[^0]/.test(tagUid + trayUuid)

/** Newer firmware sends both keys; the list is reliable. A lone holder is published as 254. */
function readHolders (raw: Raw, { dual }: DecodeInput): readonly Spool[] {
  const slots = list(raw.vir_slot)
  const single = part(raw, 'vt_tray')
  const reported = slots.length > 0 ? slots : raw.vt_tray === undefined ? [] : [single]
  return reported
    .map(tray => readHolder(tray, dual ? int(tray.id, HOLDER_LEFT) : HOLDER_LEFT))
    .filter((holder, at, all) => all.findIndex(({ id }) => id === holder.id) === at)
    .toSorted((a, b) => a.id - b.id)
}

function readHolder (tray: Raw, id: number): Spool {
  const spool = readSpool(tray, { id, amsId: -1, slot: id })
  return { ...spool, present: spool.type !== '', remainingPercent: -1 }
}

/** Twice the length of a tag, which others use as a key. */
const LONGEST_TAG = 64

function readSpool (tray: Raw, place: { id: number, amsId: number, slot: number }): Spool {
  // No spread: an object literal of this length that begins with one takes some 90 µs to create.
  return {
    id: place.id,
    amsId: place.amsId,
    slot: place.slot,
    present: false,
    name: text(tray.tray_id_name),
    type: text(tray.tray_type),
    subBrand: text(tray.tray_sub_brands),
    rgba: colorOf(tray.tray_color),
    colors: Array.isArray(tray.cols) ? tray.cols.map(colorOf) : [],
    filamentId: text(tray.tray_info_idx),
    k: num(tray.k),
    bedC: int(tray.bed_temp),
    nozzleMinC: int(tray.nozzle_temp_min),
    nozzleMaxC: int(tray.nozzle_temp_max),
    dryingC: int(tray.drying_temp, int(tray.tray_temp)),
    dryingHours: int(tray.drying_time, int(tray.tray_time)),
    remainingPercent: int(tray.remain, -1),
    state: int(tray.state),
    lengthMm: int(tray.total_len),
    weightG: int(tray.tray_weight),
    tagUid: text(tray.tag_uid),
    trayUuid: text(tray.tray_uuid).slice(0, LONGEST_TAG),
    caliIdx: int(tray.cali_idx, -1)
  }
}

const colorOf = (value: unknown): string => {
  const digits = text(value).toUpperCase().replace(/^#/, '')
  return /^[0-9A-F]{8}$/.test(digits) ? digits : /^[0-9A-F]{6}$/.test(digits) ? `${digits}FF` : EMPTY_COLOR
}
