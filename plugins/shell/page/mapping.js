// Which spool each filament of a plate is printed with. Pure.

import { colorOf } from './format.js'

const UNUSED = -1

/** Spools that a print can use, with their tray numbers. @param {any} view */
export const spoolsOf = view => [
  ...view.units.flatMap(unit => unit.slots.filter(({ there }) => there)
    .map(slot => ({ ...slot, unit: unit.name }))),
  ...view.externals
]

/**
 * The proposed mapping: the service's choice if there is one, else a spool of the same type with the nearest colour.
 * @param {readonly any[]} filaments `{ id, type, color }`
 * @param {readonly number[] | undefined} resolved trays by filament id - 1
 * @param {readonly any[]} spools
 */
export function proposalOf (filaments, resolved, spools) {
  const length = Math.max(0, resolved?.length ?? 0, ...filaments.map(({ id }) => id))
  const all = Array.from({ length }, (_, at) => resolved?.[at] ?? UNUSED)
  for (const { id, type, color } of filaments) {
    if (all[id - 1] === UNUSED) all[id - 1] = likest(type, color, spools)?.tray ?? UNUSED
  }
  return all
}

function likest (type, color, spools) {
  const same = spools.filter(spool => spool.type === type && spool.ams >= 0)
  if (colorOf(color) === undefined) return same[0]
  const nearest = ({ colors }) => Math.min(...colors.map(one => distance(one, color)))
  return same.toSorted((a, b) => byNumber(nearest(a), nearest(b)))[0]
}

/** Compares distances; Infinity, for a spool of unknown colour, sorts last. */
const byNumber = (a, b) => a === b ? 0 : a - b

const channels = text => {
  const hex = colorOf(text) ?? ''
  const named = { black: '#000000', white: '#ffffff' }[hex] ?? hex
  return [1, 3, 5].map(at => parseInt(named.slice(at, at + 2), 16) || 0)
}

function distance (one, other) {
  const [a, b] = [channels(one), channels(other)]
  return Math.hypot(...a.map((value, at) => value - b[at]))
}

/** As findings call the plates that commands name otherwise. */
const BEDS = { eng_plate: 'engineering_plate', hot_plate: 'high_temperature_plate', textured_plate: 'textured_pei_plate' }

/** The figures of a warning as they stand in its sentence. */
function valuesOf ({ filament, tray, figures }, { exactColor, number, slotName, t, timeText, trayName }) {
  const { side, wanted_color: color, colors, sliced, chosen, began_at: began } = figures
  const bed = name => t(`finding.bed.${BEDS[name] ?? name}`)
  return {
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, typeof value === 'number' ? number(value) : value])),
    id: filament,
    tray,
    place: side === undefined ? trayName(tray) : slotName({ ams_id: -1, slot: 0 }, side),
    ...(color !== undefined && { wanted: exactColor(color), holds: colors.split(', ').map(exactColor).join(' / ') }),
    ...(sliced !== undefined && { sliced: bed(sliced), chosen: bed(chosen) }),
    ...(began !== undefined && { time: timeText(began) })
  }
}

/**
 * The sentence of a warning: that of the service, where the page has none for it.
 * @param {any} warning as the API has it @param {any} words functions of the shell
 */
export function warningWords (warning, words) {
  const { code, message, figures } = warning
  if (figures === undefined) return message
  const key = [`warning.${code}.${figures.case}`, `warning.${code}`].find(key => words.hasText(key))
  return key === undefined ? message : words.t(key, valuesOf(warning, words))
}

/**
 * Messages about a mapping. An error that only repeats the warnings, or a missing spool, is left out.
 * @param {{ warnings: readonly any[], error: string }} judged
 * @param {any} [words] functions of the shell; without them the sentences are those of the service
 */
export function warningLines ({ warnings, error }, words) {
  const lines = warnings.map(warning => words ? warningWords(warning, words) : warning.message)
  return error === '' || warnings.some(({ message }) => error.includes(message)) ? lines : [error, ...lines]
}

/** True when a print would be refused unless the user accepts the warnings. */
export const needsAccept = ({ warnings }) => warnings.some(({ needs_accept: needs }) => needs)

/**
 * What a user accepts who ticks the box under the warnings: these sentences, nothing that comes true afterwards.
 * @param {{ warnings: readonly any[] }} judged
 * @returns {string[]}
 */
export const consentOf = ({ warnings }) =>
  warnings.filter(({ needs_accept: needs }) => needs).map(({ message }) => message)

/**
 * Changes when a judgement of a print may have changed: with what is loaded, and with each job on the plate.
 * @param {any} view
 */
export const conditionsOf = view => JSON.stringify([view.job.isBusy, view.job.start, spoolsOf(view)
  .map(({ tray, kind, colors, catalogue }) => [tray, kind, colors, catalogue])])

/** @param {readonly number[]} mapping @param {number} filament its id @param {number} tray */
export const withTray = (mapping, filament, tray) => mapping.map((old, at) => at === filament - 1 ? tray : old)

/** Filaments without a spool. @param {readonly any[]} filaments @param {readonly number[]} mapping */
export const unmapped = (filaments, mapping) => filaments.filter(({ id }) => (mapping[id - 1] ?? UNUSED) === UNUSED)
