import { randomUUID } from 'node:crypto'
import { BadInput } from '../../core/index.js'
import { changeOf, thrownAway, weighed, type Made, type NewSpool } from './changes.js'
import { ManagedInSpoolman, NoSpool, NoSpoolPlace, NoSpoolType, SpoolPlaceInUse, SpoolStays } from './errors.js'
import type { GivenType } from './inventory-schemas.js'
import { nameOfType, typeRow, type InventoryStore } from './inventory-store.js'
import { accuracyBy, entriesOf, weighingsOf, type Accuracy, type Entry, type Weighing } from './weighings.js'
import type { Store } from './store.js'
import { NO_DETAILS, type PlaceRow, type SpoolRow, type TypeRow } from './tables.js'
import type { Spool, SpoolKeeper } from './types.js'

/** Spools in use, as the service knows them. */
export interface SpoolsInUse {
  readonly kind: SpoolKeeper['kind']
  known (): Promise<void>
  refresh (): Promise<void>
  all (): readonly Spool[]
}

export interface InventoryOptions {
  readonly store: Store
  readonly rows: InventoryStore
  readonly spools: SpoolsInUse
  readonly now: () => number
  readonly changed: () => void
  /** What prints in progress have used of a spool, to be stored with a weighing. */
  readonly runningWith: (spool: string) => Promise<string>
}

/** Changes to many spools at once. */
export type ForMany = Partial<Pick<SpoolRow, 'type' | 'place' | 'archived' | 'opened_at' | 'dried_at'>>

/** Ids of a type and a place. */
interface Named { readonly type?: string | undefined, readonly place?: string | undefined }

export interface SpoolWithHistory {
  readonly row: SpoolRow
  readonly type: TypeRow | undefined
  readonly place: PlaceRow | undefined
  readonly entries: readonly Entry[]
  readonly isUsed: boolean
}

function bySpool<R extends { readonly spool: string }> (rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const own = groups.get(row.spool)
    if (own) own.push(row)
    else groups.set(row.spool, [row])
  }
  return groups
}

const newId = (prefix: string): string => `${prefix}${randomUUID().slice(0, 8)}`

/** A spool of Spoolman, of which no details are known here. */
const foreignRow = ({ id, name, material, color, tag, netGrams: net, usedGrams: used }: Spool): SpoolRow =>
  ({ ...NO_DETAILS, id, name, material, color, tag, net: net ?? null, used, archived: 0, created_at: 0 })

/** Types, places and the history of spools, beyond what printers report. */
export class Inventory {
  readonly #options: InventoryOptions

  constructor (options: InventoryOptions) { this.#options = options }

  get rows (): InventoryStore { return this.#options.rows }

  /** With `used` as of now. @param archived left out: both */
  async list (archived?: boolean): Promise<SpoolRow[]> {
    const { spools, rows } = this.#options
    if (spools.kind === 'prnd') return await rows.spools(archived)
    await spools.known()
    return archived === true ? [] : spools.all().map(foreignRow)
  }

  /** The types of spools that have one, by spool. */
  async typesBySpool (): Promise<ReadonlyMap<string, TypeRow>> {
    const { rows, spools } = this.#options
    if (spools.kind !== 'prnd') return new Map()
    const [all, types] = await Promise.all([rows.spools(), rows.types()])
    const byId = new Map(types.map(type => [type.id, type]))
    return new Map(all.flatMap(({ id, type }) => {
      const own = byId.get(type)
      return own ? [[id, own]] : []
    }))
  }

  /** Name, material and colour, weight of a new spool: what its type says where nothing else is given. */
  async completed ({ name, material, ...given }: Partial<NewSpool>): Promise<NewSpool> {
    const { type: id = '', place = '' } = given.details ?? {}
    const { type } = await this.#check({ type: id, place })
    const own = { name: name ?? (type && nameOfType(type)), material: material ?? type?.material }
    if (!own.name || !own.material) throw new BadInput('Give name and material, or the type of the spool')
    const color = given.color ?? type?.colors.split(',')[0]
    const netGrams = given.netGrams ?? type?.net ?? undefined
    const known = { ...(color && { color }), ...(netGrams !== undefined && { netGrams }) }
    return { ...given, name: own.name, material: own.material, ...known }
  }

  /** @throws PRN_ERR_NO_SUCH_SPOOL_TYPE, PRN_ERR_NO_SUCH_SPOOL_PLACE */
  async check (given: Named): Promise<void> { await this.#check(given) }

  /** Adds a type, or changes it. */
  async putType (id: string | undefined, given: Partial<GivenType>, archived?: boolean): Promise<TypeRow> {
    this.#own()
    const { rows, now, changed } = this.#options
    const before = id === undefined ? undefined : await this.#type(id)
    const row = typeRow(id ?? newId('t'), given, before, now())
    const next = { ...row, ...(archived !== undefined && { archived: Number(archived) }) }
    await rows.putType(next)
    changed()
    return next
  }

  /** Adds a place, or changes it. @returns it, and how many spools are there */
  async putPlace (id: string | undefined, given: Partial<Pick<PlaceRow, 'name' | 'kind' | 'capacity' | 'notes'>>, archived?: boolean):
  Promise<{ readonly row: PlaceRow, readonly spools: number }> {
    this.#own()
    const { rows, now, changed } = this.#options
    const before = id === undefined ? undefined : await this.#place(id)
    const spools = id === undefined ? 0 : (await rows.spools(false)).filter(({ place }) => place === id).length
    if (archived === true && spools > 0) throw new SpoolPlaceInUse(before?.name ?? '', spools)
    const blank = { name: '', kind: 'shelf' as const, capacity: null, notes: '', archived: 0, created_at: now() }
    const row = { ...blank, ...before, ...given, id: id ?? newId('p'), ...(archived !== undefined && { archived: Number(archived) }) }
    await rows.putPlace(row)
    changed()
    return { row, spools }
  }

  /** All or none. @throws PRN_ERR_NO_SUCH_SPOOL */
  async changeMany (ids: readonly string[], columns: ForMany): Promise<void> {
    this.#own()
    const { rows, spools, changed, now } = this.#options
    if (Object.keys(columns).length === 0) throw new BadInput('Nothing to change was given: place, type, archived, opened_at or dried_at')
    await this.#check(columns)
    const known = new Set((await rows.spools()).map(({ id }) => id))
    const missing = ids.find(id => !known.has(id))
    if (missing !== undefined) throw new NoSpool(missing)
    const { archived } = columns
    const since = archived === undefined ? {} : { archived_at: archived === 1 ? now() : null }
    await rows.updateMany(ids, { ...columns, ...since })
    await spools.refresh()
    changed()
  }

  /**
   * @param empty left out: as known for the spool or its type @param key names the weighing, so that it is added once
   * @returns undefined for the first weighing of an unknown amount
   */
  async weigh (id: string, gross: number, empty: number | undefined, by: string, key?: string):
  Promise<Weighing | undefined> {
    this.#own()
    const row = await this.#row(id)
    const type = row.type === '' ? undefined : await this.#type(row.type)
    const own = empty ?? row.empty ?? type?.empty ?? undefined
    if (own === undefined) throw new BadInput('Give empty_g, the weight of the empty spool: it is not known for this one')
    if (gross < own) throw new BadInput(`The scale cannot show less than the empty spool, ${own} g`)
    const running = await this.#options.runningWith(id)
    const made = this.#made(by)
    await this.#change(id, before => {
      const { columns, changes } = weighed(before, gross, own, made, running)
      return {
        columns: { ...columns, ...(own !== (type?.empty ?? null) && { empty: own }) },
        changes: key === undefined ? changes : changes.map(change => ({ ...change, id: key }))
      }
    })
    return (await this.#weighings(row)).findLast(({ at }) => at === made.at)
  }

  /**
   * Notes that spools were dried, once for each id of a drying.
   * @param drying its id and when it ended @param note how, such as `8 h at 55 °C`
   */
  async dried (ids: readonly string[], drying: { readonly id: string, readonly at: number }, note: string, by: string):
  Promise<void> {
    this.#own()
    const { store, spools, changed } = this.#options
    for (const spool of ids) {
      await store.changeSpool(spool, row => ({
        columns: { dried_at: Math.max(row.dried_at ?? 0, drying.at) },
        changes: [changeOf(row, { by, at: drying.at }, { id: `${drying.id}/${spool}`, kind: 'dried', grams: 0, note })]
      }))
    }
    await spools.refresh()
    changed()
  }

  /** @param grams left out: all of it, and the spool is archived */
  async throwAway (id: string, grams: number | undefined, note: string, by: string): Promise<void> {
    this.#own()
    const running = grams === undefined ? await this.#options.runningWith(id) : ''
    await this.#change(id, row => thrownAway(row, grams, note, this.#made(by), running))
  }

  /** @throws PRN_ERR_SPOOL_STAYS unless it is archived and no print used it */
  async remove (id: string): Promise<void> {
    this.#own()
    const { rows, spools, changed } = this.#options
    await this.#row(id)
    if (!await rows.remove(id)) throw new SpoolStays(id)
    await spools.refresh()
    changed()
  }

  async find (id: string): Promise<SpoolWithHistory> {
    const { rows, spools } = this.#options
    await spools.known()
    const foreign = spools.kind === 'spoolman' ? spools.all().find(spool => spool.id === id) : undefined
    const row = foreign ? foreignRow(foreign) : await this.#row(id)
    const [uses, changes, types, places] =
      await Promise.all([rows.usesOf(id), rows.changes(id), rows.types(), rows.places()])
    const beyond = uses.reduce((sum, { grams }) => sum + grams, 0) -
      changes.reduce((sum, { kind, grams }) => kind === 'net' ? sum : sum + grams, 0)
    return {
      row: foreign ? row : { ...row, used: row.used + beyond },
      type: types.find(({ id }) => id === row.type),
      place: places.find(({ id }) => id === row.place),
      entries: entriesOf(foreign ? { ...row, used: row.used - beyond } : row, uses, changes),
      isUsed: uses.length > 0
    }
  }

  /** How far weighings are from what was counted. */
  async accuracy (): Promise<Record<'all' | 'brands' | 'printers', Accuracy[]>> {
    const { rows } = this.#options
    const [all, changes, uses, types] =
      await Promise.all([rows.spools(), rows.changes(), rows.usesOfWeighed(), rows.types()])
    const brands = new Map(types.map(({ id, brand }) => [id, brand]))
    const changesBy = bySpool(changes)
    const usesBy = bySpool(uses)
    const brandOf = new Map(all.map(({ id, type }) => [id, brands.get(type)]))
    const weighings = all.flatMap(row => weighingsOf(row, usesBy.get(row.id) ?? [], changesBy.get(row.id) ?? []))
    return {
      all: accuracyBy(weighings, () => ''),
      brands: accuracyBy(weighings, ({ spool }) => brandOf.get(spool)),
      printers: accuracyBy(weighings, ({ printers }) => printers.length === 1 ? printers[0] : undefined)
    }
  }

  #own (): void { if (this.#options.spools.kind !== 'prnd') throw new ManagedInSpoolman() }

  #made (by: string): Made { return { by, at: this.#options.now() } }

  async #row (id: string): Promise<SpoolRow> {
    const row = await this.#options.rows.spool(id)
    if (!row) throw new NoSpool(id)
    return row
  }

  async #type (id: string): Promise<TypeRow> {
    const type = (await this.#options.rows.types()).find(type => type.id === id)
    if (!type) throw new NoSpoolType(id)
    return type
  }

  async #place (id: string): Promise<PlaceRow> {
    const place = (await this.#options.rows.places()).find(place => place.id === id)
    if (!place) throw new NoSpoolPlace(id)
    return place
  }

  async #check ({ type = '', place = '' }: Named) {
    return {
      type: type === '' ? undefined : await this.#type(type),
      place: place === '' ? undefined : await this.#place(place)
    }
  }

  async #change (id: string, work: Parameters<Store['changeSpool']>[1]): Promise<void> {
    const { store, spools, changed } = this.#options
    if (!await store.changeSpool(id, work)) throw new NoSpool(id)
    await spools.refresh()
    changed()
  }

  async #weighings (row: SpoolRow): Promise<Weighing[]> {
    const { rows } = this.#options
    return weighingsOf(row, await rows.usesOf(row.id), await rows.changes(row.id))
  }
}
