// What slots are called, as the service names them in messages (core/printer/slot-name.ts).

import { unitName } from './format.js'
import { t } from './shell.js'

const FIRST_SINGLE = 128
const HOLDERS = 254
const UNITS_OF_FOUR = 4

/**
 * What a slot is called, such as `AMS A · slot 2`.
 * @param {{ ams_id: number, slot: number }} place an external holder has a negative unit, or one from 254
 * @param {string} [side] `left` or `right`, where there are two holders
 */
export function slotName ({ ams_id: unit, slot }, side = '') {
  if (unit < 0 || unit >= HOLDERS) return t(['slot.external', side].filter(Boolean).join('.'))
  return unit >= FIRST_SINGLE ? unitName(unit) : t('slot.name', { unit: unitName(unit), slot: slot + 1 })
}

/** What a tray number of mappings is called. @param {number} tray */
export const trayName = tray => slotName(tray >= FIRST_SINGLE
  ? { ams_id: tray, slot: 0 }
  : { ams_id: Math.floor(tray / UNITS_OF_FOUR), slot: tray % UNITS_OF_FOUR })

const PLACE = /^ams (\d+) slot (\d+)$/

/** What a place of records is called, such as `ams 0 slot 1` or `external left`. @param {string} place */
export function placeName (place) {
  const [, unit, slot] = PLACE.exec(place) ?? []
  if (unit !== undefined) return slotName({ ams_id: Number(unit), slot: Number(slot) })
  return slotName({ ams_id: -1, slot: 0 }, place.endsWith('left') ? 'left' : '')
}
