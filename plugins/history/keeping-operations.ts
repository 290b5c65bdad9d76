import { Type, type Static } from 'typebox'
import { mayUse, operation } from '../../core/index.js'
import { SetInFile } from '../database/index.js'
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
const Limits = Type.Object(limits)
const Change = Type.Partial(Limits, { additionalProperties: false })
type Limits = Static<typeof Limits>

const KeepingView = Type.Object({
  origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
  ...limits,
  prints: Type.Integer({ description: 'Recorded ones' }),
  oldest_at: Type.Union([Type.Integer(), Type.Null()], { description: 'When the oldest one began, ms since the epoch; null without one' }),
  telemetry_bytes: Type.Integer(),
  may_change: Type.Boolean({ description: 'The caller may change this' })
}, { 'x-name': 'HistoryKeeping' })

const viewOf = ({ keepDays, keepTelemetryDays, keepTelemetryMiB }: Bounds): Limits =>
  ({ keep_days: keepDays, keep_telemetry_days: keepTelemetryDays, keep_telemetry_mib: keepTelemetryMiB })

const boundsIn = (
  { keep_days: days, keep_telemetry_days: telemetryDays, keep_telemetry_mib: mib }: Partial<Limits>
): Partial<Bounds> => ({
  ...days !== undefined && { keepDays: days },
  ...telemetryDays !== undefined && { keepTelemetryDays: telemetryDays },
  ...mib !== undefined && { keepTelemetryMiB: mib }
})

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

const common = { scope: 'daemon', guards: [requireSharedDatabase] } as const

export const readKeeping = operation({
  ...common,
  name: 'history.readKeeping',
  summary: 'How long prints and their telemetry are kept, and what is recorded now',
  effect: 'read',
  input: Type.Object({}),
  output: KeepingView,
  async run ({ kernel, caller, services: { database, history: { keeping } } }) {
    const bounds = await keeping.read()
    const used = await database.query(usedNow)
    return { origin: keeping.origin, ...viewOf(bounds), ...used, may_change: mayUse(kernel, changeKeeping, caller) }
  }
})

export const tryKeeping = operation({
  ...common,
  name: 'history.tryKeeping',
  summary: 'What would be deleted if prints were kept so long',
  effect: 'read',
  input: Change,
  output: Type.Object({ prints: Type.Integer({ description: 'Records' }), telemetry_bytes: Type.Integer({ description: 'At least' }) }),
  async run ({ kernel, services: { database, history: { keeping } } }, given) {
    const bounds = { ...await keeping.read(), ...boundsIn(given) }
    return await database.query((db: Db) => goneBy(db, bounds, kernel.now()))
  }
})

export const changeKeeping = operation({
  ...common,
  name: 'history.changeKeeping',
  summary: 'Choose how long prints and their telemetry are kept',
  effect: 'destructive',
  access: 'trusted',
  consequence: 'What is older is deleted for good within the hour; statistics still count deleted prints.',
  input: Change,
  output: Limits,
  errors: [SetInFile],
  async preview ({ kernel, services: { database, history: { keeping } } }, given) {
    keeping.checkOpen()
    const bounds = { ...await keeping.read(), ...boundsIn(given) }
    const { prints, telemetry_bytes: bytes } = await database.query((db: Db) => goneBy(db, bounds, kernel.now()))
    return { checked: [`it is not set in the configuration file; ${prints} prints and ${Math.ceil(bytes / MIB)} MiB of telemetry would be deleted`] }
  },
  run: async ({ services: { history: { keeping } }, askedBy }, given) =>
    viewOf(await keeping.change(boundsIn(given), askedBy))
})
