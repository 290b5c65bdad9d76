import { PortsExhausted, PortTaken } from '../errors.js'

/** Ports for the API and the stream servers. A port is claimed by binding it; nothing is probed first. */
export interface PortPool {
  readonly start: number
  /** Inclusive. */
  readonly end: number
  /** Sorted. */
  readonly claimed: readonly number[]
  /**
   * Calls `bind` with the preferred port, then with each free port of the pool in order, until it does not fail because
   * the address is in use or not permitted. The preferred port may be outside the pool.
   * @param strict only try the preferred port
   * @throws PRN_ERR_PORTS_EXHAUSTED, PRN_ERR_PORT_TAKEN
   */
  claim<T> (owner: string, bind: (port: number) => Promise<T>, preferred?: number, strict?: boolean):
  Promise<PortLease<T>>
}

export interface PortLease<T> {
  readonly port: number
  readonly value: T
  /** Releases the port; further calls have no effect. */
  release (): void
}

/** Default start of the pool. */
export const POOL_START = 49152
/** 200 ports. */
export const POOL_END = 49351

const TAKEN = new Set(['EADDRINUSE', 'EACCES'])
const isTaken = (error: unknown) => TAKEN.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** A second call must not release the port of a later owner. */
function once (work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

export function createPortPool (start = POOL_START, end = POOL_END): PortPool {
  const held = new Set<number>()

  function * candidates (preferred?: number, strict = false): Generator<number> {
    if (preferred !== undefined) yield preferred
    if (preferred !== undefined && strict) throw new PortTaken(preferred)
    for (let port = start; port <= end; port++) if (port !== preferred) yield port
  }

  async function claim<T> (owner: string, bind: (port: number) => Promise<T>, preferred?: number,
    strict?: boolean) {
    for (const port of candidates(preferred, strict)) {
      if (held.has(port)) continue
      held.add(port) // before the await, so that two claims never try the same port
      try {
        const value = await bind(port)
        return { port, value, release: once(() => { held.delete(port) }) }
      } catch (error) {
        held.delete(port)
        if (!isTaken(error)) throw error
      }
    }
    throw new PortsExhausted(owner, start, end)
  }

  return { start, end, get claimed () { return [...held].sort((a, b) => a - b) }, claim }
}
