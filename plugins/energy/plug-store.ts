import { join } from 'node:path'
import { Type } from 'typebox'
import { isServiceError, openJsonStore, privateFolder } from '../../core/index.js'
import type { Database } from '../database/index.js'
import { PlugExists, PlugKnown, PlugsFull } from './errors.js'
import type { PlugSettings } from './kinds.data.js'
import { NO_PRICES, type Prices } from './prices.js'
import type { Db, PlugRow, Tables } from './tables.js'

export const MOST_PLUGS = 500
const PRICES = 'prices'

/** Two plugs with the same place are one plug, which must not have two owners. */
function placeOf ({ kind, settings }: Pick<PlugRow, 'kind' | 'settings'>): string {
  const { topic = '', host = '', channel = '', state = '' } = JSON.parse(settings) as PlugSettings
  return JSON.stringify([kind, topic, host.toLowerCase(), channel, state])
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createPlugStore ({ query, change }: Pick<Database, 'query' | 'change'>) {
  /** @throws PRN_ERR_PLUG_EXISTS, PRN_ERR_PLUG_KNOWN */
  async function checkFree (db: Db, row: PlugRow): Promise<PlugRow[]> {
    const others = await db.selectFrom('energy_plugs').selectAll().where('id', '!=', row.id).execute()
    if (others.some(({ name }) => name === row.name)) throw new PlugExists(row.name)
    const same = others.find(other => placeOf(other) === placeOf(row))
    if (same) throw new PlugKnown(same.name)
    return others
  }

  return {
    list: (): Promise<PlugRow[]> => query((db: Db) => db.selectFrom('energy_plugs').selectAll().orderBy('name').execute()),
    find: (id: string): Promise<PlugRow | undefined> =>
      query((db: Db) => db.selectFrom('energy_plugs').selectAll().where('id', '=', id).executeTakeFirst()),
    /** @throws PRN_ERR_PLUG_EXISTS, PRN_ERR_PLUG_KNOWN, PRN_ERR_PLUGS_FULL */
    add: (row: PlugRow): Promise<void> => change<Tables, void>(async db => {
      if ((await checkFree(db, row)).length >= MOST_PLUGS) throw new PlugsFull(MOST_PLUGS)
      await db.insertInto('energy_plugs').values(row).execute()
    }),
    /** @returns whether there is such a plug @throws PRN_ERR_PLUG_EXISTS, PRN_ERR_PLUG_KNOWN */
    put: (row: PlugRow): Promise<boolean> => change<Tables, boolean>(async db => {
      await checkFree(db, row)
      const { id, switching_until: _until, switching_by: _by, off_by: _off, ...columns } = row
      const { numUpdatedRows } = await db.updateTable('energy_plugs').set(columns).where('id', '=', id).executeTakeFirst()
      return numUpdatedRows === 1n
    }),
    /** What was counted stays, as it belongs to prints. */
    remove: (id: string): Promise<boolean> => change<Tables, boolean>(async db => {
      await db.deleteFrom('energy_meters').where('id', '=', id).execute()
      const { numDeletedRows } = await db.deleteFrom('energy_plugs').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    }),
    /** One service switches a plug at a time. @returns whether it is this one */
    claim: (id: string, by: string, now: number, untilMs: number): Promise<boolean> => query(async (db: Db) => {
      const { numUpdatedRows } = await db.updateTable('energy_plugs').set({ switching_until: untilMs, switching_by: by })
        .where('id', '=', id).where('switching_until', '<', now).executeTakeFirst()
      return numUpdatedRows === 1n
    }),
    release: (id: string, by: string): Promise<void> => query(async (db: Db) => {
      await db.updateTable('energy_plugs').set({ switching_until: 0 }).where('id', '=', id).where('switching_by', '=', by).execute()
    }),
    setOffBy: (id: string, by: 'idle' | ''): Promise<void> => query(async (db: Db) => {
      await db.updateTable('energy_plugs').set({ off_by: by }).where('id', '=', id).execute()
    }),
    prices: (): Promise<Prices> => query(async (db: Db) => {
      const row = await db.selectFrom('energy_prices').select('prices').where('id', '=', PRICES).executeTakeFirst()
      return row ? JSON.parse(row.prices) as Prices : NO_PRICES
    }),
    setPrices: (prices: Prices): Promise<void> => query(async (db: Db) => {
      const row = { prices: JSON.stringify(prices) }
      await db.insertInto('energy_prices').values({ id: PRICES, ...row }).onConflict(conflict => conflict.column('id').doUpdateSet(row)).execute()
    })
  }
}
export type PlugStore = ReturnType<typeof createPlugStore>

const Secrets = Type.Object({
  version: Type.Literal(1),
  plugs: Type.Record(Type.String(), Type.Object({
    host: Type.String(),
    kind: Type.String(),
    password: Type.String({ maxLength: 200 })
  }), { description: 'Passwords by the id of the plug, each with the device that it was given for' })
})

/** A device that a password was given for: no other one gets it. */
export interface Device { readonly host: string, readonly kind: string }

export const deviceOf = ({ kind, settings }: Pick<PlugRow, 'kind' | 'settings'>): Device =>
  ({ kind, host: ((JSON.parse(settings) as PlugSettings).host ?? '').toLowerCase() })

/** Passwords of plugs, with the other secrets of this service; they are not in the database. */
export async function openPasswords (dataDir: string, warn: (message: string) => void) {
  const store = await openJsonStore(join(await privateFolder(dataDir, 'secrets'), 'plugs.json'), {
    schema: Secrets, initial: { version: 1, plugs: {} }, warn
  })
  const others = (id: string) => {
    const { [id]: _own, ...rest } = store.get().plugs
    return rest
  }
  return {
    /** @returns undefined without one, and for another device than it was given for */
    of (id: string, { host, kind }: Device): string | undefined {
      const found = Object.hasOwn(store.get().plugs, id) ? store.get().plugs[id] : undefined
      return found?.host === host && found.kind === kind ? found.password : undefined
    },
    all: (): string[] => Object.values(store.get().plugs).map(({ password }) => password),
    async set (id: string, { host, kind }: Device, password: string): Promise<void> {
      await store.set({ version: 1, plugs: { ...others(id), [id]: { host, kind, password } } })
    },
    async remove (id: string): Promise<void> {
      if (Object.hasOwn(store.get().plugs, id)) await store.set({ version: 1, plugs: others(id) })
    },
    settled: () => store.settled()
  }
}
export type Passwords = Awaited<ReturnType<typeof openPasswords>>

export const isUnavailable = (error: unknown): boolean => isServiceError(error) && error.code.startsWith('PRN_ERR_DATABASE')
