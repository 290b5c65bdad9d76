import type { Kernel } from '../../core/index.js'
import { LONGEST_MINUTES } from './soak/limits.js'
import type { HeatRecord, Snapshot } from './types.js'

type Printers = Pick<Kernel['printers'], 'config'>

interface Group {
  readonly name: string
  readonly printers: readonly string[]
  readonly spacingSeconds: number
}

/** Least time between the starts of two prints in a group, and whose starts they are. */
export interface Spacing {
  readonly group: string
  readonly ms: number
  /** Names of its printers. */
  readonly names: readonly string[]
  /** Serial numbers of those that are known here. */
  readonly serials: readonly string[]
}

const MINUTE_MS = 60_000
/** A turn must come by then: after a minute more, a warming is given up. */
const LAST_TURN_MS = LONGEST_MINUTES * MINUTE_MS

const spacingOf = ({ name, printers, spacingSeconds }: Group, { config }: Printers): Spacing => ({
  group: name,
  ms: spacingSeconds * 1_000,
  names: printers,
  serials: printers.flatMap(printer => config(printer)?.serial ?? [])
})

/** @param groups of one printer */
export const spacingsOf = (groups: readonly Group[], printers: Printers): readonly Spacing[] =>
  groups.filter(({ spacingSeconds }) => spacingSeconds > 0).map(group => spacingOf(group, printers))

/**
 * Until when a group starts nothing else, since a printer that is being warmed would have no turn left in its hour; 0:
 * it would have one, or has missed it.
 */
export function keptUntil ({ heatedAt }: Pick<HeatRecord, 'heatedAt'>, spacingMs: number, now: number): number {
  const last = heatedAt + LAST_TURN_MS
  const end = last + MINUTE_MS
  return now < end && last < now + spacingMs ? end : 0
}

/** When a group has started a print last, or what has the same effect while the turn of a warmed printer is kept. */
export function lastStart (
  group: Group, { groupStarts, heats, runs }: Pick<Snapshot, 'groupStarts' | 'heats' | 'runs'>, printers: Printers, now: number
): number {
  const startedAt = groupStarts.get(group.name) ?? 0
  if (group.spacingSeconds === 0) return startedAt
  const { ms, names, serials } = spacingOf(group, printers)
  const own = [...heats].filter(([serial, { run, printer }]) => (serials.includes(serial) || names.includes(printer)) &&
    runs.some(({ id, state }) => id === run && state === 'preparing'))
  return Math.max(startedAt, ...own.map(([, heat]) => keptUntil(heat, ms, now) - ms))
}
