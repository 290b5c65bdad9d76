import type { Filament } from '../read/slice-info.js'
import { EXCELLENT, score, verdictOf, type Score } from './score.js'
import type { LoadedSpool } from './trays.js'

export interface Match {
  readonly filament: Filament
  readonly spool: LoadedSpool
  readonly score: Score
  readonly pass: 'exact' | 'best-unused' | 'reuse'
  /** Another filament draws from the same spool. */
  readonly reused: boolean
}

export interface Resolution {
  /** Tray of each filament, index id - 1; -1 unused. */
  readonly mapping: readonly number[]
  readonly matches: readonly Match[]
  readonly unmatched: readonly Filament[]
}

/** Whether a spool can reach the nozzle that prints this filament. */
export type Reaches = (filament: Filament, spool: LoadedSpool) => boolean

const isNamed = ({ id, type, color }: Filament): boolean => id > 0 && type !== '' && color !== ''
const isExact = ({ sameType, distance, kinship }: Score): boolean =>
  sameType && distance === 0 && kinship !== 'variant'
/** The best match when the exact colour is not loaded: taken before other filaments get spools that suit them less. */
const isOwn = ({ sameType, kinship, distance }: Score): boolean => sameType && kinship === 'entry' && distance < EXCELLENT

interface Offer { readonly spool: LoadedSpool, readonly score: Score }

function offersFor (filament: Filament, spools: readonly LoadedSpool[], reaches: Reaches): readonly Offer[] {
  return spools.filter(spool => reaches(filament, spool)).flatMap(spool => {
    const found = score(filament, spool)
    return found?.acceptable === true ? [{ spool, score: found }] : []
  })
}

/** The first offer with the lowest score. */
const bestOf = (offers: readonly Offer[]): Offer | undefined =>
  offers.reduce<Offer | undefined>((best, offer) =>
    best && best.score.value <= offer.score.value ? best : offer, undefined)

/**
 * Finds a spool for every filament: first exact matches, then the best unused spools, then spools used twice.
 * The exact material of the catalogue is preferred to another of its product line, and that to a variant.
 */
export function resolveMapping (filaments: readonly Filament[], spools: readonly LoadedSpool[],
  reaches: Reaches = () => true): Resolution {
  const ordered = filaments.filter(isNamed).toSorted((a, b) => a.id - b.id)
  const matches = new Map<Filament, Match>()
  const used = new Set<LoadedSpool>()

  function match (pass: Match['pass'], choose: (offers: readonly Offer[]) => Offer | undefined): void {
    for (const filament of ordered.filter(filament => !matches.has(filament))) {
      const offers = offersFor(filament, spools, reaches)
      const offer = choose(offers)
      if (!offer) continue
      matches.set(filament, { ...offer, filament, pass, reused: used.has(offer.spool) })
      used.add(offer.spool)
    }
  }
  const unused = (offers: readonly Offer[]) => offers.filter(({ spool }) => !used.has(spool))
  const unusedThat = (offers: readonly Offer[], holds: (score: Score) => boolean) =>
    bestOf(unused(offers).filter(({ score }) => holds(score)))
  match('exact', offers => unusedThat(offers, score => isExact(score) && score.kinship === 'entry'))
  match('exact', offers => unusedThat(offers, isExact))
  match('best-unused', offers => unusedThat(offers, isOwn))
  match('best-unused', offers => unusedThat(offers, ({ kinship, distance }) => kinship !== 'variant' && distance < EXCELLENT))
  match('best-unused', offers => bestOf(unused(offers)))
  match('reuse', bestOf)

  const mapping = new Array<number>(Math.max(0, ...ordered.map(({ id }) => id))).fill(-1)
  for (const { filament, spool } of matches.values()) mapping[filament.id - 1] = spool.trayId
  return {
    mapping,
    matches: ordered.flatMap(filament => matches.get(filament) ?? []),
    unmatched: filaments.filter(filament => !matches.has(filament))
  }
}

/** A match, for callers. */
export function matchRecord ({ filament, spool, score: found, pass, reused }: Match) {
  return {
    id: filament.id,
    type: filament.type,
    color: filament.color,
    tray_id: spool.trayId,
    spool_type: spool.type,
    spool_color: spool.color,
    distance: Math.round(found.distance * 10) / 10,
    ...verdictOf(found),
    pass,
    reused
  }
}
