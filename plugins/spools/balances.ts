import type { RunningPrint } from '../history/index.js'
import type { ChangeRow, UseRow } from './tables.js'
import type { ChangeKind } from './types.js'

/** Kinds of changes after which the remainder is what a person has seen; `thrown` only if nothing was left. */
export const LEVELS: readonly ChangeKind[] = ['weighed', 'corrected', 'thrown']
/** Stored with a level where no print is in progress, so that a part thrown away is told from all of it. */
export const NOTHING_RUNS = '{}'

export const isLevel = ({ kind, running }: Pick<ChangeRow, 'kind' | 'running'>): boolean => kind !== 'thrown' || running !== ''

/** What a print in progress had used of a spool at some moment. */
interface UsedThen {
  /** g; null: not known. */
  readonly grams: number | null
  /** Whether it was counted by layers, from reports of that moment. */
  readonly isSure: boolean
}
type Running = Readonly<Record<string, UsedThen>>

/** What prints in progress have used of one spool, as stored with a weighing. @param isOf whether it is of the spool */
export function runningText (
  prints: readonly RunningPrint[], isOf: (print: RunningPrint, filament: RunningPrint['filaments'][number]) => boolean
): string {
  const used = prints.flatMap((print): [string, UsedThen][] => {
    const own = print.filaments.filter(filament => isOf(print, filament))
    if (own.length === 0) return []
    const grams = own.map(({ grams }) => grams)
    const isKnown = grams.every(value => value !== null)
    return [[print.id, {
      grams: isKnown ? grams.reduce((sum: number, value) => sum + (value ?? 0), 0) : null,
      isSure: isKnown && print.isCurrent && own.every(({ grams_basis: basis }) => basis === 'layers')
    }]]
  })
  return used.length === 0 ? '' : JSON.stringify(Object.fromEntries(used))
}

const runningIn = ({ running }: Pick<ChangeRow, 'running'>): Running => running === '' ? {} : JSON.parse(running)

/** Marks a balance whose amount is a guess. */
const UNSURE = 'unsure'

/**
 * What weighings have seen of a print that is counted after them: all of it by the first one after its end, and by one
 * during the print what had been used until then. If that is not known, nothing is balanced, and the row says so.
 * @param uses of one print and one spool @param levels those rows of that spool since the print began, oldest first
 */
export function balancesOf (uses: readonly UseRow[], levels: readonly ChangeRow[]): ChangeRow[] {
  const [first] = uses
  if (first === undefined) return []
  const { print, at: endedAt } = first
  const whole = uses.reduce((sum, { grams }) => sum + grams, 0)
  const rows: ChangeRow[] = []
  let seen = 0
  for (const level of levels) {
    const hasEnded = level.at >= endedAt
    const then = runningIn(level)[print]
    // Nothing is taken from a spool that is no longer there, whenever its print ends.
    const isAll = hasEnded || level.kind === 'thrown'
    const until = isAll ? whole : Math.min(whole, then?.grams ?? seen)
    const grams = Math.max(0, until - seen)
    rows.push({
      id: `${level.id}/${print}`,
      spool: level.spool,
      kind: 'balanced',
      grams,
      at: level.at,
      made_by: '',
      note: print,
      gross: null,
      empty: null,
      expected: null,
      running: isAll || then?.isSure === true ? '' : UNSURE
    })
    seen = Math.max(seen, until)
    if (isAll) break
  }
  return rows
}

/** A change with what was balanced for it later. */
export interface Level extends ChangeRow {
  /** Of prints that were counted after it, g. */
  readonly late: number
  /** A print was in progress, and what it had used is not exactly known. */
  readonly isUnsure: boolean
}

/** A part of a use, before or after a weighing during the print. */
type Part<U> = U & { readonly id: string, readonly grams: number, readonly at: number }

/**
 * Changes with their balances, and uses divided where a spool was weighed during the print.
 * @param changes of one spool, oldest first
 */
export function settled<U extends Pick<UseRow, 'id' | 'print' | 'grams' | 'at'>> (
  uses: readonly U[], changes: readonly ChangeRow[]
): { readonly uses: readonly Part<U>[], readonly changes: readonly Level[] } {
  const balances = changes.filter(({ kind }) => kind === 'balanced')
  const byLevel = new Map<string, ChangeRow[]>()
  for (const balance of balances) {
    const level = balance.id.slice(0, balance.id.length - balance.note.length - 1)
    byLevel.set(level, [...byLevel.get(level) ?? [], balance])
  }
  return {
    uses: balances.length === 0 ? uses : divided(uses, balances),
    changes: changes.filter(({ kind }) => kind !== 'balanced').map(change => {
      const own = byLevel.get(change.id) ?? []
      const late = own.reduce((sum, { grams }) => sum + grams, 0)
      const expected = change.expected === null ? null : change.expected - late
      const isUnsure = own.some(({ running }) => running === UNSURE)
      return { ...change, expected, grams: change.grams + late, late, isUnsure }
    })
  }
}

function divided<U extends Pick<UseRow, 'id' | 'print' | 'grams' | 'at'>> (
  uses: readonly U[], balances: readonly ChangeRow[]
): Part<U>[] {
  const left = new Map(balances.map(balance => [balance, balance.grams]))
  const parts = uses.flatMap(use => {
    const own: Part<U>[] = []
    let rest = use.grams
    for (const balance of balances) {
      const grams = Math.min(rest, left.get(balance) ?? 0)
      if (balance.note !== use.print || balance.at >= use.at || grams <= 0) continue
      left.set(balance, (left.get(balance) ?? 0) - grams)
      rest -= grams
      own.push({ ...use, id: `${use.id}/${balance.id}`, grams, at: balance.at })
    }
    return rest > 0 || own.length === 0 ? [...own, { ...use, grams: rest }] : own
  })
  return parts.sort((a, b) => a.at - b.at)
}
