import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './options.js'

/** Where clients log in: the same codes for every protocol of every printer. */
export interface Logins {
  /** Who has this code, if it may use the printer; a wrong one is answered late, and too many lock the address out. */
  enter (printer: string, address: string, code: string | undefined): Promise<Client | undefined>
  /**
   * The same where the code itself is not shown: `proves` tells whether a code is the one that was used.
   * @param tried the same for the same wrong code; without it each try counts as another code
   */
  prove (printer: string, address: string, proves: (code: string) => boolean, tried?: string):
  Promise<Client | undefined>
}

export interface LoginsOptions {
  readonly clients: readonly Client[]
  readonly now: () => number
  readonly signal: AbortSignal
  /** Told once when an address is locked out. */
  readonly onLocked: (address: string) => void
  /** Before a wrong code is refused. */
  readonly delayMs?: number
}

const DELAY_MS = 1_000
const WINDOW_MS = 10 * 60_000
/** Different wrong codes; a program that repeats one code is merely refused. */
const MOST_WRONG = 8
const MOST_ADDRESSES = 1_000

export function createLogins ({ clients, now, signal, onLocked, delayMs = DELAY_MS }: LoginsOptions): Logins {
  const salt = randomBytes(16)
  const digest = (text: string): Buffer => createHash('sha256').update(salt).update(text).digest()
  const digests = clients.map(client => ({ client, digest: digest(client.code) }))
  /** Wrong codes by address, as digests, with the time of the first. */
  const wrong = new Map<string, { since: number, codes: Set<string> }>()

  const recordOf = (address: string) => {
    const known = wrong.get(address)
    if (known !== undefined && now() - known.since < WINDOW_MS) return known
    wrong.delete(address)
    return undefined
  }

  function note (address: string, code: string): void {
    const record = recordOf(address) ?? { since: now(), codes: new Set() }
    record.codes.add(code)
    wrong.set(address, record)
    const [oldest] = wrong.keys()
    if (wrong.size > MOST_ADDRESSES && oldest !== undefined) wrong.delete(oldest)
    if (record.codes.size === MOST_WRONG) onLocked(address)
  }

  async function decide (printer: string, address: string, tried: string,
    proves: (client: typeof digests[number]) => boolean): Promise<Client | undefined> {
    const isLocked = (recordOf(address)?.codes.size ?? 0) >= MOST_WRONG
    // every code is compared: the time tells nothing of which one was close
    const found = digests.filter(proves).map(({ client }) => client)[0]
    const may = found !== undefined && (found.printers?.includes(printer) ?? true)
    if (may && !isLocked) return found
    if (found === undefined && !isLocked) note(address, tried)
    await sleep(delayMs, undefined, { signal }).catch(() => {})
    return undefined
  }

  return {
    async enter (printer, address, code = '') {
      const shown = digest(code)
      return await decide(printer, address, shown.toString('hex'), client => timingSafeEqual(client.digest, shown))
    },
    prove: async (printer, address, proves, tried) => await decide(printer, address,
      tried === undefined ? randomBytes(8).toString('hex') : digest(tried).toString('hex'), ({ client }) => proves(client.code))
  }
}
