// Pure: which printers are shown, and in which order.

/** @typedef {any} Printer as `GET /api/fleet` tells it */

/** What each filter by state lets through; the first lets everything. */
export const GROUPS = {
  all: () => true,
  needs: ({ needs_person: needs }) => needs,
  printing: ({ condition }) => condition === 'printing' || condition === 'preparing',
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
 * @param {{ text: string, group: string, model: string, filament: string, tag: string }} filter what is empty lets
 *   everything through
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

/** Every value once, in order. @param {readonly string[]} values */
export const choices = values => [...new Set(values)].filter(value => value !== '').sort()
