import { Type } from 'typebox'
import { keepingOperations, SharedLimits, type Database, type Kysely } from '../database/index.js'
import { firstIdAt } from './entry.js'
import type { Tables } from './tables.js'

const MS_PER_DAY = 86_400_000
/** Digits of the base of the times in ids. */
const ID_BASE = 36
const Days = Type.Integer({ minimum: 1, maximum: 36_500, description: 'How long entries are kept' })
const Most = Type.Integer({ minimum: 1_000, maximum: 10_000_000, description: 'With more, the oldest are removed' })
const Stored = Type.Object({ keepDays: Days, mostEntries: Most })
const USUAL = { keepDays: 365, mostEntries: 200_000 }

export const Options = Type.Object({
  keepDays: { ...Days, default: USUAL.keepDays }, mostEntries: { ...Most, default: USUAL.mostEntries }
})
export type Limits = Readonly<Record<'keepDays' | 'mostEntries', number>>

/** How long entries are kept, as the configuration file or people on a page say. */
export const createKeeping = (database: Pick<Database, 'query' | 'change'>, now: () => number, inFile: Limits) =>
  new SharedLimits({
    database, now, inFile, table: 'audit_settings', id: 'keeping', schema: Stored, usual: USUAL, place: 'plugins.audit'
  })
export type Keeping = ReturnType<typeof createKeeping>

type Db = Kysely<Tables>
const keptFrom = ({ keepDays }: Limits, now: number): string => firstIdAt(now - keepDays * MS_PER_DAY)

async function count (db: Db, before?: string): Promise<number> {
  const query = db.selectFrom('audit_entries').select(({ fn }) => fn.countAll().as('count'))
  const { count } = await (before === undefined ? query : query.where('id', '<', before)).executeTakeFirstOrThrow()
  return Number(count)
}

async function usedNow (db: Db) {
  const oldest = await db.selectFrom('audit_entries').select('id').orderBy('id').limit(1).executeTakeFirst()
  const oldestAt = oldest === undefined ? null : Number.parseInt(oldest.id.slice(0, oldest.id.indexOf('-')), ID_BASE)
  return { entries: await count(db), oldest_at: oldestAt }
}

/** Of those that are too old and those that are too many, one is among the other. */
const goneBy = async (db: Db, limits: Limits, now: number) =>
  ({ entries: Math.max(await count(db, keptFrom(limits, now)), await count(db) - limits.mostEntries, 0) })

/** Removes entries that are too old, and the oldest of those that are too many. */
export async function prune (db: Db, limits: Limits, now: number): Promise<void> {
  await db.deleteFrom('audit_entries').where('id', '<', keptFrom(limits, now)).execute()
  const last = await db.selectFrom('audit_entries').select('id').orderBy('id', 'desc').offset(limits.mostEntries).limit(1)
    .executeTakeFirst()
  if (last) await db.deleteFrom('audit_entries').where('id', '<=', last.id).execute()
}

export const keeping = keepingOperations({
  plugin: 'audit',
  viewName: 'AuditKeeping',
  limits: { keep_days: Days, most_entries: Most },
  used: {
    entries: Type.Integer({ description: 'Stored ones' }),
    oldest_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the oldest one, ms since the epoch; null without one' })
  },
  gone: { entries: Type.Integer() },
  summaries: {
    read: 'How long the audit log is kept, and how many entries there are',
    try: 'How many entries would be deleted if the audit log were kept so long',
    change: 'Choose how long the audit log is kept'
  },
  consequence: 'Older entries are deleted for good within the hour: what was done, and by whom, is then not known any more.',
  access: 'trusted',
  kept: ({ audit }) => audit.keeping,
  usedNow: ({ services: { database } }) => database.query(usedNow),
  goneBy: ({ kernel, services: { database } }, limits: Limits) =>
    database.query((db: Db) => goneBy(db, limits, kernel.now())),
  goneText: ({ entries }) => `${entries} entries`
})
