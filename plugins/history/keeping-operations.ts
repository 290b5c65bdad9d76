import { Type } from 'typebox'
import { keepingOperations } from '../database/index.js'
import type { Bounds } from './keeping.js'
import { requireSharedDatabase } from './operations.js'
import type { Db } from './queries.js'
import { keptFrom } from './retention.js'

const MIB = 1024 * 1024
const MOST_DAYS = 36_500
const MOST_MIB = 100_000_000

const limits = {
  keep_days: Type.Integer({ minimum: 0, maximum: MOST_DAYS, description: 'How long records of prints are kept; 0: for ever' }),
  keep_telemetry_days: Type.Integer({ minimum: 0, maximum: MOST_DAYS, description: 'How long their telemetry and pictures are kept; 0: as long as there is space' }),
  keep_telemetry_mib: Type.Integer({ minimum: 0, maximum: MOST_MIB, description: 'Most MiB of telemetry; the oldest is deleted first. 0: no limit' })
}
async function usedNow (db: Db) {
  const { prints, oldest } = await db.selectFrom('history_prints')
    .select(({ fn }) => [fn.countAll<number>().as('prints'), fn.min<number | null>('started_at').as('oldest')])
    .executeTakeFirstOrThrow()
  const bytes = await telemetryFrom(db, 0)
  return { prints: Number(prints), oldest_at: oldest === null ? null : Number(oldest), telemetry_bytes: bytes }
}

async function telemetryFrom (db: Db, from: number): Promise<number> {
  const { bytes } = await db.selectFrom('history_telemetry').where('at', '>=', from)
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes')).executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** What these limits would remove now. */
async function goneBy (db: Db, { keepDays, keepTelemetryDays, keepTelemetryMiB }: Bounds, now: number) {
  const { count } = await db.selectFrom('history_prints').where('result', '<>', 'running')
    .where('started_at', '<', keepDays === 0 ? 0 : keptFrom(keepDays, now))
    .select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const all = await telemetryFrom(db, 0)
  const young = keepTelemetryDays === 0 ? all : await telemetryFrom(db, keptFrom(keepTelemetryDays, now))
  const kept = keepTelemetryMiB === 0 ? young : Math.min(young, keepTelemetryMiB * MIB)
  return { prints: Number(count), telemetry_bytes: all - kept }
}

const { read: readKeeping, try: tryKeeping, change: changeKeeping } = keepingOperations({
  plugin: 'history',
  viewName: 'HistoryKeeping',
  limits,
  used: {
    prints: Type.Integer({ description: 'Recorded ones' }),
    oldest_at: Type.Union([Type.Integer(), Type.Null()], { description: 'When the oldest one began, ms since the epoch; null without one' }),
    telemetry_bytes: Type.Integer()
  },
  gone: { prints: Type.Integer({ description: 'Records' }), telemetry_bytes: Type.Integer({ description: 'At least' }) },
  summaries: {
    read: 'How long prints and their telemetry are kept, and what is recorded now',
    try: 'What would be deleted if prints were kept so long',
    change: 'Choose how long prints and their telemetry are kept'
  },
  consequence: 'What is older is deleted for good within the hour; statistics still count deleted prints.',
  guards: [requireSharedDatabase],
  kept: ({ history: { keeping } }) => keeping,
  usedNow: ({ services: { database } }) => database.query(usedNow),
  goneBy: ({ kernel, services: { database } }, bounds: Bounds) =>
    database.query((db: Db) => goneBy(db, bounds, kernel.now())),
  goneText: ({ prints, telemetry_bytes: bytes }) => `${prints} prints and ${Math.ceil(bytes / MIB)} MiB of telemetry`
})
export { changeKeeping, readKeeping, tryKeeping }
