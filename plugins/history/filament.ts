import { HOLDER, type PlateMapping } from './places.js'
import type { Feed, Feeds, FilamentUse, PlannedFilament, Print } from './types.js'
import { gramsIn, type PlateCourse } from './used-by-layers.js'

/** A spool, and its share of a filament. */
interface Piece { readonly feed: Feed | undefined, readonly share: number }

const UNKNOWN_SPOOL: readonly Piece[] = [{ feed: undefined, share: 1 }]

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Shares by layers, else by time; spools without a share are left out. */
function sharesOf (feeds: readonly Feed[], weights: readonly (keyof Feed & ('amount' | 'seconds'))[]): readonly Piece[] {
  const by = weights.find(weight => feeds.some(feed => feed[weight] > 0))
  const last = feeds.at(-1)
  if (by === undefined) return last === undefined ? UNKNOWN_SPOOL : [{ feed: last, share: 1 }]
  const total = sum(feeds.map(feed => feed[by]))
  return feeds.filter(feed => feed[by] > 0).map(feed => ({ feed, share: feed[by] / total }))
}

/** Shares by the grams of the layers that each spool fed; undefined where that is not known. */
function sharesByGrams (plate: PlateCourse | undefined, filament: number, feeds: readonly Feed[]):
readonly Piece[] | undefined {
  if (plate === undefined) return undefined
  const grams = feeds.map(({ spans = [] }) => gramsIn(plate, filament, spans))
  const total = sum(grams)
  if (!(total > 0)) return undefined
  return feeds.flatMap((feed, at) => grams[at] ? [{ feed, share: grams[at] / total }] : [])
}

const isLike = ({ type, color }: PlannedFilament, feed: Feed): boolean =>
  type.toUpperCase() === feed.material.toUpperCase() && color !== '' && color.toUpperCase() === feed.color.toUpperCase()

/**
 * For several filaments without a known mapping: the only spool of the same material and colour belongs to a filament;
 * the other filaments share the rest by the time that each spool was in the nozzle.
 */
function matched (planned: readonly PlannedFilament[], feeds: readonly Feed[]): ReadonlyMap<number, readonly Piece[]> {
  const pairs = new Map(planned.flatMap((filament): [PlannedFilament, Feed][] => {
    const [feed, more] = feeds.filter(feed => isLike(filament, feed))
    const isOnly = feed !== undefined && more === undefined && planned.filter(other => isLike(other, feed)).length === 1
    return isOnly ? [[filament, feed]] : []
  }))
  const taken = new Set(pairs.values())
  const rest = feeds.filter(feed => !taken.has(feed))
  const shares = sharesOf(rest.length > 0 ? rest : feeds, ['seconds', 'amount'])
  return new Map(planned.map(filament => {
    const feed = pairs.get(filament)
    return [filament.id, feed ? [{ feed, share: 1 }] : shares]
  }))
}

type Fed = Pick<Print, 'planned' | 'mapping' | 'feeds' | 'result'>

/** The spools of each filament of a print, with their shares. */
function piecesOf ({ planned = [], mapping, feeds, result }: Fed, plate: PlateCourse | undefined):
ReadonlyMap<number, readonly Piece[]> {
  const { list = [] } = feeds ?? {} as Partial<Feeds>
  const ids = planned.length > 0 ? planned.map(({ id }) => id) : namedIn(mapping)
  const any = list.filter(({ filament }) => filament === 0)
  if (mapping === undefined && ids.length > 1) {
    return result === 'running' ? new Map(ids.map(id => [id, UNKNOWN_SPOOL])) : matched(planned, any)
  }
  return new Map(ids.map(id => {
    const own = mapping === undefined || mapping === HOLDER ? any : list.filter(({ filament }) => filament === id)
    return [id, sharesByGrams(plate, id, own) ?? sharesOf(own, ['amount', 'seconds'])]
  }))
}

const namedIn = (mapping: PlateMapping | undefined): number[] =>
  mapping === undefined || mapping === HOLDER ? [] : mapping.flatMap((place, at) => place === '' ? [] : [at + 1])

const shareOf = (whole: number | undefined, share: number): number | undefined =>
  whole === undefined ? undefined : whole * share

/**
 * Use of each spool: one entry for each filament, and one more for each spool that took over.
 * @param plate if it was read; without it spools share a filament by layers, not by the grams of them
 */
export function filamentsOf (print: Fed, plate?: PlateCourse): FilamentUse[] {
  return [...piecesOf(print, plate)].flatMap(([filament, pieces]) => {
    const plan = print.planned?.find(({ id }) => id === filament)
    return pieces.map(({ feed, share }) => ({
      filament,
      material: feed?.material || plan?.type || '',
      color: feed?.color || plan?.color || '',
      place: feed?.place ?? '',
      tag: feed?.tag ?? '',
      share,
      plannedGrams: shareOf(plan?.grams, share),
      plannedMetres: shareOf(plan?.metres, share)
    }))
  })
}

/**
 * The mapping for a reprint, as far as certain: the one of the first start, or the only place that a single filament
 * came from.
 */
export function certainMapping ({ planned = [], mapping, feeds }: Fed): PlateMapping | undefined {
  if (mapping !== undefined) return mapping
  const [only, more] = planned
  const fed = (feeds?.list ?? []).filter(({ amount }) => amount > 0)
  const [first] = fed
  if (only === undefined || more !== undefined || first === undefined) return undefined
  if (fed.some(({ place }) => place !== first.place)) return undefined
  return Array.from({ length: only.id }, (_, at) => at === only.id - 1 ? first.place : '')
}

/** How grams were found: counted by layers, as the slicer planned, or planned ones by the printer's percent. */
export const GRAMS_BASES = ['layers', 'planned', 'scaled'] as const
export type GramsBasis = (typeof GRAMS_BASES)[number]

/** Null if unknown; `basis` is null exactly if `grams` is. */
export interface Used {
  readonly grams: number | null
  readonly metres: number | null
  readonly basis: GramsBasis | null
}

type Counted = Pick<Print, 'result' | 'percent' | 'layer' | 'byLayers'>
type Use = Pick<FilamentUse, 'filament' | 'share' | 'plannedGrams' | 'plannedMetres'>

/** Whether its use by layers belongs to the layer that it has reached. */
export const isCountedByLayers = ({ byLayers, layer }: Pick<Print, 'layer' | 'byLayers'>): boolean =>
  byLayers !== undefined && byLayers.layer === layer

const rounded = (value: number): number => Math.round(value * 100) / 100

/** What a print has used of a filament from one spool. */
export function usedOf (print: Counted, { plannedGrams, plannedMetres, filament, share = 1 }: Use): Used {
  const scaled = (planned: number | undefined, percent: number) =>
    planned === undefined ? null : rounded(planned * percent / 100)
  if (print.result === 'finished' && plannedGrams !== undefined) {
    return { grams: scaled(plannedGrams, 100), metres: scaled(plannedMetres, 100), basis: 'planned' }
  }
  const all = isCountedByLayers(print) ? print.byLayers?.filaments : undefined
  const counted = all?.find(one => one.filament === filament)
  if (counted) {
    return { grams: rounded(counted.grams * share), metres: rounded(counted.metres * share), basis: 'layers' }
  }
  const percent = print.result === 'finished' ? 100 : print.percent
  const grams = scaled(plannedGrams, percent)
  return { grams, metres: scaled(plannedMetres, percent), basis: grams === null ? null : 'scaled' }
}

/** Price per kilogram, by material. */
export type Prices = Readonly<Record<string, number>>

/** Null when no price is known. */
export const costOf = (prices: Prices, material: string, grams: number | null): number | null => {
  const price = Object.hasOwn(prices, material) ? prices[material] : undefined
  return price === undefined || grams === null ? null : Math.round(price * grams / 10) / 100
}
