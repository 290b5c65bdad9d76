import type { Database } from '../database/index.js'
import { NOTHING, plus, type Counters } from './counters.js'
import type { Db, FilamentRow, MinuteRow, PrintRow } from './tables.js'
import { KINDS, minutesIn, type WearHour } from './wear-minutes.js'

const MS_PER_HOUR = 3_600_000
const MINUTES = 60

/** What a printer has printed of a material, g. */
export interface MaterialUse { readonly material: string, readonly grams: number }

const maskOf = (hex: string): bigint => BigInt(`0x${hex === '' ? '0' : hex}`)

function rowOf (hour: WearHour, known: MinuteRow | undefined): MinuteRow {
  const masks = KINDS.map(kind => hour[kind] | maskOf(known?.[kind] ?? ''))
  const [hot = 0n, chamber = 0n, drying = 0n, changes = 0n] = masks
  const { serial } = hour
  return {
    id: `${serial}:${hour.hour}`,
    serial,
    hour: hour.hour,
    hot: hot.toString(16),
    hot_min: minutesIn(hot),
    chamber: chamber.toString(16),
    chamber_min: minutesIn(chamber),
    drying: drying.toString(16),
    drying_min: minutesIn(drying),
    changes: changes.toString(16),
    changes_min: minutesIn(changes)
  }
}

async function keepHour (db: Db, hour: WearHour): Promise<void> {
  const known = await db.selectFrom('maintenance_minutes').selectAll().where('id', '=', `${hour.serial}:${hour.hour}`).executeTakeFirst()
  const row = rowOf(hour, known)
  await db.insertInto('maintenance_minutes').values(row).onConflict(one => one.column('id').doUpdateSet(row)).execute()
}

/** PostgreSQL sends sums as text. */
const amount = (value: unknown): number => Number(value ?? 0)

interface Bounds {
  /** Only of this printer. */
  readonly serial?: string
  /** Only what was before, ms since the epoch. */
  readonly until?: number
}

/** What was counted of printers, by serial. */
async function countersOf (db: Db, { serial, until }: Bounds): Promise<Map<string, Counters>> {
  const found = new Map<string, Counters>()
  const add = (of: string, more: Partial<Counters>) => { found.set(of, plus(found.get(of) ?? NOTHING, more)) }
  const prints = await db.selectFrom('maintenance_prints').groupBy('serial')
    .select(({ fn }) => ['serial', fn.sum('seconds').as('seconds'), fn.countAll().as('prints'), fn.sum('failed').as('failed')])
    .$if(serial !== undefined, of => of.where('serial', '=', serial ?? ''))
    .$if(until !== undefined, of => of.where('ended_at', '<=', until ?? 0)).execute()
  for (const row of prints) {
    add(row.serial, { hours: amount(row.seconds) / 3_600, prints: amount(row.prints), failed: amount(row.failed) })
  }
  const filaments = await db.selectFrom('maintenance_filaments').groupBy(['serial', 'abrasive'])
    .select(({ fn }) => ['serial', 'abrasive', fn.sum('grams').as('grams')])
    .$if(serial !== undefined, of => of.where('serial', '=', serial ?? ''))
    .$if(until !== undefined, of => of.where('ended_at', '<=', until ?? 0)).execute()
  for (const row of filaments) {
    add(row.serial, { grams: amount(row.grams), ...(row.abrasive === 1 && { abrasive_grams: amount(row.grams) }) })
  }
  const minutes = await db.selectFrom('maintenance_minutes').groupBy('serial').select(({ fn }) => [
    'serial', fn.sum('hot_min').as('hot'), fn.sum('chamber_min').as('chamber'), fn.sum('drying_min').as('drying'),
    fn.sum('changes_min').as('changes')
  ]).$if(serial !== undefined, of => of.where('serial', '=', serial ?? ''))
    .$if(until !== undefined, of => of.where('hour', '<', Math.ceil((until ?? 0) / MS_PER_HOUR))).execute()
  for (const row of minutes) {
    add(row.serial, {
      hot_hours: amount(row.hot) / MINUTES,
      chamber_hours: amount(row.chamber) / MINUTES,
      drying_hours: amount(row.drying) / MINUTES,
      changes: amount(row.changes)
    })
  }
  return found
}

/** What wears printers. Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export const createWearStore = (database: Database) => ({
  /** Adds the minutes to those that are known, whoever counted them. */
  keepMinutes: async (hours: readonly WearHour[]): Promise<void> => {
    if (hours.length === 0) return
    await database.change(async (db: Db) => { for (const hour of hours) await keepHour(db, hour) })
  },
  /** Counts a print, or replaces what was counted of it: one that failed may have gone on. */
  keepPrint: (print: PrintRow, filaments: readonly FilamentRow[]): Promise<void> => database.change(async (db: Db) => {
    const known = await db.selectFrom('maintenance_prints').select('seconds').where('id', '=', print.id).executeTakeFirst()
    if (known && known.seconds > print.seconds) return
    const before = await db.selectFrom('maintenance_filaments').select(['id', 'abrasive']).where('print', '=', print.id).execute()
    const wore = new Set(before.filter(({ abrasive }) => abrasive === 1).map(({ id }) => id))
    await db.insertInto('maintenance_prints').values(print).onConflict(row => row.column('id').doUpdateSet(print)).execute()
    await db.deleteFrom('maintenance_filaments').where('print', '=', print.id).execute()
    const rows = filaments.map(row => ({ ...row, abrasive: Math.max(row.abrasive, Number(wore.has(row.id))) }))
    if (rows.length > 0) await db.insertInto('maintenance_filaments').values(rows).execute()
  }),
  isCounted: (id: string): Promise<boolean> => database.query(async (db: Db) =>
    await db.selectFrom('maintenance_prints').select('id').where('id', '=', id).executeTakeFirst() !== undefined),
  /** When the newest counted print ended, ms since the epoch; undefined when none is counted. */
  countedUntil: (): Promise<number | undefined> => database.query(async (db: Db) => {
    const row = await db.selectFrom('maintenance_prints').select(({ fn }) => fn.max('ended_at').as('at')).executeTakeFirst()
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at)
  }),
  counters: (of: Bounds = {}): Promise<Map<string, Counters>> => database.query((db: Db) => countersOf(db, of)),
  /** By serial, most first. */
  materials: (): Promise<Map<string, MaterialUse[]>> => database.query(async (db: Db) => {
    const rows = await db.selectFrom('maintenance_filaments').groupBy(['serial', 'material'])
      .select(({ fn }) => ['serial', 'material', fn.sum('grams').as('grams')]).execute()
    const found = new Map<string, MaterialUse[]>()
    for (const { serial, material, grams } of rows) {
      const known = found.get(serial) ?? []
      found.set(serial, [...known, { material, grams: amount(grams) }].sort((a, b) => b.grams - a.grams))
    }
    return found
  })
})

export type WearStore = ReturnType<typeof createWearStore>
