import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'

/** Logins that were ended before their time. */
export interface EndedLogins {
  /** @param since when it began, s since the epoch */
  isEnded (id: string, since: number): boolean
  /** @param until when it would have ended by itself, s since the epoch */
  end (id: string, until: number): void
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

const File = Type.Object({
  version: Type.Literal(1),
  /** By the id of the login: when it would have ended by itself, s since the epoch. */
  ended: Type.Record(Type.String(), Type.Number()),
  /** Logins that began at this time or before are ended too, s since the epoch. */
  allUntil: Type.Number()
})

/** More are not remembered one by one: then all that are open end. */
const MOST = 1_000
const NONE = { version: 1 as const, ended: {}, allUntil: 0 }

/** Remembers them in the data folder until they would have ended by themselves. @param now ms since the epoch */
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
    end (id, until) {
      const nowS = now() / 1000
      const { ended, allUntil } = store.get()
      const open = Object.entries(ended).filter(([, its]) => its > nowS)
      const next = open.length < MOST
        ? { version: 1 as const, ended: Object.fromEntries([...open, [id, until]]), allUntil }
        : { version: 1 as const, ended: {}, allUntil: Math.floor(nowS) }
      store.set(next).catch((error: Error) => warn(`${path} cannot be written: ${error.message}`))
    }
  }
}
