import { Type, type Static } from 'typebox'
import { BadInput, mayUse, operation } from '../../core/index.js'
import { SetInFile } from '../database/index.js'
import { requireSharedDatabase } from './operations.js'
import { MOST_PRICES, Price } from './price-list.js'
import type { Db } from './queries.js'

const MOST_MATERIALS = 64

const PricesView = Type.Object({
  origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
  prices: Type.Array(Price),
  materials: Type.Array(Type.Object({
    material: Type.String(),
    grams: Type.Number({ description: 'Of recorded prints' }),
    unpriced: Type.Integer({ description: 'Filaments of recorded prints that have no cost' })
  }), { description: 'That were printed, most first' }),
  may_change: Type.Boolean({ description: 'The caller may change prices' })
}, { 'x-name': 'FilamentPrices' })

/** Filaments whose grams are not known cannot have a cost. */
async function printedMaterials (db: Db): Promise<Static<typeof PricesView>['materials']> {
  const rows = await db.selectFrom('history_filaments').where('grams', 'is not', null).where('material', '<>', '')
    .select(({ fn }) => ['material', fn.sum<number>('grams').as('grams'), fn.countAll<number>().as('all'), fn.count<number>('cost').as('priced')])
    .groupBy('material').orderBy('grams', 'desc').limit(MOST_MATERIALS).execute()
  return rows.map(({ material, grams, all, priced }) =>
    ({ material, grams: Math.round(Number(grams) * 10) / 10, unpriced: Number(all) - Number(priced) }))
}

export const readPrices = operation({
  name: 'history.readPrices',
  summary: 'What a kilogram of each material costs, and which materials were printed',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: Type.Object({}),
  output: PricesView,
  async run ({ kernel, caller, services: { database, history: { priceList } } }) {
    await priceList.read()
    return {
      origin: priceList.origin,
      prices: Object.entries(priceList.prices).map(([material, price]) => ({ material, price })),
      materials: await database.query(printedMaterials),
      may_change: mayUse(kernel, setPrices, caller)
    }
  }
})

type Given = readonly Static<typeof Price>[]

/** @throws PRN_ERR_BAD_INPUT */
function checkOnce (prices: Given): void {
  const names = prices.map(({ material }) => material)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new BadInput(`prices has '${twice}' twice`)
}

export const setPrices = operation({
  name: 'history.setPrices',
  summary: 'Set what a kilogram of each material costs',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Prints that are recorded from now on, also those in progress, cost by these prices. What has a cost keeps it; with ' +
    'earlier, recorded prints without a cost get theirs.',
  guards: [requireSharedDatabase],
  input: Type.Object({
    prices: Type.Array(Price, { maxItems: MOST_PRICES, description: 'All of them; a material that is left out has no price' }),
    earlier: Type.Optional(Type.Boolean({ description: 'Also for recorded prints that have no cost' }))
  }),
  output: Type.Object({ prices: Type.Array(Price), priced: Type.Integer({ description: 'Recorded prints that have a cost now' }) }),
  errors: [SetInFile],
  async preview ({ services: { history: { priceList } } }, { prices }) {
    priceList.checkOpen()
    checkOnce(prices)
    return { checked: ['the prices are not set in the configuration file', 'each material has one price'] }
  },
  async run ({ services: { history }, askedBy, signal }, { prices, earlier = false }) {
    checkOnce(prices)
    await history.priceList.set(Object.fromEntries(prices.map(({ material, price }) => [material, price])), askedBy)
    return { prices, priced: earlier ? await history.priceEarlier(signal) : 0 }
  }
})
