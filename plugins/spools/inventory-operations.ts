import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { Id, Time } from './details.js'
import { ManagedInSpoolman, NoSpool, NoSpoolPlace, NoSpoolType, SpoolPlaceInUse, SpoolStays } from './errors.js'
import type { ForMany } from './inventory.js'
import {
  AccuracyView, Brand, InventoryView, Material, placeFields, PlaceName, PlaceView, SpoolPage, typeFields, TypeView,
  WeighingView
} from './inventory-schemas.js'
import { accuracyView, entryView, leftOf, placeView, spoolView, typeView, weighingView } from './inventory-views.js'
import { slotView, useView } from './operations.js'
import type { SpoolRow } from './tables.js'

/** Entries of the history of one spool in an answer. */
const MOST_ENTRIES = 500
const MOST_CHANGED = 5_000

const countIn = (rows: readonly SpoolRow[], place: string): number => rows.filter(row => row.place === place).length

/** Whether a spool is meant by a search: every word is in what is known of it. */
function matches (row: SpoolRow, brand: string, placeName: string, words: readonly string[]): boolean {
  const text = `${row.id} ${row.name} ${row.material} ${row.color} ${row.tag} ${brand} ${placeName} ${row.lot} ${row.notes}`.toLowerCase()
  return words.every(word => text.includes(word))
}

const Filters = {
  text: Type.Optional(Type.String({ maxLength: 200, description: 'Every word is in its name, brand, material, place, lot, tag or notes' })),
  material: Type.Optional(Type.String({ maxLength: 40 })),
  brand: Type.Optional(Type.String({ maxLength: 60 })),
  place: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a place' })),
  type: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a type' })),
  archived: Type.Optional(Type.Enum(['no', 'yes', 'all'], { default: 'no' })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000, default: 20_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }))
}

export const readInventory = operation({
  name: 'spools.inventory',
  summary: 'All spools with their types and places, and how much is left',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object(Filters),
  output: InventoryView,
  async run ({ services: { spools } }, { text = '', material, brand, place, type, archived = 'no', limit = 20_000, offset = 0 }) {
    const { inventory } = spools
    await spools.known()
    const [rows, types, places, uses] = await Promise.all([
      inventory.list(archived === 'all' ? undefined : archived === 'yes'), inventory.rows.types(), inventory.rows.places(), spools.openUses()
    ])
    const brands = new Map(types.map(({ id, brand }) => [id, brand]))
    const names = new Map(places.map(({ id, name }) => [id, name]))
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const found = rows.filter(row => (material === undefined || row.material === material) &&
      (brand === undefined || brands.get(row.type) === brand) && (place === undefined || row.place === place) &&
      (type === undefined || row.type === type) &&
      (words.length === 0 || matches(row, brands.get(row.type) ?? '', names.get(row.place) ?? '', words)))
    const here = archived === 'no' ? rows : await inventory.list(false)
    return {
      kept_by: spools.kind,
      problem: spools.problem ?? null,
      total: found.length,
      spools: found.slice(offset, offset + limit).map(spoolView),
      types: types.map(typeView),
      places: places.map(row => placeView(row, countIn(here, row.id))),
      slots: spools.slots().map(slot => slotView(slot, spools.gramsIn(slot))),
      open_uses: uses.map(useView)
    }
  }
})

export const findSpool = operation({
  name: 'spools.find',
  summary: 'One spool, and why its remainder is what it is',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ id: Id }),
  output: SpoolPage,
  errors: [NoSpool],
  async run ({ services: { spools } }, { id }) {
    const { row, type, place, entries, isUsed } = await spools.inventory.find(id)
    const slot = spools.slots().find(({ spool }) => spool?.id === id)
    return {
      kept_by: spools.kind,
      spool: spoolView(row),
      type: type ? typeView(type) : null,
      place: place ? placeView(place, countIn(await spools.inventory.list(false), place.id)) : null,
      slot: slot ? slotView(slot, spools.gramsIn(slot)) : null,
      removable: row.archived === 1 && !isUsed,
      history: entries.slice(0, MOST_ENTRIES).map(entryView)
    }
  }
})

const typeConsequence = 'The data of all spools of the type change; nothing on a printer changes.'

export const addSpoolType = operation({
  name: 'spools.addType',
  summary: 'Add a type of spools',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Adds a type to choose from; nothing on a printer changes.',
  input: Type.Object({ brand: Brand, material: Material, ...typeFields }),
  output: TypeView,
  errors: [ManagedInSpoolman],
  run: async ({ services: { spools } }, given) => typeView(await spools.inventory.putType(undefined, given))
})

export const changeSpoolType = operation({
  name: 'spools.changeType',
  summary: 'Change or archive a type of spools',
  effect: 'write',
  scope: 'daemon',
  consequence: typeConsequence,
  input: Type.Object({
    id: Id,
    brand: Type.Optional(Brand),
    material: Type.Optional(Material),
    ...typeFields,
    archived: Type.Optional(Type.Boolean({ description: 'It is not offered any more' }))
  }),
  output: TypeView,
  errors: [ManagedInSpoolman, NoSpoolType],
  run: async ({ services: { spools } }, { id, archived, ...given }) =>
    typeView(await spools.inventory.putType(id, given, archived))
})

export const addSpoolPlace = operation({
  name: 'spools.addPlace',
  summary: 'Add a place where spools are kept',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Adds a place to choose from; nothing on a printer changes.',
  input: Type.Object({ name: PlaceName, ...placeFields }),
  output: PlaceView,
  errors: [ManagedInSpoolman],
  async run ({ services: { spools } }, given) {
    const { row, spools: count } = await spools.inventory.putPlace(undefined, given)
    return placeView(row, count)
  }
})

export const changeSpoolPlace = operation({
  name: 'spools.changePlace',
  summary: 'Change or archive a place where spools are kept',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The data of the place change; nothing on a printer changes.',
  input: Type.Object({
    id: Id,
    name: Type.Optional(PlaceName),
    ...placeFields,
    archived: Type.Optional(Type.Boolean({ description: 'It is not offered any more; only an empty one' }))
  }),
  output: PlaceView,
  errors: [ManagedInSpoolman, NoSpoolPlace, SpoolPlaceInUse],
  async run ({ services: { spools } }, { id, archived, ...given }) {
    const { row, spools: count } = await spools.inventory.putPlace(id, given, archived)
    return placeView(row, count)
  }
})

export const changeManySpools = operation({
  name: 'spools.changeMany',
  summary: 'Move, archive or mark many spools in one step',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The data of all these spools change, or of none; nothing on a printer changes.',
  input: Type.Object({
    ids: Type.Array(Id, { minItems: 1, maxItems: MOST_CHANGED }),
    place: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a place; empty: unknown' })),
    type: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a type; empty: none' })),
    archived: Type.Optional(Type.Boolean()),
    opened_at: Time('When they were opened'),
    dried_at: Time('When they were last dried')
  }),
  output: Type.Object({ changed: Type.Integer() }),
  errors: [ManagedInSpoolman, NoSpool, NoSpoolType, NoSpoolPlace],
  async run ({ services: { spools } }, { ids, archived, ...rest }) {
    const unique = [...new Set(ids)]
    const columns: ForMany = { ...rest, ...(archived !== undefined && { archived: Number(archived) }) }
    await spools.inventory.changeMany(unique, columns)
    return { changed: unique.length }
  }
})

const Scale = (description: string) => Type.Number({ minimum: 0, maximum: 100_000, description })

export const weighSpool = operation({
  name: 'spools.weigh',
  summary: 'Weigh a spool, and see how far the count was off',
  effect: 'write',
  scope: 'daemon',
  consequence: 'What is left becomes what the scale says; nothing on a printer changes.',
  input: Type.Object({
    id: Id,
    gross_g: Scale('On the scale, with the spool, g'),
    empty_g: Type.Optional(Scale('Weight of the empty spool, g; left out: as known for it or its type'))
  }),
  output: Type.Object({
    left_g: Type.Number(), weighing: Type.Union([WeighingView, Type.Null()], { description: 'Null when the amount was unknown before' })
  }),
  errors: [ManagedInSpoolman, NoSpool],
  async run ({ services: { spools: { inventory } }, askedBy }, { id, gross_g: gross, empty_g: empty }) {
    const weighing = await inventory.weigh(id, gross, empty, askedBy)
    const { row } = await inventory.find(id)
    return { left_g: leftOf(row) ?? 0, weighing: weighing ? weighingView(weighing) : null }
  }
})

export const throwAwaySpool = operation({
  name: 'spools.throwAway',
  summary: 'Write off filament, or all that is left of a spool',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The filament no longer counts as left; without grams the spool is archived. Nothing on a printer changes.',
  input: Type.Object({
    id: Id,
    grams: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000, description: 'g; left out: all, and the spool is archived' })),
    note: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  output: Type.Object({ id: Type.String() }),
  errors: [ManagedInSpoolman, NoSpool],
  async run ({ services: { spools: { inventory } }, askedBy }, { id, grams, note = '' }) {
    await inventory.throwAway(id, grams, note, askedBy)
    return { id }
  }
})

export const removeSpool = operation({
  name: 'spools.remove',
  summary: 'Remove an archived spool that no print used, for good',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The spool and its history are gone for good; nothing on a printer changes.',
  input: Type.Object({ id: Id }),
  output: Type.Object({ id: Type.String() }),
  errors: [ManagedInSpoolman, NoSpool, SpoolStays],
  async run ({ services: { spools } }, { id }) {
    await spools.inventory.remove(id)
    return { id }
  }
})

export const readAccuracy = operation({
  name: 'spools.accuracy',
  summary: 'How far weighings of spools are from what was counted, by brand and by printer',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: AccuracyView,
  async run ({ services: { spools } }) {
    const { all: [all], brands, printers } = await spools.inventory.accuracy()
    return {
      all: all ? accuracyView(all) : null, brands: brands.map(accuracyView), printers: printers.map(accuracyView)
    }
  }
})
