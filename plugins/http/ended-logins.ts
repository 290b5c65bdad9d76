import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'

/** Logins that were ended before they expired. */
export interface EndedLogins {
  /** @param since start of the login, s since the epoch */
  isEnded (id: string, since: number): boolean
  /**
   * Rejects if it could not be stored: after a restart the login would be valid again.
   * @param until expiry of the login, s since the epoch
   */
  end (id: string, until: number): Promise<void>
  /** Resolves when all writes are done. */
  settled (): Promise<void>
}

const File = Type.Object({
  version: Type.Literal(1),
  /** Expiry by login id, s since the epoch. */
  ended: Type.Record(Type.String(), Type.Number()),
  /** Logins that began at or before this time are ended too, s since the epoch. */
  allUntil: Type.Number()
})

/** Above this number, all open logins are ended instead of listing them. */
const MOST = 1_000
const NONE = { version: 1 as const, ended: {}, allUntil: 0 }

/** Stores them in the data folder until they expire. @param now ms since the epoch */
export async function openEndedLogins (dataDir: string, now: () => number, warn: (message: string) => void):
Promise<EndedLogins> {
  const path = join(dataDir, 'ended-logins.json')
  const store = await openJsonStore(path, { schema: File, initial: NONE, warn })
  return {
    settled: store.settled,
    isEnded (id, since) {
      const { ended, allUntil } = store.get()
      return Object.hasOwn(ended, id) || since <= allUntil
    },
    async end (id, until) {
      const nowS = now() / 1000
      const { ended, allUntil } = store.get()
      const open = Object.entries(ended).filter(([, its]) => its > nowS)
      const next = open.length < MOST
        ? { version: 1 as const, ended: Object.fromEntries([...open, [id, until]]), allUntil }
        : { version: 1 as const, ended: {}, allUntil: Math.floor(nowS) }
      try {
        await store.set(next)
      } catch (error) {
        warn(`${path} cannot be written: ${(error as Error).message}`)
        throw error
      }
    }
  }
}
