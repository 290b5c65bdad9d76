import { AsyncLocalStorage } from 'node:async_hooks'
import { ClaimExpired, NotConnected, PrinterClaimed } from '../errors.js'

export interface ClaimOptions {
  /** The claim ends with it. */
  readonly signal?: AbortSignal
  /** The claim ends after this time at the latest, ms. @default 15 minutes */
  readonly withinMs?: number
}

/** Runs work that no other claim may interleave with on this printer: see `PrinterSession.exclusively`. */
export type Exclusively = <T>(purpose: string, work: (signal: AbortSignal) => Promise<T>, options?: ClaimOptions) =>
Promise<T>

interface Claim { readonly purpose: string }

/** Long enough to read a large archive from a slow card. */
const LONGEST_MS = 15 * 60_000

/** @param ending aborted when the session ends */
export function createClaims (name: string, ending: AbortSignal): Exclusively {
  /** The claim that was taken first, then those that were taken within it. */
  const held: Claim[] = []
  const mine = new AsyncLocalStorage<Claim>()

  function take (purpose: string): Claim {
    const holder = held.at(-1)
    if (holder !== undefined && holder !== mine.getStore()) throw new PrinterClaimed(purposeOf(held), name)
    const claim = { purpose }
    held.push(claim)
    return claim
  }

  /** Those that were taken within it go too. */
  function release (claim: Claim): void {
    if (held.includes(claim)) held.splice(held.indexOf(claim))
  }

  return async (purpose, work, { signal, withinMs = LONGEST_MS } = {}) => {
    if (ending.aborted) throw new NotConnected(name)
    signal?.throwIfAborted()
    const claim = take(purpose)
    const controller = new AbortController()
    const end = (reason: unknown) => {
      release(claim)
      controller.abort(reason)
    }
    const late = setTimeout(() => end(new ClaimExpired(purpose, name, withinMs / 1000)), withinMs).unref()
    const gone = () => end(new NotConnected(name))
    const unwanted = () => end(signal?.reason)
    ending.addEventListener('abort', gone, { once: true })
    signal?.addEventListener('abort', unwanted, { once: true })
    try {
      return await mine.run(claim, work, controller.signal)
    } finally {
      clearTimeout(late)
      ending.removeEventListener('abort', gone)
      signal?.removeEventListener('abort', unwanted)
      release(claim)
    }
  }
}

/** Others are told of what was taken first: the rest is part of it. */
const purposeOf = ([first]: readonly Claim[]): string => first?.purpose ?? ''
