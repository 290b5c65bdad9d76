import { HOLDER, type PlateMapping } from './places.js'
import type { Feed, Feeds, FilamentUse, PlannedFilament, Print } from './types.js'

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
function piecesOf ({ planned = [], mapping, feeds, result }: Fed): ReadonlyMap<number, readonly Piece[]> {
  const { list = [] } = feeds ?? {} as Partial<Feeds>
  const ids = planned.length > 0 ? planned.map(({ id }) => id) : namedIn(mapping)
  const any = list.filter(({ filament }) => filament === 0)
  if (mapping === undefined && ids.length > 1) {
    return result === 'running' ? new Map(ids.map(id => [id, UNKNOWN_SPOOL])) : matched(planned, any)
  }
  return new Map(ids.map(id => [id, sharesOf(
    mapping === undefined || mapping === HOLDER ? any : list.filter(({ filament }) => filament === id), ['amount', 'seconds']
  )]))
}

const namedIn = (mapping: PlateMapping | undefined): number[] =>
  mapping === undefined || mapping === HOLDER ? [] : mapping.flatMap((place, at) => place === '' ? [] : [at + 1])

const shareOf = (whole: number | undefined, share: number): number | undefined =>
  whole === undefined ? undefined : whole * share

/** Use of each spool: one entry for each filament, and one more for each spool that took over. */
export function filamentsOf (print: Fed): FilamentUse[] {
  return [...piecesOf(print)].flatMap(([filament, pieces]) => {
    const plan = print.planned?.find(({ id }) => id === filament)
    return pieces.map(({ feed, share }) => ({
      filament,
      material: feed?.material || plan?.type || '',
      color: feed?.color || plan?.color || '',
      place: feed?.place ?? '',
      tag: feed?.tag ?? '',
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

/** Amount used of a planned one: all of it, or the share that the printer reports as done. */
export const usedOf = ({ result, percent }: Pick<Print, 'result' | 'percent'>, planned: number | undefined) =>
  planned === undefined ? null : Math.round(planned * (result === 'finished' ? 100 : percent)) / 100

/** Price per kilogram, by material. */
export type Prices = Readonly<Record<string, number>>

/** Null when no price is known. */
export const costOf = (prices: Prices, material: string, grams: number | null): number | null => {
  const price = Object.hasOwn(prices, material) ? prices[material] : undefined
  return price === undefined || grams === null ? null : Math.round(price * grams / 10) / 100
}
