import { Type } from 'typebox'
import { pagesOf, tool } from '../../core/index.js'
import { readInventory, weighSpool } from './inventory-operations.js'
import { InventoryView } from './inventory-schemas.js'
import { assignSpool, listSpools } from './operations.js'
import { readSupply, SupplyView } from './supply/operations.js'

const text = Type.String()
const MOST_FOUND = 25

export default [
  tool(listSpools, {
    name: 'list_spools',
    onRequest: true,
    description: 'Known spools, grams left, and the slots of all printers',
    errors: 'coded',
    pages: pagesOf('spools', 'slots', 'open_uses'),
    params: Type.Object({}),
    input: () => ({})
  }),
  tool(assignSpool, {
    name: 'assign_spool',
    onRequest: true,
    description: 'Say which spool is in a slot',
    errors: 'coded',
    params: Type.Object({
      name: text,
      unit_id: Type.Optional(Type.Integer()),
      slot_id: Type.Optional(Type.Integer({ description: '0-3; holders 254, 255', 'x-openapi': { required: true } })),
      spool: text,
      place: Type.Optional(Type.String({ 'x-unlisted': true }))
    }),
    input: ({ name: printer, ...rest }) => ({ printer, ...rest })
  }),
  tool(readInventory, {
    name: 'find_spools',
    description: 'Search the inventory of spools: type, place, grams left, when dried and opened',
    errors: 'coded',
    onRequest: true,
    params: Type.Object({
      text: Type.Optional(Type.String({ maxLength: 200, description: 'Every word is in its name, brand, material, place, lot, tag or notes' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0 }))
    }),
    input: ({ limit = MOST_FOUND, ...rest }) => ({ limit, ...rest }),
    answer: Type.Pick(InventoryView, ['total', 'spools', 'types', 'places']),
    result: ({ total, spools, types, places }) => {
      const typesHere = new Set(spools.map(({ type }) => type))
      const placesHere = new Set(spools.map(({ place }) => place))
      return {
        total,
        spools,
        types: types.filter(({ id }) => typesHere.has(id)),
        places: places.filter(({ id }) => placesHere.has(id))
      }
    }
  }),
  tool(readSupply, {
    name: 'what_to_buy',
    description: 'Which filament runs out when, and how many spools to buy',
    errors: 'coded',
    onRequest: true,
    params: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, description: 'How far to look ahead' })) }),
    input: ({ days }) => ({ ...(days !== undefined && { days }) }),
    answer: SupplyView,
    result: ({ supply: { filaments, ...supply } }) =>
      ({ ...supply, filaments: filaments.filter(one => one.buy + one.used_g + one.planned_g > 0) })
  }),
  tool(weighSpool, {
    name: 'weigh_spool',
    description: 'Store what a scale shows for a spool, and say how far the count was off',
    errors: 'coded',
    idempotent: false,
    onRequest: true
  })
]
