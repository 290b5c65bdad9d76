import { connectionLimitReached } from '../http/index.js'

/** What a session must offer to be kept and ended. */
export interface Session {
  close (): Promise<void>
  /** Where its client is. */
  readonly address: string
  /** ms since the epoch. */
  usedAt: number
  /** Requests that wait for their answer. */
  calls: number
  /** Open streams for what nobody asked for. */
  listeners: number
}

export interface SessionLimits {
  /** Sessions without an open stream that said nothing for this long are ended. */
  readonly idleMinutes: number
  /** With more, one that is not in use gives way. */
  readonly maxSessions: number
}

export interface SessionTable<S extends Session> {
  readonly size: number
  /**
   * All of the sessions of which one would give way to a new one wait for an answer: those of its address, when that
   * has its share, or all.
   */
  busy (address: string): 'address' | 'all' | undefined
  get (id: string): S | undefined
  /** Takes a session in; with too many the one least in use is ended, of its own address when that has its share. */
  add (id: string, session: S): void
  end (id: string): void
  endIdle (): void
  endAll (): void
}

export const MS_PER_MINUTE = 60_000

/** Waiting for an answer beats listening, listening beats idling; then the one used last stays. */
const use = ({ calls, listeners }: Session) => calls > 0 ? 2 : listeners > 0 ? 1 : 0
const leastInUse = <S extends Session>(a: readonly [string, S], b: readonly [string, S]) =>
  use(a[1]) - use(b[1]) || a[1].usedAt - b[1].usedAt

export function createSessionTable<S extends Session> (limits: SessionLimits, now: () => number,
  onError: (error: Error) => void): SessionTable<S> {
  const sessions = new Map<string, S>()

  function end (id: string): void {
    const session = sessions.get(id)
    if (!sessions.delete(id)) return
    session?.close().catch(onError)
  }

  /** Those of which one gives way to a new one. */
  function limitReachedFor (address: string) {
    const present = [...sessions].map(([id, session]) => ({ id, session, address: session.address }))
    return connectionLimitReached(address, present, limits.maxSessions)
  }

  function makeRoom (address: string): void {
    const idle = limitReachedFor(address)?.members.filter(({ session }) => session.calls === 0) ?? []
    const [first] = idle.map(({ id, session }) => [id, session] as const).sort(leastInUse)
    if (first) end(first[0])
  }

  return {
    get size () { return sessions.size },
    busy (address) {
      const reached = limitReachedFor(address)
      if (!reached?.members.every(({ session }) => session.calls > 0)) return undefined
      return reached.of === 'address' ? 'address' : 'all'
    },
    get: id => sessions.get(id),
    add (id, session) {
      makeRoom(session.address)
      sessions.set(id, session)
    },
    end,
    endIdle () {
      const before = now() - limits.idleMinutes * MS_PER_MINUTE
      for (const [id, session] of sessions) if (use(session) === 0 && session.usedAt < before) end(id)
    },
    endAll () { for (const id of [...sessions.keys()]) end(id) }
  }
}
