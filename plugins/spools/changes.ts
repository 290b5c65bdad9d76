import { randomUUID } from 'node:crypto'
import { BadInput } from '../../core/index.js'
import { NOTHING_RUNS } from './balances.js'
import { columnsOf, type Details } from './details.js'
import type { Changed } from './store.js'
import type { ChangeRow, SpoolRow } from './tables.js'

export interface NewSpool {
  readonly name: string
  readonly material: string
  readonly color?: string
  readonly tag?: string
  readonly netGrams?: number
  readonly usedGrams?: number
  readonly details?: Details
}
export interface SpoolChanges extends Partial<NewSpool> { readonly archived?: boolean }

/** Who changes something, and when. */
export interface Made { readonly by: string, readonly at: number }

/** A row of the history of a spool. */
export const changeOf = ({ id, net, used }: Pick<SpoolRow, 'id' | 'net' | 'used'>, { by, at }: Made,
  row: Pick<ChangeRow, 'kind' | 'grams'> & Partial<ChangeRow>): ChangeRow => ({
  id: randomUUID(), spool: id, at, made_by: by, note: '', gross: null, empty: null, running: '', expected: net === null ? null : net - used, ...row
})

/**
 * What a person changes of a spool. The amount is changed by rows, so that its history says who did it.
 * @param row with `used` as of now @param running what prints in progress have used of it
 * @throws PRN_ERR_BAD_INPUT if nothing is changed
 */
export function changedBy (row: SpoolRow, changes: SpoolChanges, made: Made, running = ''): Changed {
  const { name, material, color, tag, netGrams, usedGrams, archived, details = {} } = changes
  const columns = {
    ...(name !== undefined && { name }),
    ...(material !== undefined && { material }),
    ...(color !== undefined && { color }),
    ...(tag !== undefined && { tag }),
    ...(netGrams !== undefined && { net: netGrams }),
    ...(archived !== undefined && { archived: Number(archived), archived_at: archived ? made.at : null }),
    ...columnsOf(details)
  }
  if (Object.keys(columns).length === 0 && usedGrams === undefined) {
    throw new BadInput('Nothing to change was given: name, material, color, tag, net_g, used_g, archived or a detail')
  }
  const isOtherNet = netGrams !== undefined && netGrams !== row.net
  const net = isOtherNet ? [changeOf(row, made, { kind: 'net', grams: netGrams - (row.net ?? row.used) })] : []
  const grams = usedGrams === undefined ? 0 : row.used - usedGrams
  const after = { ...row, net: netGrams ?? row.net }
  return { columns, changes: [...net, ...grams === 0 ? [] : [changeOf(after, made, { kind: 'corrected', grams, running })]] }
}

/** A weighed spool. The first weighing of one whose amount was unknown says how much was on it when it was new. */
export function weighed (row: SpoolRow, gross: number, empty: number, made: Made, running = ''): Changed {
  const measured = gross - empty
  const known = { kind: 'weighed', gross, empty, running } as const
  if (row.net === null) {
    return { columns: { net: measured + row.used }, changes: [changeOf(row, made, { ...known, grams: 0 })] }
  }
  return { columns: {}, changes: [changeOf(row, made, { ...known, grams: measured - (row.net - row.used) })] }
}

/** @param grams undefined: all that is left, and the spool is archived */
export function thrownAway (row: SpoolRow, grams: number | undefined, note: string, made: Made, running = ''): Changed {
  const left = row.net === null ? 0 : row.net - row.used
  const lost = grams ?? Math.max(0, left)
  const changes = lost === 0 ? [] : [changeOf(row, made, { kind: 'thrown', grams: -lost, note, running: grams === undefined ? running || NOTHING_RUNS : '' })]
  return { columns: grams === undefined ? { archived: 1, archived_at: made.at } : {}, changes }
}
