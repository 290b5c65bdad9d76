import { Type, type Static, type TObject } from 'typebox'
import type { SpoolRow } from './tables.js'

const Text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description && { description }) }))
/** A number that null clears. */
export const OrNone = (description: string, maximum = 100_000) =>
  Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum }), Type.Null()], { description: `${description}; null: unknown` }))
const MOST_MS = 8_640_000_000_000_000
export const Time = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: MOST_MS }), Type.Null()], {
    description: `${description}, ms since the epoch; null: unknown`
  }))
export const Id = Type.String({ minLength: 1, maxLength: 64 })
export const Currency = Type.Optional(Type.String({ pattern: '^([A-Z]{3})?$', description: 'ISO 4217, such as `EUR`' }))

/** What a person may know of one spool. */
export const detailFields = {
  type: Text(64, 'Id of its type; empty: none'),
  place: Text(64, 'Id of the place where it is kept; empty: unknown'),
  lot: Text(64, 'Number of the production lot'),
  notes: Text(1000),
  empty_g: OrNone('Weight of the empty spool, g, if it differs from that of its type'),
  price: OrNone('What was paid, if it differs from the price of its type', 1_000_000),
  currency: Currency,
  bought_at: Time('When it was bought'),
  opened_at: Time('When it was opened'),
  dried_at: Time('When it was last dried')
}
export type Details = Static<TObject<typeof detailFields>>

/** Columns of the details that are given; others stay as they are. */
export function columnsOf (given: Details): Partial<Omit<SpoolRow, 'used'>> {
  const { empty_g: empty, type, place, lot, notes, price, currency } = given
  const { bought_at: bought, opened_at: opened, dried_at: dried } = given
  return {
    ...(type !== undefined && { type }),
    ...(place !== undefined && { place }),
    ...(lot !== undefined && { lot }),
    ...(notes !== undefined && { notes }),
    ...(empty !== undefined && { empty }),
    ...(price !== undefined && { price }),
    ...(currency !== undefined && { currency }),
    ...(bought !== undefined && { bought_at: bought }),
    ...(opened !== undefined && { opened_at: opened }),
    ...(dried !== undefined && { dried_at: dried })
  }
}
