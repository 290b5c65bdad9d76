// Which spools of the list are shown. Pure.

/** What is chosen above the list; empty: everything. */
export const NO_FILTER = { text: '', material: '', brand: '', place: '', state: '' }

/** Less than this share of a spool is little. */
export const LOW = 0.15

const isBegun = ({ opened_at: opened, left_g: left, net_g: net }) =>
  opened !== null || (left !== null && net !== null && left < net)

const STATES = {
  '': ({ archived }) => !archived,
  opened: spool => !spool.archived && isBegun(spool),
  new: spool => !spool.archived && !isBegun(spool),
  low: ({ archived, left_g: left, net_g: net }) => !archived && left !== null && net !== null && left < net * LOW,
  archived: ({ archived }) => archived
}
export const STATE_NAMES = Object.keys(STATES).filter(name => name !== '')

/** With what is known of type and place, and the text that a search looks through. */
export function describe (spool, types, places, slots, wordsOf) {
  const type = types.get(spool.type)
  const place = places.get(spool.place)
  const slot = slots.get(spool.id)
  const own = [wordsOf(spool), spool.id, spool.color, spool.lot, spool.notes, spool.tag]
  const text = [...own, type?.brand, type?.line, type?.color_name, place?.name]
    .filter(Boolean).join(' ').toLowerCase()
  return { spool, type, place, slot, text }
}

/** @param {readonly any[]} rows of `describe` @param {typeof NO_FILTER} filter */
export function filtered (rows, { text, material, brand, place, state }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isIn = STATES[state] ?? STATES['']
  return rows.filter(row => isIn(row.spool) && (material === '' || row.spool.material === material) &&
    (brand === '' || row.type?.brand === brand) && (place === '' || row.spool.place === place) && words.every(word => row.text.includes(word)))
}

/** Values of a filter, each once, in order. @param {readonly (string | undefined)[]} values */
export const choices = values => [...new Set(values)].filter(value => value !== undefined && value !== '').sort()

/** How many, how much is left, and what that is worth by currency. */
export function summaryOf (rows) {
  const worth = new Map()
  let left = 0
  for (const { spool, type } of rows) {
    left += spool.left_g ?? 0
    const price = spool.price ?? type?.price
    const net = spool.net_g ?? type?.net_g
    if (price === null || price === undefined || !net || spool.left_g === null) continue
    const currency = spool.price === null ? type?.currency ?? '' : spool.currency
    worth.set(currency, (worth.get(currency) ?? 0) + price * spool.left_g / net)
  }
  return { count: rows.length, left, worth: [...worth] }
}
