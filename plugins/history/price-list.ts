import { Type } from 'typebox'
import { SharedSettings, type Database } from '../database/index.js'
import type { Prices } from './filament.js'

export const MOST_PRICES = 64
const HIGHEST = 1_000_000

export const Price = Type.Object({
  material: Type.String({ minLength: 1, maxLength: 64, description: 'As prints record it, such as `PLA`' }),
  price: Type.Number({ minimum: 0, maximum: HIGHEST, description: 'For a kilogram, in your currency' })
}, { additionalProperties: false })

const Stored = Type.Object({ prices: Type.Record(Type.String(), Type.Number({ minimum: 0 })) })

export interface PriceListOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
  readonly inFile: Prices
}

/** What a kilogram of each material costs, as the configuration file or people on a page say. */
export class PriceList extends SharedSettings<typeof Stored> {
  constructor ({ inFile, ...options }: PriceListOptions) {
    super({
      ...options,
      table: 'history_settings',
      id: 'prices',
      schema: Stored,
      inFile: Object.keys(inFile).length > 0 ? { prices: { ...inFile } } : undefined,
      option: 'plugins.history.prices'
    })
  }

  /** As they were read last. */
  get prices (): Prices { return this.value?.prices ?? {} }

  /** @throws PRN_ERR_SET_IN_FILE, the database's errors */
  async set (prices: Prices, by: string): Promise<void> {
    await this.change(() => ({ prices: { ...prices } }), by)
  }
}
