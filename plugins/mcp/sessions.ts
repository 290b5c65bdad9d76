/** What a session must offer to be kept and ended. */
export interface Session {
  close (): Promise<void>
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
  /** Every place is taken by a session that waits for an answer. */
  readonly full: boolean
  get (id: string): S | undefined
  /** Takes a session in; with too many the one least in use is ended. */
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

  function giveWay (newest: string): void {
    const [first] = [...sessions].filter(([id, session]) => id !== newest && session.calls === 0).sort(leastInUse)
    if (first) end(first[0])
  }

  return {
    get size () { return sessions.size },
    get full () {
      return sessions.size >= limits.maxSessions && [...sessions.values()].every(({ calls }) => calls > 0)
    },
    get: id => sessions.get(id),
    add (id, session) {
      sessions.set(id, session)
      if (sessions.size > limits.maxSessions) giveWay(id)
    },
    end,
    endIdle () {
      const before = now() - limits.idleMinutes * MS_PER_MINUTE
      for (const [id, session] of sessions) if (use(session) === 0 && session.usedAt < before) end(id)
    },
    endAll () { for (const id of [...sessions.keys()]) end(id) }
  }
}
