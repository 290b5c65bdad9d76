import type { Client } from 'basic-ftp'
import { FTPError } from 'basic-ftp'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeoutSignal } from '../../util/timeout-signal.js'
import { connectFtp, type ClientTarget } from './connect.js'
import { SdCardError, toSdCardError, connectFailure } from './sd-card-error.js'
import { createKeyedQueue } from '../../util/keyed-queue.js'
import { withTimeout } from '../../util/with-timeout.js'

/** As in common clients. */
const ATTEMPTS = 3
/** A connection that was idle for longer is checked with NOOP before use. */
const FRESH_MS = 1_000
/** For cleaning up after a failed transfer when the session ends. */
const FINAL_REPAIR_MS = 1_500

export interface FtpConnectionDeps {
  readonly target: () => ClientTarget
  readonly onPeer: (fingerprint: string) => void
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
}

export interface Work<T> {
  /** For error messages: `Listing the card`. */
  readonly what: string
  readonly signal: AbortSignal | undefined
  /** Total number of attempts when the connection is lost. @default 3 */
  readonly attempts?: number
  readonly run: (client: Client, attempt: number) => Promise<T>
  /** Called with a new connection once the work has finally failed. It must not throw. */
  readonly repair?: (client: Client) => Promise<void>
}

/** The one FTP connection to a printer's SD card: opened on demand, closed after an idle time. */
export interface FtpConnection {
  /** Runs one task at a time, in order of arrival. @throws SdCardError, or the reason of the task's signal */
  use<T> (work: Work<T>): Promise<T>
  /** Waits for running work, which the session's signal has aborted, and closes the connection. */
  end (): Promise<void>
}

/** Runs work of a client and closes the client when the signal is aborted, which ends any transfer. */
async function abortable<T> (client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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

/** An unreachable server is retried only if it was reachable before: it may be restarting. */
const isRetryable = (problem: SdCardError, number: number): boolean =>
  problem.isTransient || (problem.code === 'unreachable' && number > 1)

/** The message includes the number of attempts, as the user had to wait for them. */
const withTries = (problem: SdCardError, number: number): SdCardError => problem.code === 'too_many_clients'
  ? new SdCardError(problem.code, `${problem.message}. Tried ${number} times.`, { cause: problem })
  : problem

export function createFtpConnection ({ target, onPeer, signal: ending }: FtpConnectionDeps): FtpConnection {
  const queue = createKeyedQueue<'card'>()
  let client: Client | undefined
  let idleSince = 0
  let idleTimer: NodeJS.Timeout | undefined

  const drop = (): void => {
    client?.close()
    client = undefined
  }

  /** Printers close idle connections without a reply. */
  async function isAlive (idle: Client): Promise<boolean> {
    if (idle.closed) return false
    if (performance.now() - idleSince < FRESH_MS) return true
    return await idle.send('NOOP').then(() => true, () => false)
  }

  async function connected (signal: AbortSignal): Promise<Client> {
    if (client && await abortable(client, signal, () => isAlive(client as Client))) return client
    drop()
    const server = target()
    const where = `${server.host}:${server.port}`
    const late = () => Object.assign(new Error(`${where}: timeout`), { code: 'ETIMEDOUT' })
    const connect = async (signal: AbortSignal) => await connectFtp(server, onPeer, signal)
    try {
      client = await withTimeout(server.timeouts.connectMs, connect, late, signal)
    } catch (error) {
      throw signal.aborted ? signal.reason : connectFailure(error, where)
    }
    return client
  }

  async function attempt<T> (work: Work<T>, signal: AbortSignal, number: number): Promise<T> {
    const open = await connected(signal)
    const { quirks } = target()
    quirks.begin()
    try {
      const outcome = await abortable(open, signal, () => work.run(open, number))
      quirks.done()
      return outcome
    } catch (error) {
      quirks.failed(error)
      if (!(error instanceof FTPError) || error.code === 421) drop()
      throw error
    }
  }

  async function repair ({ repair }: Work<unknown>): Promise<void> {
    if (repair === undefined) return
    const late = timeoutSignal(ending.aborted ? FINAL_REPAIR_MS : target().timeouts.connectMs)
    try {
      const open = await connected(late)
      await abortable(open, late, () => repair(open))
    } catch {
      drop() // the original failure matters
    }
  }

  async function withRetries<T> (work: Work<T>, signal: AbortSignal): Promise<T> {
    const { what, attempts = ATTEMPTS } = work
    for (let number = 1; ; number++) {
      try {
        return await attempt(work, signal, number)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const problem = toSdCardError(error, what)
        const isFull = problem.code === 'too_many_clients' // the work did not start
        if (number >= (isFull ? ATTEMPTS : attempts) || !isRetryable(problem, number)) throw withTries(problem, number)
        await sleep(target().timeouts.retryMs, undefined, { signal })
      }
    }
  }

  async function runWork<T> (work: Work<T>, signal: AbortSignal): Promise<T> {
    clearTimeout(idleTimer)
    try {
      return await withRetries(work, signal)
    } catch (error) {
      await repair(work)
      throw signal.aborted ? signal.reason : error
    } finally {
      idleSince = performance.now()
      if (ending.aborted) drop()
      else idleTimer = setTimeout(drop, target().timeouts.idleMs).unref()
    }
  }

  return {
    use (work) {
      const signal = work.signal ? AbortSignal.any([ending, work.signal]) : ending
      return queue.run('card', () => runWork(work, signal), signal)
    },
    async end () {
      await queue.run('card', () => {})
      clearTimeout(idleTimer)
      drop()
    }
  }
}
