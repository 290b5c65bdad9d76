import { settled, type Level } from './balances.js'
import type { ChangeRow, SpoolRow, UseRow } from './tables.js'
import type { ChangeKind } from './types.js'

export type EntryKind = ChangeKind | 'print' | 'added'

/** One reason why the remainder of a spool changed. */
export interface Entry {
  readonly id: string
  readonly kind: EntryKind
  readonly at: number
  /** By how much the remainder grew, g; negative: it shrank. */
  readonly grams: number
  /** What was left after it, g; undefined while that was unknown. */
  readonly left: number | undefined
  /** Who did it; for a print the printer. */
  readonly by: string
  readonly note: string
  /** Id of the print in the history; empty for others. */
  readonly print: string
  readonly weighing: Weighing | undefined
}

/** What a scale says of a spool, compared with what was counted. */
export interface Weighing {
  readonly spool: string
  readonly at: number
  readonly gross: number
  readonly empty: number
  readonly expected: number
  readonly measured: number
  /** Since when prints were counted without a scale. */
  readonly since: number
  /** Counted since then, g. */
  readonly counted: number
  /** Counted too little since then, g; negative: too much. */
  readonly error: number
  /** Printers that used it since then. */
  readonly printers: readonly string[]
  /** Of prints that were counted only after it, g. */
  readonly late: number
  /** A print was in progress, and what it had used is not exactly known. */
  readonly isUnsure: boolean
}

type Use = Pick<UseRow, 'id' | 'print' | 'spool' | 'printer' | 'grams' | 'at'>
type Start = Pick<SpoolRow, 'id' | 'created_at'>

/** Whether a row says how much there is, so that what was counted before matters no more. */
const isAnchor = ({ kind }: ChangeRow): boolean => kind === 'weighed' || kind === 'corrected' || kind === 'imported'

/**
 * Weighings of one spool, each with what was counted since it was last known how much there is.
 * @param uses counted ones, oldest first @param changes oldest first
 */
export function weighingsOf (start: Start, uses: readonly Use[], changes: readonly ChangeRow[]): Weighing[] {
  const both = settled(uses, changes)
  return weighingsIn(start, both.uses, both.changes)
}

function weighingsIn (
  { id, created_at: createdAt }: Start, uses: readonly Pick<Use, 'printer' | 'grams' | 'at'>[], changes: readonly Level[]
): Weighing[] {
  const found: Weighing[] = []
  let since = createdAt
  let next = 0
  for (const change of changes) {
    if (!isAnchor(change)) continue
    const between: Pick<Use, 'printer' | 'grams'>[] = []
    for (let use = uses[next]; use !== undefined && use.at <= change.at; use = uses[++next]) between.push(use)
    const { kind, at, gross, empty, expected, late, isUnsure } = change
    if (kind === 'weighed' && gross !== null && empty !== null && expected !== null) {
      found.push({
        spool: id,
        at,
        gross,
        empty,
        expected,
        measured: gross - empty,
        since,
        counted: between.reduce((sum, { grams }) => sum + grams, 0),
        error: expected - (gross - empty),
        printers: [...new Set(between.map(({ printer }) => printer))].sort(),
        late,
        isUnsure
      })
    }
    since = at
  }
  return found
}

/**
 * Why the remainder of a spool is what it is, newest first.
 * @param row with what was used before this service counted
 */
export function entriesOf (row: SpoolRow, allUses: readonly UseRow[], allChanges: readonly ChangeRow[]): Entry[] {
  const { uses, changes } = settled(allUses, allChanges)
  const weighings = new Map(weighingsIn(row, uses, changes).map(weighing => [weighing.at, weighing]))
  const printed = uses.map(({ id, at, grams, printer, print }) =>
    ({ id, kind: 'print' as const, at, grams: -grams, by: printer, note: '', print, isFirst: false, weighing: undefined }))
  const changed = changes.map(({ id, kind, at, grams, made_by: by, note, expected }) => ({
    id, kind, at, grams, by, note, print: '', isFirst: expected === null, weighing: kind === 'weighed' ? weighings.get(at) : undefined
  }))
  // A correction that was made in the same moment as a print was counted was made after it.
  const order = [...printed, ...changed].sort((a, b) => a.at - b.at || Number(a.kind !== 'print') - Number(b.kind !== 'print'))
  const total = order.reduce((sum, { kind, grams }) => kind === 'net' ? sum : sum + grams, 0)
  let left = row.net === null ? undefined : row.net - row.used + total
  const entries: Entry[] = []
  for (const { isFirst, ...entry } of order.reverse()) {
    entries.push({ ...entry, left })
    left = isFirst || left === undefined ? undefined : left - entry.grams
  }
  const grams = left ?? 0
  entries.push({ id: `${row.id}/added`, kind: 'added', at: row.created_at, grams, left, by: '', note: '', print: '', weighing: undefined })
  return entries
}

/** Mean and spread of what was counted too little, as a share of what was counted, in percent. */
export interface Accuracy {
  readonly name: string
  readonly weighings: number
  readonly counted: number
  readonly error: number
  /** Undefined when nothing was counted. */
  readonly mean: number | undefined
  /** Standard deviation over weighings; undefined for fewer than two. */
  readonly spread: number | undefined
}

/** Less than this says more about the scale than about the count. */
const LEAST_COUNTED_GRAMS = 20

/** @param nameOf what a weighing belongs to; undefined: to none */
export function accuracyBy (
  weighings: readonly Weighing[], nameOf: (weighing: Weighing) => string | undefined
): Accuracy[] {
  const groups = new Map<string, Weighing[]>()
  for (const weighing of weighings) {
    const name = weighing.counted < LEAST_COUNTED_GRAMS ? undefined : nameOf(weighing)
    if (name !== undefined) groups.set(name, [...groups.get(name) ?? [], weighing])
  }
  return [...groups].map(([name, own]) => {
    const shares = own.map(({ error, counted }) => error / counted * 100)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1)
    return {
      name,
      weighings: own.length,
      counted: own.reduce((sum, { counted }) => sum + counted, 0),
      error: own.reduce((sum, { error }) => sum + error, 0),
      mean,
      spread: shares.length > 1 ? Math.sqrt(variance) : undefined
    }
  }).sort((a, b) => b.weighings - a.weighings || a.name.localeCompare(b.name))
}
