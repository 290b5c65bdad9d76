/**
 * So long after a renewal was sent its holder may act. Whoever waits takes a lease that it has seen unchanged for
 * longer, so nobody's clock but each one's own steady one counts, and none has to agree with another.
 */
export const HOLD_MS = 8_000
export const TAKE_MS = 10_500
export const RENEW_MS = 2_000
/**
 * An entry that was just taken is used when it could be replaced once more after this time. A cluster of servers may
 * accept two that were on their way at once over the same revision: then one of them does not find its own any more.
 */
export const CONFIRM_MS = 800

/** What is kept for one printer. */
export interface LeaseEntry { readonly revision: number, readonly owner: string | undefined }

/** A place where an entry is replaced only by who knows its revision. */
export interface LeaseStore {
  get (): Promise<LeaseEntry | undefined>
  /**
   * @param revision of the entry to replace; 0 where there is none
   * @returns the new revision; undefined when the entry is another by now
   */
  put (owner: string | undefined, revision: number): Promise<number | undefined>
}

/** The right to hold the session of one printer. */
export interface Lease {
  /** Whether it may be used now, by this very moment. */
  readonly held: boolean
  /** Names this time of holding it: a later one has a larger number. */
  readonly epoch: number
  /** Who has it, as far as is known. */
  readonly owner: string | undefined
  /** Renews it, or takes it where nobody has it any more; one call at a time. @throws when the store cannot be asked */
  tick (): Promise<void>
  /** Gives it up for good, so that another may take it at once. */
  release (): Promise<void>
}

/**
 * @param me names this run of this service
 * @param steady ms of a clock that never jumps
 */
export function createLease (store: LeaseStore, me: string, steady: () => number = () => performance.now()): Lease {
  /** Of our own entry. */
  let revision = 0
  let epoch = 0
  let until = -Infinity
  let owner: string | undefined
  /** Since when the entry is ours and not confirmed. */
  let claimedAt: number | undefined
  let isReleased = false
  let running: Promise<void> = Promise.resolve()
  /** The entry of another, and since when it has been this one. */
  let seen: { readonly revision: number, readonly at: number } | undefined

  const isHeld = () => steady() < until

  async function renew (isAgain = false): Promise<void> {
    const sentAt = steady()
    const next = await store.put(me, revision)
    if (next !== undefined) {
      revision = next
      if (!isReleased) until = sentAt + HOLD_MS
      return
    }
    const now = await store.get() // an answer was lost, or another has taken it
    if (now?.owner !== me) return lose(now)
    revision = now.revision
    if (!isAgain) await renew(true) // the entry is ours, and the time since it was stored is not known
  }

  function lose (now: LeaseEntry | undefined): void {
    until = -Infinity
    claimedAt = undefined
    owner = now?.owner
    seen = now && { revision: now.revision, at: steady() }
  }

  async function take (over: number): Promise<void> {
    const next = await store.put(me, over)
    seen = undefined
    if (next === undefined) return
    revision = epoch = next
    owner = me
    claimedAt = steady()
  }

  async function work (): Promise<void> {
    if (isHeld()) return await renew()
    if (claimedAt !== undefined) {
      if (steady() - claimedAt < CONFIRM_MS) return
      claimedAt = undefined
      return await renew()
    }
    const askedAt = steady()
    const now = await store.get()
    owner = now?.owner
    if (owner === undefined || owner === me) await take(now?.revision ?? 0)
    else if (now !== undefined && seen?.revision !== now.revision) seen = { revision: now.revision, at: steady() }
    else if (now !== undefined && seen !== undefined && askedAt - seen.at >= TAKE_MS) await take(now.revision)
  }

  return {
    get held () { return isHeld() },
    get epoch () { return epoch },
    get owner () { return owner },
    async tick () {
      if (isReleased) return
      running = work()
      await running
    },
    async release () {
      isReleased = true
      until = -Infinity
      await running.catch(() => {})
      if (owner === me) await store.put(undefined, revision)
    }
  }
}
