import { countSuspends } from './suspend-clock.js'

/**
 * The holder may act for `HOLD_MS` after it sent a renewal. Another node takes a lease that it has seen unchanged for
 * the longer `TAKE_MS`. Each uses only its own monotonic clock, so clocks need not be synchronised.
 */
export const HOLD_MS = 8_000
export const TAKE_MS = 10_500
export const RENEW_MS = 2_000
/**
 * A new lease is used only after it was renewed once, after this time. A cluster may accept two simultaneous writes
 * over the same revision; one of the writers then fails to renew.
 */
export const CONFIRM_MS = 800

/** The stored lease of one printer. */
export interface LeaseEntry { readonly revision: number, readonly owner: string | undefined }

/** A store with compare-and-set by revision. */
export interface LeaseStore {
  get (): Promise<LeaseEntry | undefined>
  /**
   * @param revision of the entry to replace; 0 for none
   * @returns the new revision; undefined when the entry has changed meanwhile
   */
  put (owner: string | undefined, revision: number): Promise<number | undefined>
}

/** The right to hold the session of one printer. */
export interface Lease {
  /** Whether the session may be used at this moment. */
  readonly held: boolean
  /** Identifies this tenure; a later one has a larger number. */
  readonly epoch: number
  /** The holder, as far as known. */
  readonly owner: string | undefined
  /** Renews the lease, or takes it when it has expired; one call at a time. @throws when the store is unreachable */
  tick (): Promise<void>
  /** Gives the lease up for good, so that another node may take it at once. */
  release (): Promise<void>
}

/**
 * @param me identifies this run of this service
 * @param steady monotonic clock, ms
 * @param wall ms since the epoch, for the time while the machine was suspended
 */
export function createLease (store: LeaseStore, me: string, steady: () => number = () => performance.now(),
  wall: () => number = Date.now): Lease {
  /** Only what ends our own tenure goes by it: another's must not end because a clock was set. */
  const clock = countSuspends(steady, wall)
  /** Revision of our own entry. */
  let revision = 0
  let epoch = 0
  let until = -Infinity
  let owner: string | undefined
  /** Since when the entry is ours but unconfirmed. */
  let claimedAt: number | undefined
  let isReleased = false
  let running: Promise<void> = Promise.resolve()
  /** The entry of another holder, and since when it is unchanged. */
  let seen: { readonly revision: number, readonly at: number } | undefined

  const isHeld = () => clock() < until

  async function renew (isAgain = false): Promise<void> {
    const sentAt = clock()
    const next = await store.put(me, revision)
    if (next !== undefined) {
      revision = next
      if (!isReleased) until = sentAt + HOLD_MS
      return
    }
    const now = await store.get() // an answer was lost, or another node has taken it
    if (now?.owner !== me) return lose(now)
    revision = now.revision
    if (!isAgain) await renew(true) // the entry is ours, but it is unknown when it was stored
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
