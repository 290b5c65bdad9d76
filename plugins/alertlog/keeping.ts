import { Type } from 'typebox'
import { keepingOperations, SharedLimits, type Database } from '../database/index.js'
import { countBefore, type Db } from './queries.js'

const MS_PER_DAY = 86_400_000
const MOST_DAYS = 36_500
const Days = Type.Integer({ minimum: 1, maximum: MOST_DAYS, description: 'How long alerts are kept' })
const Stored = Type.Object({ keepDays: Days })

const USUAL = { keepDays: 365 }

export const Options = Type.Object({ keepDays: { ...Days, default: USUAL.keepDays } })

type Limits = Readonly<Record<'keepDays', number>>

/** Alerts before then are removed. */
export const keptFrom = ({ keepDays }: Limits, now: number): number => now - keepDays * MS_PER_DAY

/** How long alerts are kept, as the configuration file or people on a page say. */
export const createKeeping = (
  database: Pick<Database, 'query' | 'change'>, now: () => number, inFile: Limits
) => new SharedLimits({
  database, now, inFile, table: 'alertlog_settings', id: 'keeping', schema: Stored, usual: USUAL, place: 'plugins.alertlog'
})
export type Keeping = ReturnType<typeof createKeeping>

export const keeping = keepingOperations({
  plugin: 'alertlog',
  viewName: 'AlertKeeping',
  limits: { keep_days: Days },
  used: {
    alerts: Type.Integer({ description: 'Stored ones' }),
    oldest_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the oldest one, ms since the epoch; null without one' })
  },
  gone: { alerts: Type.Integer() },
  summaries: {
    read: 'How long alerts are kept, and how many there are',
    try: 'How many alerts would be deleted if they were kept so long',
    change: 'Choose how long alerts are kept'
  },
  consequence: 'Older alerts, also those that nobody has acknowledged, are deleted for good within the hour.',
  kept: ({ alertlog }) => alertlog.keeping,
  usedNow: ({ services: { database } }) => database.query(async (db: Db) => {
    const { alerts, oldest_at: oldest } = await db.selectFrom('alertlog_alerts')
      .select(({ fn }) => [fn.countAll().as('alerts'), fn.min<number | null>('at').as('oldest_at')]).executeTakeFirstOrThrow()
    return { alerts: Number(alerts), oldest_at: oldest === null ? null : Number(oldest) }
  }),
  goneBy: ({ kernel, services: { database } }, limits: Limits) =>
    database.query(async (db: Db) => ({ alerts: await countBefore(db, keptFrom(limits, kernel.now())) })),
  goneText: ({ alerts }) => `${alerts} alerts`
})
