import { pieceId, type PrintView } from '../history/index.js'
import { spoolIn, type Whereabouts } from './slots.js'
import type { UseRow } from './tables.js'
import type { Spool, SpoolKeeper } from './types.js'

interface Known {
  readonly keeper: Pick<SpoolKeeper, 'kind' | 'spools'>
  readonly whereabouts: Whereabouts
  readonly now: number
}

/**
 * The uses of an ended print at its end, a row for each spool of each filament; filaments of unknown weight are left
 * out.
 */
export const usesOf = (print: Pick<PrintView, 'id' | 'serial' | 'printer' | 'filaments' | 'ended_at'>,
  { keeper, whereabouts, now }: Known): UseRow[] => print.filaments.flatMap((filament, at) => {
  const { place, material, grams } = filament
  if (grams === null || grams <= 0) return []
  const spool = spoolIn({ ...filament, serial: print.serial }, whereabouts, keeper.spools)
  const state = spool === undefined ? 'unknown' : keeper.kind === 'prnd' ? 'done' : 'waiting'
  return [{
    id: `${print.id}/${pieceId(print.filaments, at)}`,
    print: print.id,
    spool: spool?.id ?? '',
    printer: print.printer,
    place,
    material,
    grams,
    state,
    before: null,
    problem: null,
    at: Math.min(print.ended_at ?? now, now), // another host's clock may be ahead
    sent_at: null
  }]
})

export interface Shortage {
  readonly spool: Spool | undefined
  readonly place: string
  readonly material: string
  readonly neededGrams: number
  readonly leftGrams: number
}

interface Wanted { readonly filament: number, readonly place: string, readonly plannedGrams: number | undefined }

/** Spools that will not last. @param leftOf the spool in a place and how much is left; undefined when unknown */
export function shortagesOf<F extends Wanted & { readonly material: string }> (filaments: readonly F[],
  leftOf: (filament: F) => { readonly spool: Spool | undefined, readonly grams: number } | undefined): Shortage[] {
  const byPlace = new Map<string, F[]>()
  for (const filament of filaments) {
    if (filament.place !== '') byPlace.set(filament.place, [...byPlace.get(filament.place) ?? [], filament])
  }
  return [...byPlace].flatMap(([place, sharing]) => {
    const [first] = sharing
    const left = first && leftOf(first)
    const needed = sharing.reduce((sum, { plannedGrams = 0 }) => sum + plannedGrams, 0)
    if (first === undefined || left === undefined || needed <= left.grams) return []
    const { material } = first
    return [{ spool: left.spool, place, material, neededGrams: needed, leftGrams: left.grams }]
  })
}
