import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { csvLine } from '../../history/index.js'
import { round } from '../inventory-views.js'
import { DAY_MS, forecastSupply, PACE_DAYS, type Supply } from './forecast-supply.js'

export const SUPPLY_FORMATS = ['json', 'csv'] as const

const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description}; null unknown` })

export const SupplyView = Type.Object({
  days: Type.Integer({ description: 'How far ahead was looked' }),
  pace_days: Type.Integer({ description: 'The pace is that of so many days before now' }),
  filaments: Type.Array(Type.Object({
    brand: Type.String({ description: 'Empty when unknown' }),
    line: Type.String(),
    material: Type.String(),
    color: Type.String({ description: '`#RRGGBB`; empty when unknown' }),
    color_name: Type.String(),
    spools: Type.Integer(),
    left_g: Type.Number({ description: 'Left on all of its spools, g' }),
    used_g: Type.Number({ description: 'Used by prints in the days of the pace, g' }),
    planned_g: Type.Number({ description: 'Needed by jobs in the queue, g' }),
    needed_g: Type.Number({ description: 'Needed within the days looked ahead: at this pace, and by the queue, g' }),
    runs_out_at: OrNull('When it runs out at this pace, ms since the epoch'),
    buy: Type.Integer({ description: 'Spools to buy' }),
    net_g: Type.Number({ description: 'Filament on a new spool, g' }),
    price: OrNull('Of one spool'),
    currency: Type.String()
  }), { description: 'The first to run out comes first' }),
  totals: Type.Array(Type.Object({ currency: Type.String(), price: Type.Number() }), { description: 'Price of what is to buy, as far as prices are known' })
}, { 'x-name': 'SpoolSupply' })

const view = (supply: Supply, days: number) => ({
  brand: supply.brand,
  line: supply.line,
  material: supply.material,
  color: supply.color,
  color_name: supply.colorName,
  spools: supply.spools,
  left_g: round(supply.left),
  used_g: round(supply.used),
  planned_g: round(supply.planned),
  needed_g: round(supply.planned + supply.used / PACE_DAYS * days),
  runs_out_at: supply.runsOutAt === undefined ? null : Math.round(supply.runsOutAt),
  buy: supply.buy,
  net_g: supply.net,
  price: supply.price,
  currency: supply.currency
})

function totalsOf (supplies: readonly Supply[]): { currency: string, price: number }[] {
  const sums = new Map<string, number>()
  for (const { buy, price, currency } of supplies) {
    if (buy > 0 && price !== null) sums.set(currency, (sums.get(currency) ?? 0) + buy * price)
  }
  return [...sums].map(([currency, price]) => ({ currency, price: round(price) }))
}

const SHOPPING = ['brand', 'line', 'material', 'color_name', 'color', 'buy', 'net_g', 'price', 'currency', 'left_g', 'needed_g'] as const

/** The shopping list: what is missing, by brand and colour. */
export function shoppingCsv (filaments: readonly ReturnType<typeof view>[]): string {
  const keyOf = ({ brand, material, color }: (typeof filaments)[number]) => `${brand}\u0000${material}\u0000${color}`
  const rows = filaments.filter(({ buy }) => buy > 0).sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
  return [csvLine([...SHOPPING]), ...rows.map(row => csvLine(SHOPPING.map(name => row[name])))].join('')
}

export const readSupply = operation({
  name: 'spools.shopping',
  summary: 'Which filament runs out when, and what to buy',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: PACE_DAYS, description: 'How far to look ahead' })),
    format: Type.Optional(Type.Enum(SUPPLY_FORMATS, { default: 'json', description: '`csv`: the shopping list only' }))
  }),
  output: Type.Object({ format: Type.Enum(SUPPLY_FORMATS), supply: SupplyView }),
  async run ({ kernel, services: { spools } }, { days = PACE_DAYS, format = 'json' }) {
    const now = kernel.now()
    const { inventory } = spools
    const [rows, types, used, planned] = await Promise.all([
      inventory.list(), inventory.rows.types(), inventory.rows.usedSince(now - PACE_DAYS * DAY_MS), spools.planned()
    ])
    const supplies = forecastSupply({ spools: rows, types, used, planned, now, days })
    const filaments = supplies.map(supply => view(supply, days))
    return { format, supply: { days, pace_days: PACE_DAYS, filaments, totals: totalsOf(supplies) } }
  }
})
