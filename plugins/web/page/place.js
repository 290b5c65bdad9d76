import { slotName, t } from 'shell'

const FIRST_SINGLE = 128

/** Name of a spool's place. @param {{ ams: number, slot: number, place: string }} slot */
export const placeOf = ({ ams, slot, place }) => slotName({ ams_id: ams, slot }, ['left', 'right'].includes(place) ? place : '')

/**
 * The same below the name of its unit; empty in a unit of one slot.
 * @param {{ ams: number, slot: number, place: string }} spool
 */
export const placeInUnit = spool => spool.place !== 'slot'
  ? placeOf(spool)
  : spool.ams >= FIRST_SINGLE ? '' : t('slot.short', { slot: spool.slot + 1 })
