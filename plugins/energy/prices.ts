import { Type, type Static } from 'typebox'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const Price = (description: string) => Type.Number({ minimum: 0, maximum: 1_000, description })
const Clock = (description: string) => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description })

export const PriceWindow = Type.Object({
  days: Type.Array(Type.Enum(DAYS), { minItems: 1, maxItems: 7, description: 'On which it begins' }),
  from: Clock('Begin, such as `22:00`'),
  to: Clock('End, such as `06:00`; before the begin: on the next day; the same: a whole day'),
  price: Price('For a kWh')
}, { additionalProperties: false })

export const Prices = Type.Object({
  currency: Type.String({ pattern: '^[\\p{L}\\p{Sc}]{0,8}$', description: 'Such as `EUR` or `€`' }),
  price: Type.Union([Price('For a kWh'), Type.Null()], { description: 'Outside of all windows; null: unknown' }),
  windows: Type.Array(PriceWindow, { maxItems: 24, description: 'The first one that fits counts' }),
  time_zone: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: 'Of the windows and days, such as `Europe/Berlin`; null: that of the machine'
  })
}, { additionalProperties: false })
export type Prices = Static<typeof Prices>

export const NO_PRICES: Prices = { currency: '', price: null, windows: [], time_zone: null }

/** The local time of a moment. */
export interface LocalTime {
  /** From 0, Monday. */
  readonly weekday: number
  readonly minutes: number
  /** `2026-11-29`. */
  readonly day: string
}

/** @throws RangeError for a time zone that does not exist */
export function createLocalTime (zone: string | null): (at: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(zone !== null && { timeZone: zone }),
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      weekday: DAYS.indexOf((parts.weekday ?? '').toLowerCase() as never),
      minutes: Number(parts.hour) * 60 + Number(parts.minute),
      day: `${parts.year}-${parts.month}-${parts.day}`
    }
  }
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function isWithin ({ days, from, to }: Static<typeof PriceWindow>, { weekday, minutes }: LocalTime): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const begins = (day: number): boolean => days.includes(DAYS[(day + 7) % 7] ?? 'mon')
  if (begin < end) return begins(weekday) && minutes >= begin && minutes < end
  return (begins(weekday) && minutes >= begin) || (begins(weekday - 1) && minutes < end)
}

const STEP_MS = 900_000
/** Energy of a longer time is priced by its last week. */
const MOST_STEPS = 672

export interface Tariff {
  readonly prices: Prices
  readonly localTime: (at: number) => LocalTime
  /** Of a kWh; null when unknown. */
  priceAt (at: number): number | null
  /** Of a kWh used evenly over a time; null when unknown. */
  priceBetween (from: number, to: number): number | null
}

/** @throws RangeError for a time zone that does not exist */
export function createTariff (prices: Prices): Tariff {
  const localTime = createLocalTime(prices.time_zone)
  function priceAt (at: number): number | null {
    if (prices.windows.length === 0) return prices.price
    const local = localTime(at)
    return prices.windows.find(window => isWithin(window, local))?.price ?? prices.price
  }
  return {
    prices,
    localTime,
    priceAt,
    priceBetween (from, to) {
      if (prices.windows.length === 0 || to - from < STEP_MS) return priceAt(to)
      const first = Math.max(from, to - STEP_MS * MOST_STEPS)
      const steps = Math.ceil((to - first) / STEP_MS)
      const all = Array.from({ length: steps }, (_, step) => priceAt(first + (step + 0.5) * (to - first) / steps))
      return all.includes(null) ? null : all.reduce((sum: number, price) => sum + (price ?? 0), 0) / steps
    }
  }
}
