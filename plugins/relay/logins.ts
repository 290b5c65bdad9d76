import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from '../../core/index.js'
import type { Client } from './options.js'

/** Logins of clients, with the same codes for every protocol of every printer. */
export interface Logins {
  /** The client with this code, if it may use the printer. Failures are delayed, and too many lock the address out. */
  logIn (printer: string, address: string, code: string | undefined): Promise<Client | undefined>
  /**
   * The same for protocols that do not reveal the code: `proves` tests whether a code was the one used.
   * @param tried identifies a wrong code; without it each attempt counts as another code
   */
  prove (printer: string, address: string, proves: (code: string) => boolean, tried?: string):
  Promise<Client | undefined>
}

export interface LoginsOptions {
  /** Those that may connect now. */
  readonly clients: () => readonly Client[]
  /** Called for every login. */
  readonly onLogin?: (client: Client) => void
  readonly now: () => number
  readonly signal: AbortSignal
  /** Called once when an address is locked out. */
  readonly onLocked: (address: string) => void
  /** Delay before a wrong code is refused. */
  readonly delayMs?: number
}

const DELAY_MS = 1_000
const WINDOW_MS = 10 * 60_000
/** Limit of different wrong codes; a program that repeats one code is not locked out. */
const MOST_WRONG = 8
const MOST_ADDRESSES = 1_000

export function createLogins (options: LoginsOptions): Logins {
  const { clients, onLogin = () => {}, now, signal, onLocked, delayMs = DELAY_MS } = options
  const salt = randomBytes(16)
  const digest = (text: string): Buffer => createHash('sha256').update(salt).update(text).digest()
  const digests = new WeakMap<Client, Buffer>()
  /** Digests of wrong codes by network, with the time of the first. */
  const wrong = new Map<string, { since: number, codes: Set<string> }>()

  function digestOf (client: Client): Buffer {
    const own = digests.get(client) ?? digest(client.code)
    digests.set(client, own)
    return own
  }

  const recordOf = (network: string) => {
    const known = wrong.get(network)
    if (known !== undefined && now() - known.since < WINDOW_MS) return known
    wrong.delete(network)
    return undefined
  }

  function note (address: string, code: string): void {
    const network = networkOf(address) // a neighbour has any number of IPv6 addresses
    const record = recordOf(network) ?? { since: now(), codes: new Set() }
    record.codes.add(code)
    wrong.set(network, record)
    const [oldest] = wrong.keys()
    if (wrong.size > MOST_ADDRESSES && oldest !== undefined) wrong.delete(oldest)
    if (record.codes.size === MOST_WRONG) onLocked(address)
  }

  async function decide (printer: string, address: string, tried: string,
    proves: (client: Client) => boolean): Promise<Client | undefined> {
    const isLocked = (recordOf(networkOf(address))?.codes.size ?? 0) >= MOST_WRONG
    // compares every code, so that the time reveals nothing
    const [found] = clients().filter(proves)
    const may = found !== undefined && (found.printers?.includes(printer) ?? true)
    if (may && !isLocked) {
      onLogin(found)
      return found
    }
    if (found === undefined && !isLocked) note(address, tried)
    await sleep(delayMs, undefined, { signal }).catch(() => {})
    return undefined
  }

  return {
    async logIn (printer, address, code = '') {
      const shown = digest(code)
      return await decide(printer, address, shown.toString('hex'), client => timingSafeEqual(digestOf(client), shown))
    },
    prove: async (printer, address, proves, tried) => await decide(printer, address,
      tried === undefined ? randomBytes(8).toString('hex') : digest(tried).toString('hex'), ({ code }) => proves(code))
  }
}
