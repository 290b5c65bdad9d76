import { join } from 'node:path'
import { Type } from 'typebox'
import { isServiceError, openJsonStore, privateFolder } from '../../core/index.js'
import type { Database } from '../database/index.js'
import { PlugExists, PlugKnown, PlugsFull } from './errors.js'
import type { PlugKind, PlugSettings } from './kinds.data.js'
import { topicsOf } from './link/topics.js'
import { NO_PRICES, type Prices } from './prices.js'
import type { Db, PlugRow, Tables } from './tables.js'

export const MOST_PLUGS = 500
const PRICES = 'prices'

/**
 * What a plug is on the network: two with the same place are one, which must not have two owners. The same relay by its
 * name and by its address, or by messages and by requests, cannot be told.
 */
export function placeOf ({ kind, settings }: Pick<PlugRow, 'kind' | 'settings'>): string {
  const own = JSON.parse(settings) as PlugSettings
  const relay = topicsOf(kind as PlugKind, own, '')?.turn(true).topic
  const { host = '', channel } = own
  if (relay !== undefined) return JSON.stringify([relay, ...kind === 'shelly2' ? [channel ?? 0] : []])
  const first = kind === 'tasmota_http' ? 1 : 0
  return JSON.stringify([new URL(`http://${host}`).host.replace(/\.$/, ''), (channel ?? first) - first])
}

/** Who switches a plug, and until when nobody else does. */
export interface Claim {
  readonly by: string
  readonly now: number
  readonly until: number
  /** It may be obeyed late. */
  readonly isLateOff: boolean
}

/** Of a plug that was never switched. */
const UNUSED = { switching_until: 0, switching_by: '', off_by: '', off_sent_at: 0 }
export type NewPlug = Omit<PlugRow, keyof typeof UNUSED | 'place'>

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createPlugStore ({ query, change }: Pick<Database, 'query' | 'change'>) {
  /** @throws PRN_ERR_PLUG_EXISTS, PRN_ERR_PLUG_KNOWN */
  async function checkFree (db: Db, row: NewPlug): Promise<PlugRow[]> {
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
    add: (row: NewPlug): Promise<void> => change<Tables, void>(async db => {
      if ((await checkFree(db, row)).length >= MOST_PLUGS) throw new PlugsFull(MOST_PLUGS)
      await db.insertInto('energy_plugs').values({ ...UNUSED, ...row, place: placeOf(row) }).execute()
    }),
    /** Of plugs from before places were stored; two that are one keep what tells them apart. */
    async fillPlaces (rows: readonly PlugRow[]): Promise<void> {
      const taken = new Set(rows.map(({ place }) => place))
      for (const row of rows) {
        const place = placeOf(row)
        if (row.place !== row.id || taken.has(place)) continue
        taken.add(place)
        await query((db: Db) => db.updateTable('energy_plugs').set({ place }).where('id', '=', row.id).execute())
      }
    },
    /** @returns whether there is such a plug @throws PRN_ERR_PLUG_EXISTS, PRN_ERR_PLUG_KNOWN */
    put: (row: PlugRow): Promise<boolean> => change<Tables, boolean>(async db => {
      await checkFree(db, row)
      const { id, switching_until: _until, switching_by: _by, off_by: _off, off_sent_at: _sent, ...columns } = row
      const { numUpdatedRows } = await db.updateTable('energy_plugs').set({ ...columns, place: placeOf(row) }).where('id', '=', id).executeTakeFirst()
      return numUpdatedRows === 1n
    }),
    /** What was counted stays, as it belongs to prints. */
    remove: (id: string): Promise<boolean> => change<Tables, boolean>(async db => {
      await db.deleteFrom('energy_meters').where('id', '=', id).execute()
      const { numDeletedRows } = await db.deleteFrom('energy_plugs').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    }),
    /** One service switches a plug at a time. @returns whether it is this one */
    claim: (id: string, { by, now, until, isLateOff }: Claim): Promise<boolean> => query(async (db: Db) => {
      const { numUpdatedRows } = await db.updateTable('energy_plugs')
        .set({ switching_until: until, switching_by: by, ...isLateOff && { off_sent_at: now } })
        .where('id', '=', id).where('switching_until', '<', now).executeTakeFirst()
      return numUpdatedRows === 1n
    }),
    release: (id: string, by: string): Promise<void> => query(async (db: Db) => {
      await db.updateTable('energy_plugs').set({ switching_until: 0 }).where('id', '=', id).where('switching_by', '=', by).execute()
    }),
    /** Nothing of that command can come any more. @param sentAt when it was claimed */
    offSettled: (id: string, sentAt: number): Promise<void> => query(async (db: Db) => {
      await db.updateTable('energy_plugs').set({ off_sent_at: 0 }).where('id', '=', id).where('off_sent_at', '=', sentAt).execute()
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
    password: Type.String({ maxLength: 200 }),
    is_later: Type.Optional(Type.Boolean({ description: 'It answered as a Shelly of a later generation, which never gets a login that can be read' }))
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
    /** Whether that device was once one whose login is by digest. */
    isLater (id: string, { host, kind }: Device): boolean {
      const found = Object.hasOwn(store.get().plugs, id) ? store.get().plugs[id] : undefined
      return found?.host === host && found.kind === kind && found.is_later === true
    },
    async setLater (id: string, device: Device): Promise<void> {
      const password = this.of(id, device)
      if (password === undefined || this.isLater(id, device)) return
      await store.set({ version: 1, plugs: { ...others(id), [id]: { ...device, password, is_later: true } } })
    },
    all: (): string[] => Object.values(store.get().plugs).map(({ password }) => password),
    /** Another password of the same device does not make it an earlier one. */
    async set (id: string, { host, kind }: Device, password: string): Promise<void> {
      const later = this.isLater(id, { host, kind }) ? { is_later: true } : {}
      await store.set({ version: 1, plugs: { ...others(id), [id]: { host, kind, password, ...later } } })
    },
    async remove (id: string): Promise<void> {
      if (Object.hasOwn(store.get().plugs, id)) await store.set({ version: 1, plugs: others(id) })
    },
    settled: () => store.settled()
  }
}
export type Passwords = Awaited<ReturnType<typeof openPasswords>>

export const isUnavailable = (error: unknown): boolean => isServiceError(error) && error.code.startsWith('PRN_ERR_DATABASE')
