import type { FastifyBaseLogger } from 'fastify'
import { timeoutSignal } from '../util/timeout-signal.js'
import { wordsOfFailure } from '../util/failure-words.js'
import type { PluginFaults } from './plugin-faults.js'

/** An external server that the service uses, such as a broker or a database. */
export interface OutsideConnection {
  /** Unique, such as `homeassistant` or `notify.phone`. */
  readonly name: string
  readonly plugin: string
  /** For display, such as `the broker of Home Assistant`. */
  readonly what: string
  /** Protocol, host and port; never a login, a path or a query, which may be secrets. */
  readonly address: string
  /** `unused`: not contacted yet. */
  readonly status: 'unused' | 'connected' | 'failed'
  /** For display, without secrets; undefined unless it failed. */
  readonly problem: string | undefined
  /** When the status last changed, ms since the epoch. */
  readonly since: number
}

export interface ConnectionSpec extends Pick<OutsideConnection, 'name' | 'plugin' | 'what'> {
  /** As configured: possible secrets are removed. */
  readonly address: string
  /** Checks the connection, if its normal use does not show whether it works. @throws the problem */
  readonly check?: (signal: AbortSignal) => Promise<unknown>
}

/** Lets the user of a connection report its status. */
export interface ConnectionReport {
  connected (): void
  failed (error: unknown): void
}

/** The connection of a user that may end while the service runs. */
export interface ConnectionEntry extends ConnectionReport {
  /** It is no longer used, and no longer listed. */
  remove (): void
}

/** All external connections of the service, except those to printers. */
export interface Connections {
  /** @throws TypeError for a duplicate name */
  add (spec: ConnectionSpec): ConnectionEntry
  list (): readonly OutsideConnection[]
  /**
   * Checks the connections that have a check; a recent result is reused.
   * @param only this one
   */
  refresh (only?: string): Promise<readonly OutsideConnection[]>
}

export interface ConnectionsDeps {
  readonly now: () => number
  readonly redact: (text: string) => string
  readonly faults: Pick<PluginFaults, 'guard'>
  /** Logs every change, whatever the log level. */
  readonly journal: Pick<FastifyBaseLogger, 'info'>
}

const CHECK_MS = 3_000
const FRESH_MS = 5_000
const LONGEST_PROBLEM = 300

function placeOf (address: string): string {
  const { protocol = '', host = '' } = URL.canParse(address) ? new URL(address) : {}
  return host !== '' ? `${protocol}//${host}` : (address.split(/[/?#]/)[0] ?? '').replace(/^.*@/, '')
}

/** Protocol, host and port of each address: login, path and query may be secrets. */
export const addressWithoutSecrets = (addresses: string): string =>
  addresses.split(/\s+/).map(placeOf).join(' ')

interface Entry { known: OutsideConnection, readonly check: ConnectionSpec['check'], checking?: Promise<void>, checkedAt: number }

/** An error without a stack, as the cause is not in the code. */
const withoutStack = (message: string): Error => Object.assign(new Error(message), { stack: undefined })

export function createConnections ({ now, redact, faults, journal }: ConnectionsDeps): Connections {
  const entries = new Map<string, Entry>()

  function change (entry: Entry, status: OutsideConnection['status'], problem?: string): void {
    const { name, plugin, what, address, status: before } = entry.known
    const since = status === before ? entry.known.since : now()
    entry.known = { ...entry.known, status, problem, since }
    if (status === before) return
    journal.info({ connection: name, status, problem }, `${what}: ${status}`)
    if (status === 'failed') faults.guard(plugin, 'connection', name).failed(withoutStack(`${what} (${address}): ${problem}`))
  }

  const reportOf = (entry: Entry): ConnectionReport => ({
    connected: () => { change(entry, 'connected') },
    failed: error => { change(entry, 'failed', redact(wordsOfFailure(error)).slice(0, LONGEST_PROBLEM)) }
  })

  async function checkNow (entry: Entry, check: NonNullable<Entry['check']>): Promise<void> {
    const report = reportOf(entry)
    const late = timeoutSignal(CHECK_MS)
    const isLate = new Promise<never>((_resolve, reject) => {
      late.addEventListener('abort', () => reject(new Error(`no answer within ${CHECK_MS / 1_000} s`)), { once: true })
    })
    await Promise.race([check(late), isLate]).then(report.connected, report.failed)
    entry.checkedAt = performance.now()
  }

  const list = () => [...entries.values()].map(({ known }) => known)

  return {
    add ({ name, plugin, what, address, check }) {
      if (entries.has(name)) throw new TypeError(`Two connections are named '${name}'`)
      const known = {
        name, plugin, what, address: addressWithoutSecrets(address), status: 'unused', problem: undefined, since: now()
      } as const
      const entry: Entry = { known, check, checkedAt: -Infinity }
      entries.set(name, entry)
      return { ...reportOf(entry), remove: () => { if (entries.get(name) === entry) entries.delete(name) } }
    },
    list,
    async refresh (only) {
      const asked = [...entries.values()].filter(({ known }) => only === undefined || known.name === only)
      await Promise.all(asked.map(async entry => {
        if (entry.check === undefined || performance.now() - entry.checkedAt < FRESH_MS) return
        await (entry.checking ??= checkNow(entry, entry.check).finally(() => { delete entry.checking }))
      }))
      return list()
    }
  }
}
