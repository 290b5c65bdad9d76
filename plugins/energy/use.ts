import type { EnergyMeter } from '../history/index.js'
import type { Db } from './tables.js'

export interface UseFilter {
  /** Only of the printer with this serial. */
  readonly serial?: string | undefined
  /** Days, such as `2026-11-29`, both included. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Energy of prints and of the time between them, in Wh, and what it cost as far as a price is known. */
export interface Used {
  readonly wh: number
  readonly prints_wh: number
  readonly idle_wh: number
  readonly cost: number
}

export interface UsedOn extends Used { readonly day: string, readonly serial: string, readonly plug: string }

const MOST_ROWS = 200_000

const milli = (value: number): number => Math.round(value * 1_000) / 1_000

/** By day and plug. */
export async function readUse (db: Db, { serial, since, until }: UseFilter): Promise<UsedOn[]> {
  const rows = await db.selectFrom('energy_use').where(eb => eb.and([
    ...(serial === undefined ? [] : [eb('serial', '=', serial)]),
    ...(since === undefined ? [] : [eb('day', '>=', since)]),
    ...(until === undefined ? [] : [eb('day', '<=', until)])
  ])).select(({ fn, eb }) => ['day', 'plug', 'serial', fn.sum<number>('wh').as('wh'), fn.sum<number>('cost').as('cost'),
    fn.sum<number>(eb.case().when('print', '=', '').then(eb.ref('wh')).else(0).end()).as('idle_wh')])
    .groupBy(['day', 'plug', 'serial']).orderBy('day').orderBy('plug').limit(MOST_ROWS).execute()
  return rows.map(row => {
    const [wh, idle] = [Number(row.wh), Number(row.idle_wh)]
    const { day, plug, serial } = row
    return { day, plug, serial, wh, prints_wh: wh - idle, idle_wh: idle, cost: Number(row.cost) }
  })
}

/** The sum, to a thousandth. */
export function sumOf (rows: readonly Used[]): Used {
  const all = (of: keyof Used): number => milli(rows.reduce((sum, row) => sum + row[of], 0))
  return { wh: all('wh'), prints_wh: all('prints_wh'), idle_wh: all('idle_wh'), cost: all('cost') }
}

/** Energy of some prints; null when none of them was measured. */
export interface PrintsEnergy {
  readonly wh: number
  /** Null when no price is known. */
  readonly cost: number | null
  readonly currency: string
  /** How many of them were measured. */
  readonly prints: number
}

const MOST_IDS = 500

/** @param ids of prints in the record */
export async function readPrints (db: Db, ids: readonly string[], currency: string): Promise<PrintsEnergy | null> {
  let [wh, cost, priced, prints] = [0, 0, 0, 0]
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const row = await db.selectFrom('energy_prints').where('id', 'in', ids.slice(at, at + MOST_IDS))
      .select(({ fn }) => [fn.sum<number>('wh').as('wh'), fn.sum<number>('cost').as('cost'),
        fn.sum<number>('priced_wh').as('priced'), fn.countAll<number>().as('prints')]).executeTakeFirst()
    wh += Number(row?.wh ?? 0)
    cost += Number(row?.cost ?? 0)
    priced += Number(row?.priced ?? 0)
    prints += Number(row?.prints ?? 0)
  }
  return prints === 0 ? null : { wh: milli(wh), cost: priced > 0 ? milli(cost) : null, currency, prints }
}

export interface MeterDeps {
  readonly query: <R>(work: (db: Db) => Promise<R>) => Promise<R>
  readonly currency: () => string
  readonly serialOf: (printer: string) => string | undefined
}

/** What the record of prints shows of their energy. */
export const createEnergyMeter = ({ query, currency, serialOf }: MeterDeps): EnergyMeter => ({
  async ofPrint (id) {
    const row = await query(db => db.selectFrom('energy_prints').selectAll().where('id', '=', id).executeTakeFirst())
    if (row === undefined) return null
    return {
      wh: milli(row.wh),
      cost: row.priced_wh > 0 ? milli(row.cost) : null,
      currency: currency(),
      is_estimated: row.is_estimated === 1,
      is_partial: row.is_partial === 1
    }
  },
  async ofPrints ({ printer_name: printer, since, until }) {
    const serial = printer === undefined ? undefined : serialOf(printer)
    if (printer !== undefined && serial === undefined) return null
    const sums = await query(db => db.selectFrom('energy_prints').where(eb => eb.and([
      ...(serial === undefined ? [] : [eb('serial', '=', serial)]),
      ...(since === undefined ? [] : [eb('at', '>=', since)]),
      ...(until === undefined ? [] : [eb('at', '<', until)])
    ])).select(({ fn }) => [fn.sum<number>('wh').as('wh'), fn.sum<number>('cost').as('cost'), fn.countAll<number>().as('prints')])
      .executeTakeFirst())
    const prints = Number(sums?.prints ?? 0)
    if (prints === 0) return null
    return { wh: milli(Number(sums?.wh ?? 0)), cost: milli(Number(sums?.cost ?? 0)), currency: currency(), prints }
  }
})
