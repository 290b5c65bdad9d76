import type { Db, MeterRow } from '../tables.js'
import { energyBetween, shareOut, wholeStretch, type Count, type Share, type Stretch } from './count.js'

/** What is to be booked for one plug. */
export interface Booking {
  readonly plug: string
  readonly serial: string
  /** Id of this service. */
  readonly service: string
  readonly now: number
  /** The newest count; undefined for a plug without a counter. */
  readonly count: Count | undefined
  /** In order of time, at least one. */
  readonly stretches: readonly Stretch[]
  /** The time before the stretches, since the last booking. */
  readonly unseen: (from: number) => readonly Stretch[]
  readonly day: string
  /** Of a kWh, by the time since when; null when unknown. */
  readonly price: (from: number) => number | null
}

/** Another service that counts the same plug without a counter would count the same energy again. */
const OTHERS_MS = 180_000
/** The counter of a plug may be said so much later than its power: until then its last count stays, ms. */
const COUNTER_LATE_MS = 3_600_000
/** So much of a print may be missing before it counts as measured in part. */
const MISSING_SECONDS = 120

const WATT_SECONDS_PER_WH = 3_600

interface Outcome { readonly shares: readonly Share[], readonly isPartial: boolean, readonly counter: number | null }

function counted (meter: MeterRow | undefined, count: Count, booking: Booking): Outcome | undefined {
  const own = booking.stretches
  if (meter?.counter === undefined || meter.counter === null) return { shares: [], isPartial: true, counter: count.wh }
  const found = energyBetween({ wh: meter.counter, at: meter.at }, count)
  if (found.kind === 'overtaken') return undefined
  if (found.kind === 'begun') return { shares: [], isPartial: true, counter: count.wh }
  const stretches = [...booking.unseen(meter.at), ...own]
  return { shares: shareOut(found.wh, stretches), isPartial: false, counter: count.wh }
}

function byPower (meter: MeterRow | undefined, { service, now, stretches, unseen }: Booking): Outcome | undefined {
  if (meter && meter.service !== service && now - meter.at < OTHERS_MS) return undefined
  const hasCounter = meter?.counter !== undefined && meter.counter !== null
  if (hasCounter && now - meter.at < COUNTER_LATE_MS) return undefined
  const all = wholeStretch([...meter ? unseen(meter.at) : [], ...stretches])
  return {
    shares: stretches.map(({ print, wattSeconds }) => ({ print, wh: wattSeconds / WATT_SECONDS_PER_WH })),
    isPartial: meter === undefined || all.seconds - all.knownSeconds > MISSING_SECONDS,
    counter: null
  }
}

async function addUse (db: Db, booking: Booking, { print, wh }: Share, from: number): Promise<void> {
  const { plug, serial, day, now, price } = booking
  const of = price(from)
  const sums = { wh, cost: wh / 1_000 * (of ?? 0), priced_wh: of === null ? 0 : wh }
  const id = `${plug} ${day} ${print}`
  await db.insertInto('energy_use').values({ id, plug, serial, day, print, at: now, ...sums })
    .onConflict(row => row.column('id').doUpdateSet(eb => ({
      wh: eb('energy_use.wh', '+', sums.wh),
      cost: eb('energy_use.cost', '+', sums.cost),
      priced_wh: eb('energy_use.priced_wh', '+', sums.priced_wh),
      at: now
    }))).execute()
  if (print === '') return
  await db.insertInto('energy_prints').values({ id: print, serial, at: now, is_estimated: 0, is_partial: 0, ...sums })
    .onConflict(row => row.column('id').doUpdateSet(eb => ({
      wh: eb('energy_prints.wh', '+', sums.wh),
      cost: eb('energy_prints.cost', '+', sums.cost),
      priced_wh: eb('energy_prints.priced_wh', '+', sums.priced_wh)
    }))).execute()
}

/** Prints of which something is estimated or missing. */
async function mark (db: Db, prints: readonly string[], what: 'is_estimated' | 'is_partial'): Promise<void> {
  if (prints.length > 0) await db.updateTable('energy_prints').set({ [what]: 1 }).where('id', 'in', prints).execute()
}

/**
 * Books what a plug has counted since it was booked last, to prints and to the time between them. To be run in one
 * transaction: the count in the database is compared with the new one, so several services book each Wh once.
 * @returns Wh booked; undefined if there was nothing to book yet
 */
export async function book (db: Db, booking: Booking): Promise<number | undefined> {
  const { plug, service, now, count, stretches, serial } = booking
  const meter = await db.selectFrom('energy_meters').selectAll().where('id', '=', plug).executeTakeFirst()
  const outcome = count ? counted(meter, count, booking) : byPower(meter, booking)
  if (outcome === undefined) return undefined
  const { shares, isPartial, counter } = outcome
  for (const share of shares) if (share.wh > 0) await addUse(db, booking, share, meter?.at ?? now)
  const wh = shares.reduce((sum, share) => sum + share.wh, 0)
  const row = {
    counter, at: count?.at ?? now, counted_by: count ? 'counter' : 'power', service, wh: (meter?.wh ?? 0) + wh
  } as const
  await db.insertInto('energy_meters').values({ id: plug, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row)).execute()
  const prints = [...new Set([...stretches, ...shares].map(({ print }) => print).filter(print => print !== ''))]
  if (isPartial) {
    for (const print of prints) {
      await db.insertInto('energy_prints')
        .values({ id: print, serial, at: now, wh: 0, cost: 0, priced_wh: 0, is_estimated: 0, is_partial: 1 })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ is_partial: 1 })).execute()
    }
  }
  if (!count) await mark(db, prints, 'is_estimated')
  return wh
}

/** A plug was removed in the middle of a print. */
export const markPartial = (db: Db, print: string): Promise<void> => mark(db, [print], 'is_partial')
