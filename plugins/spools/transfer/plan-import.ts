import { createHash } from 'node:crypto'
import { changeOf, type Made } from '../changes.js'
import type { Batch, Existing } from '../inventory-store.js'
import { NO_DETAILS, type ChangeRow, type PlaceRow, type SpoolRow, type TypeRow } from '../tables.js'
import type { PlaceKind } from '../types.js'
import type { SpoolRecord } from './records.js'

/** What an import would write. */
export interface ImportPlan extends Batch {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
}

const ID_LENGTH = 12
/** A smaller difference comes from rounding. */
const SAME_GRAMS = 0.006

const hash = (...parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH)

const identityOf = ({ brand, line, material, color_name: name, colors }: Pick<TypeRow, 'brand' | 'line' | 'material' | 'color_name' | 'colors'>): string =>
  [brand, line, material, name, colors].join('\u0000').toLowerCase()

/** Members that tell a type from others. */
const knownOf = ({ brand = '', line = '', material = '', color_name: name = '', colors }: SpoolRecord) =>
  ({ brand, line, material, color_name: name, colors: colors.join(',') })

const typeFrom = (record: SpoolRecord, at: number): TypeRow => ({
  id: `t${hash(identityOf(knownOf(record)))}`,
  ...knownOf(record),
  diameter: record.diameter_mm ?? 1.75,
  density: record.density ?? null,
  net: record.net_g ?? null,
  empty: record.empty_g ?? null,
  price: record.price ?? null,
  currency: record.currency ?? '',
  nozzle_min: record.nozzle_min_c ?? null,
  nozzle_max: record.nozzle_max_c ?? null,
  bed: record.bed_c ?? null,
  dry_temp: record.dry_c ?? null,
  dry_hours: record.dry_hours ?? null,
  catalogue: record.catalogue ?? '',
  notes: '',
  archived: 0,
  created_at: at
})

/**
 * Finds or makes types and places, each once. The id of one that was imported comes from the words of the list, so that
 * the same words mean the same one, whatever people changed of it since.
 */
class Catalog {
  readonly types: TypeRow[] = []
  readonly places: PlaceRow[] = []
  readonly #types: Map<string, TypeRow>
  readonly #byId: Map<string, TypeRow>
  readonly #places: Map<string, PlaceRow>
  readonly #placesById: Map<string, PlaceRow>
  readonly #at: number

  constructor ({ types, places }: Existing, at: number) {
    this.#types = new Map(types.map(type => [identityOf(type), type]))
    this.#byId = new Map(types.map(type => [type.id, type]))
    this.#places = new Map(places.map(place => [place.name.toLowerCase(), place]))
    this.#placesById = new Map(places.map(place => [place.id, place]))
    this.#at = at
  }

  /** @param current id of the type that the spool has: another colour does not make it another type */
  typeOf (record: SpoolRecord, current = ''): TypeRow | undefined {
    if (record.brand === undefined) return undefined
    const wanted = knownOf(record)
    const own = this.#byId.get(current)
    if (own && (['brand', 'line', 'color_name'] as const).every(name => own[name] === wanted[name])) return own
    const identity = identityOf(wanted)
    const known = this.#types.get(identity)
    if (known) return known
    const added = typeFrom(record, this.#at)
    const edited = this.#byId.get(added.id)
    this.#types.set(identity, edited ?? added)
    if (edited) return edited
    this.types.push(added)
    return added
  }

  placeOf ({ place: name, place_kind: kind = 'shelf' }: SpoolRecord): PlaceRow | undefined {
    if (name === undefined) return undefined
    const known = this.#places.get(name.toLowerCase())
    if (known) return known
    const id = `p${hash(name.toLowerCase())}`
    const edited = this.#placesById.get(id)
    if (edited) return edited
    const place = { id, name, kind: kind as PlaceKind, capacity: null, notes: '', archived: 0, created_at: this.#at }
    this.#places.set(name.toLowerCase(), place)
    this.places.push(place)
    return place
  }
}

const nameFrom = ({ name, brand, line, material = '', color_name: color }: SpoolRecord): string =>
  (name ?? [brand, line ?? material, color].filter(Boolean).join(' ')).slice(0, 100)

/** What a spool becomes, without the amount on it. */
function rowFrom (
  id: string, record: SpoolRecord, before: SpoolRow | undefined, catalog: Catalog, at: number
): SpoolRow {
  const type = catalog.typeOf(record, before?.type)
  const place = catalog.placeOf(record)
  const { material = '', colors: [color = ''], empty_g: empty, price, archived } = record
  const blank = { ...NO_DETAILS, id, name: '', material: '', color: '', tag: '', net: null, used: 0, archived: 0, created_at: at }
  const base = before ?? blank
  const isOther = <T>(value: T | undefined, ofType: T | null | undefined): value is T =>
    value !== undefined && value !== ofType
  const isArchived = archived ?? base.archived === 1
  return {
    ...base,
    name: record.name ?? (before?.name || nameFrom(record)),
    material,
    color: color || base.color,
    tag: record.tag ?? base.tag,
    net: record.net_g ?? base.net ?? type?.net ?? null,
    type: type?.id ?? base.type,
    place: place?.id ?? base.place,
    lot: record.lot ?? base.lot,
    notes: record.notes ?? base.notes,
    empty: isOther(empty, type?.empty) ? empty : base.empty,
    price: isOther(price, type?.price) ? price : base.price,
    currency: isOther(price, type?.price) ? record.currency ?? base.currency : base.currency,
    bought_at: record.bought_at ?? base.bought_at,
    opened_at: record.opened_at ?? base.opened_at,
    dried_at: record.dried_at ?? base.dried_at,
    archived: Number(isArchived),
    archived_at: isArchived ? base.archived_at ?? at : null
  }
}

/** The full weight, and what the list says is left. */
function amountsOf ({ net_g: net, left_g: left, used_g: used }: SpoolRecord, row: SpoolRow):
{ readonly net: number | null, readonly left: number | undefined } {
  const full = net ?? row.net ?? (left === undefined ? null : left + (used ?? 0))
  return { net: full, left: left ?? (used === undefined || full === null ? undefined : Math.max(0, full - used)) }
}

const isSame = (one: SpoolRow, other: SpoolRow): boolean =>
  (Object.keys(one) as (keyof SpoolRow)[]).every(column => column === 'used' || one[column] === other[column])

/** What a row is told apart by when it has no id: what does not change while the spool is used. */
const LASTING = ['name', 'brand', 'line', 'material', 'colors', 'color_name', 'net_g', 'lot', 'tag', 'bought_at', 'price'] as const

/**
 * An id for rows without one: the same list gives the same ids; rows that are alike are told apart by their number.
 * Numbers whose id another row names are left out: a row copied without its id is another spool.
 */
function createIds (named: ReadonlySet<string | undefined>): (record: SpoolRecord) => string {
  const counts = new Map<string, number>()
  return record => {
    if (record.id !== undefined) return record.id
    const key = JSON.stringify(LASTING.map(name => record[name]))
    let [number, id] = [counts.get(key) ?? 0, '']
    do id = `i${hash(key, ++number)}`
    while (named.has(id))
    counts.set(key, number)
    return id
  }
}

/** What an import writes: spools with the same id are changed, others added. Nothing is written here. */
export function planImport (records: readonly SpoolRecord[], existing: Existing, made: Made): ImportPlan {
  const catalog = new Catalog(existing, made.at)
  const known = new Map(existing.spools.map(spool => [spool.id, spool]))
  const idOf = createIds(new Set(records.map(({ id }) => id)))
  const [spools, changes]: [SpoolRow[], ChangeRow[]] = [[], []]
  const counts = { added: 0, changed: 0, unchanged: 0 }
  for (const record of records) {
    const id = idOf(record)
    const before = known.get(id)
    const row = rowFrom(id, record, before, catalog, made.at)
    const { net, left } = amountsOf(record, row)
    const next = { ...row, net }
    const own: ChangeRow[] = []
    if (before && before.net !== null && net !== null && net !== before.net) {
      own.push(changeOf(before, made, { kind: 'net', grams: net - before.net }))
    }
    const used = before?.used ?? 0
    const grams = left === undefined || net === null ? 0 : left - (net - used)
    const isClamped = left === 0 && net !== null && net - used < 0
    if (Math.abs(grams) > SAME_GRAMS && !isClamped) own.push(changeOf({ id, net, used }, made, { kind: 'imported', grams }))
    if (before && own.length === 0 && isSame(before, next)) {
      counts.unchanged++
      continue
    }
    counts[before ? 'changed' : 'added']++
    spools.push(next)
    changes.push(...own)
  }
  return { types: catalog.types, places: catalog.places, spools, changes, ...counts }
}
