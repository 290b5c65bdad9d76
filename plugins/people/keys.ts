import type { Role } from '../../core/index.js'
import { checkName } from './check-name.js'
import { NoSuchKey, PeopleFull } from './errors.js'
import { newSecret } from './secret.js'
import { digestOf } from './snapshot.js'
import { listed, type KeyRow, type Writer } from './tables.js'

export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly printers: readonly string[] | undefined
  readonly expiresAt: number | undefined
  readonly owner: string | undefined
}

const MOST_KEYS = 1_000

/** Keys in the database. */
export const createKeys = ({ change, now }: Writer) => ({
  /** @returns the key, which is not stored */
  addKey: ({ name, role, printers, expiresAt, owner }: NewKey) => change(async db => {
    const all = await db.selectFrom('people_keys').select('name').execute()
    checkName('key', name, all)
    if (all.length >= MOST_KEYS) throw new PeopleFull('keys', MOST_KEYS)
    const key = `prnd_${newSecret()}`
    const row: KeyRow = {
      id: digestOf(key),
      name,
      role,
      printers: listed(printers),
      owner: owner ?? null,
      created_at: now(),
      expires_at: expiresAt ?? null
    }
    await db.insertInto('people_keys').values(row).execute()
    return key
  }),
  revokeKey: (name: string) => change(async db => {
    const { numDeletedRows } = await db.deleteFrom('people_keys').where('name', '=', name).executeTakeFirst()
    if (numDeletedRows === 0n) throw new NoSuchKey(name)
  })
})
