// Pure functions: filtering and order of printers.

/** @typedef {any} Printer as in `GET /api/fleet` */

/** Filters by state; the first passes everything. */
export const GROUPS = {
  all: () => true,
  needs: ({ needs_person: needs }) => needs,
  printing: ({ condition }) => condition === 'printing' || condition === 'preparing',
  plates: ({ need }) => need === 'plate',
  free: ({ is_free: isFree }) => isFree,
  offline: ({ condition }) => condition === 'offline' || condition === 'stale'
}

/** @param {readonly Printer[]} printers @param {Record<string, { rank: number }>} conditions */
export const sorted = (printers, conditions) => [...printers].sort((a, b) =>
  Number(b.needs_person) - Number(a.needs_person) ||
  conditions[a.condition].rank - conditions[b.condition].rank || a.name.localeCompare(b.name, 'en', { numeric: true }))

const textOf = ({ name, job, tags }) => [name, job?.name ?? '', ...tags].join(' ')

/**
 * @param {readonly Printer[]} printers
 * @param {{ text: string, group: string, model: string, filament: string, tag: string }} filter empty fields
 *   pass everything
 */
export const filtered = (printers, { text, group, model, filament, tag }) => {
  const wanted = text.trim().toLowerCase()
  return printers.filter(printer => GROUPS[group](printer) &&
    (wanted === '' || textOf(printer).toLowerCase().includes(wanted)) &&
    (tag === '' || printer.tags.includes(tag)) &&
    (model === '' || printer.model === model) &&
    (filament === '' || printer.filaments.includes(filament)))
}

/** @param {readonly Printer[]} printers */
export const countsOf = printers => Object.fromEntries(Object.entries(GROUPS)
  .map(([group, isIn]) => [group, printers.filter(isIn).length]))

/** When the next print ends; undefined while none runs. @param {readonly Printer[]} printers */
export const nextFree = printers => printers.flatMap(({ job }) => job?.ends_at ?? []).sort()[0]

/** Distinct values, sorted. @param {readonly string[]} values */
export const choices = values => [...new Set(values)].filter(value => value !== '').sort()

/** What matters most, as the key of a text. @param {Record<string, number>} counts */
export function headlineOf ({ all, needs, printing, free }) {
  if (all === 0) return { key: 'fleet.head.none', count: 0 }
  if (needs > 0) return { key: 'fleet.head.needs', count: needs }
  if (printing > 0) return { key: 'fleet.head.printing', count: printing }
  return free > 0 ? { key: 'fleet.head.free', count: free } : { key: 'fleet.head.away', count: 0 }
}
