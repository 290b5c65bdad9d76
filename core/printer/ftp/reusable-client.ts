import type { Client } from 'basic-ftp'
import { withTimeout } from '../../util/with-timeout.js'
import { connectFtp, type ClientTarget } from './connect.js'
import { connectFailure } from './sd-card-error.js'

export interface ReusableClientDeps {
  readonly target: () => ClientTarget
  readonly onPeer: (fingerprint: string) => void
}

/** A connection that was idle for longer is checked with NOOP before use. */
const FRESH_MS = 1_000

/** Runs work of a client and closes the client when the signal is aborted, which ends any transfer. */
export async function abortable<T> (client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const abort = () => client.close()
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** At most one connected client: opened on demand, reused while it is alive, closed after an idle time. */
export class ReusableClient {
  readonly #deps: ReusableClientDeps
  #client: Client | undefined
  #idleSince = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor (deps: ReusableClientDeps) { this.#deps = deps }

  async connected (signal: AbortSignal): Promise<Client> {
    const idle = this.#client
    if (idle && await abortable(idle, signal, () => this.#isAlive(idle))) return idle
    this.drop()
    const { target, onPeer } = this.#deps
    const server = target()
    const where = `${server.host}:${server.port}`
    const late = () => Object.assign(new Error(`${where}: timeout`), { code: 'ETIMEDOUT' })
    const connect = async (signal: AbortSignal) => await connectFtp(server, onPeer, signal)
    try {
      this.#client = await withTimeout(server.timeouts.connectMs, connect, late, signal)
    } catch (error) {
      throw signal.aborted ? signal.reason : connectFailure(error, where)
    }
    return this.#client
  }

  drop (): void {
    this.#client?.close()
    this.#client = undefined
  }

  /** Call when work begins; `rest` ends it. */
  begin (): void { clearTimeout(this.#idleTimer) }

  /** Keeps the client for the next work, for a while. */
  rest (): void {
    this.#idleSince = performance.now()
    this.#idleTimer = setTimeout(() => { this.drop() }, this.#deps.target().timeouts.idleMs).unref()
  }

  end (): void {
    clearTimeout(this.#idleTimer)
    this.drop()
  }

  /** Printers close idle connections without a reply. */
  async #isAlive (idle: Client): Promise<boolean> {
    if (idle.closed) return false
    if (performance.now() - this.#idleSince < FRESH_MS) return true
    return await idle.send('NOOP').then(() => true, () => false)
  }
}
