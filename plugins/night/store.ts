import { SettingsChanged, type Database } from '../database/index.js'
import { OFF, type Settings } from './settings.js'
import type { ActRow, Db, SettingsRow } from './tables.js'

const ID = 'settings'
/** What was begun and not finished in this time is left by a service that has ended. */
const LEFT_MS = 5 * 60_000
const KEEP_MS = 90 * 24 * 3_600_000

/** Since when something is on, ms since the epoch: what was before does not count. */
export interface Since { readonly report: number, readonly watch: number }

export interface StoredSettings {
  readonly value: Settings
  readonly since: Since
  /** Of the last change; 0 before the first one. */
  readonly revision: number
}

const NEVER: Since = { report: 0, watch: 0 }

const inRow = (row: SettingsRow | undefined): StoredSettings => {
  const { since = NEVER, ...value } = row === undefined ? {} as { since?: Since } : JSON.parse(row.value)
  return { value: { ...OFF, ...value }, since, revision: row?.revision ?? 0 }
}

const dueBy = ({ report: { at, targets }, time_zone: timeZone }: Settings) => [at, timeZone, targets]

/**
 * From when on the report and the watch count after a change: who is added after the hour gets the report of the next
 * morning, and a new time zone repeats none.
 */
export function sinceOf (known: Pick<StoredSettings, 'value' | 'since'>, value: Settings, now: number): Since {
  const isSameReport = JSON.stringify(dueBy(value)) === JSON.stringify(dueBy(known.value))
  return {
    report: isSameReport ? known.since.report : now,
    watch: value.watch.after_min === known.value.watch.after_min ? known.since.watch : now
  }
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export const createNightStore = (database: Database, now: () => number) => ({
  settings: (): Promise<StoredSettings> => database.query(async (db: Db) =>
    inRow(await db.selectFrom('night_settings').selectAll().where('id', '=', ID).executeTakeFirst())),
  /**
   * Changes the settings as they are then, so that two people do not undo each other.
   * @param read revision that the change is of; undefined: whichever it is
   * @throws PRN_ERR_SETTINGS_CHANGED
   */
  change: (
    change: (known: Settings) => Settings, by: string, read?: number
  ): Promise<StoredSettings> => database.change(async (db: Db) => {
    const row = await db.selectFrom('night_settings').selectAll().where('id', '=', ID).executeTakeFirst()
    const known = inRow(row)
    if (read !== undefined && read !== known.revision) throw new SettingsChanged()
    const value = change(known.value)
    const since = sinceOf(known, value, now())
    const changed: SettingsRow = {
      id: ID,
      value: JSON.stringify({ ...value, since }),
      revision: known.revision + 1,
      changed_at: now(),
      changed_by: by
    }
    await db.insertInto('night_settings').values(changed).onConflict(one => one.column('id').doUpdateSet(changed)).execute()
    return { value, since, revision: changed.revision }
  }),
  /** @returns those of these acts that this service has to do */
  begin: (ids: readonly string[], kind: string, printer = ''): Promise<string[]> => database.change(async (db: Db) => {
    if (ids.length === 0) return []
    const known = await db.selectFrom('night_acts').selectAll().where('id', 'in', ids).execute()
    const taken = new Set(known.filter(({ state, at }) => state !== 'begun' || now() - at < LEFT_MS).map(({ id }) => id))
    const own = ids.filter(id => !taken.has(id))
    const row: Omit<ActRow, 'id'> = { kind, at: now(), state: 'begun', printer, detail: '' }
    if (own.length > 0) {
      await db.insertInto('night_acts').values(own.map(id => ({ id, ...row })))
        .onConflict(one => one.column('id').doUpdateSet(row)).execute()
    }
    return own
  }),
  end: (ids: readonly string[], detail: string): Promise<void> => database.query(async (db: Db) => {
    if (ids.length > 0) await db.updateTable('night_acts').set({ state: 'done', detail }).where('id', 'in', ids).execute()
  }),
  /** They are done later, by whichever service. */
  giveBack: (ids: readonly string[]): Promise<void> => database.query(async (db: Db) => {
    if (ids.length > 0) await db.deleteFrom('night_acts').where('id', 'in', ids).where('state', '=', 'begun').execute()
  }),
  acts: (most: number): Promise<ActRow[]> => database.query((db: Db) => db.selectFrom('night_acts').selectAll()
    .where('state', '=', 'done').orderBy('at', 'desc').orderBy('id').limit(most).execute()),
  /** Those of these acts that are done. */
  hasEnded: (ids: readonly string[]): Promise<Set<string>> => database.query(async (db: Db) => {
    if (ids.length === 0) return new Set()
    const rows = await db.selectFrom('night_acts').select('id').where('id', 'in', ids).where('state', '=', 'done').execute()
    return new Set(rows.map(({ id }) => id))
  }),
  prune: (): Promise<void> => database.query(async (db: Db) => {
    await db.deleteFrom('night_acts').where('at', '<', now() - KEEP_MS).execute()
  })
})

export type NightStore = ReturnType<typeof createNightStore>
