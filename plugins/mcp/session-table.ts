import { connectionLimitReached } from '../http/index.js'

export interface Session {
  close (): Promise<void>
  /** IP address of the client. */
  readonly address: string
  /** Last use, ms since the epoch. */
  usedAt: number
  /** Pending requests. */
  calls: number
  /** Open streams for unsolicited messages. */
  listeners: number
}

export interface SessionLimits {
  /** Sessions without an open stream end after this long without a request. */
  readonly idleMinutes: number
  /** Above this number, the session least in use is ended. */
  readonly maxSessions: number
}

export interface SessionTable<S extends Session> {
  readonly size: number
  /**
   * Whether no session can be ended to make room, because all have pending requests: those of this address, if its
   * limit is reached, or all.
   */
  busy (address: string): 'address' | 'all' | undefined
  get (id: string): S | undefined
  /** Adds a session. At a limit, the one least in use is ended: of its address, if that limit is reached. */
  add (id: string, session: S): void
  end (id: string): void
  endIdle (): void
  endAll (): void
}

export const MS_PER_MINUTE = 60_000

/** Sessions with pending requests rank above listening ones, those above idle ones; then the last use decides. */
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

  /** The sessions from which one must be ended to admit a new one. */
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
