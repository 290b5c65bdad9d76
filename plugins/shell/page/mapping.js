// Pure: which spool each filament of a plate is printed with.

import { colorOf } from './format.js'

const UNUSED = -1

/** Spools that a print may draw from, with the numbers that a print takes. @param {any} view */
export const spoolsOf = view => [
  ...view.units.flatMap(unit => unit.slots.filter(({ there }) => there)
    .map(slot => ({ ...slot, unit: unit.name }))),
  ...view.externals
]

/**
 * What is proposed: the service's own choice where it makes one, else a spool of the same type, the nearest colour
 * among several first.
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
  const nearest = ({ colors }) => Math.min(...colors.map(one => distance(one, color)))
  return same.toSorted((a, b) => byNumber(nearest(a), nearest(b)))[0]
}

/** One whose colour nobody knows comes last. */
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

/**
 * What is said of a mapping that was judged. The reason of a refusal that can be accepted is what the warnings say, and
 * so is that of one for lack of a spool.
 * @param {{ warnings: readonly any[], error: string }} judged
 */
export function warningLines ({ warnings, error }) {
  const lines = warnings.map(({ message }) => message)
  return error === '' || lines.some(line => error.includes(line)) ? lines : [error, ...lines]
}

/** @param {readonly number[]} mapping @param {number} filament its id @param {number} tray */
export const withTray = (mapping, filament, tray) => mapping.map((old, at) => at === filament - 1 ? tray : old)

/** Filaments without a spool. @param {readonly any[]} filaments @param {readonly number[]} mapping */
export const unmapped = (filaments, mapping) => filaments.filter(({ id }) => (mapping[id - 1] ?? UNUSED) === UNUSED)
