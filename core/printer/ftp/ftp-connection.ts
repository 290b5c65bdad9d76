import type { Client } from 'basic-ftp'
import { FTPError } from 'basic-ftp'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeoutSignal } from '../../util/timeout-signal.js'
import { createKeyedQueue } from '../../util/keyed-queue.js'
import type { ClientTarget } from './connect.js'
import { abortable, ReusableClient } from './reusable-client.js'
import { SdCardError, toSdCardError } from './sd-card-error.js'

/** As in common clients. */
const ATTEMPTS = 3
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

/** An unreachable server is retried only if it was reachable before: it may be restarting. */
const isRetryable = (problem: SdCardError, number: number): boolean =>
  problem.isTransient || (problem.code === 'unreachable' && number > 1)

/** The message includes the number of attempts, as the user had to wait for them. */
const withTries = (problem: SdCardError, number: number): SdCardError => problem.code === 'too_many_clients'
  ? new SdCardError(problem.code, `${problem.message}. Tried ${number} times.`, { cause: problem })
  : problem

export function createFtpConnection ({ target, onPeer, signal: ending }: FtpConnectionDeps): FtpConnection {
  const queue = createKeyedQueue<'card'>()
  const client = new ReusableClient({ target, onPeer })

  async function attempt<T> (work: Work<T>, signal: AbortSignal, number: number): Promise<T> {
    const open = await client.connected(signal)
    const { quirks } = target()
    quirks.begin()
    try {
      const outcome = await abortable(open, signal, () => work.run(open, number))
      quirks.done()
      return outcome
    } catch (error) {
      quirks.failed(error)
      if (!(error instanceof FTPError) || error.code === 421) client.drop()
      throw error
    }
  }

  async function repair ({ repair }: Work<unknown>): Promise<void> {
    if (repair === undefined) return
    const late = timeoutSignal(ending.aborted ? FINAL_REPAIR_MS : target().timeouts.connectMs)
    try {
      const open = await client.connected(late)
      await abortable(open, late, () => repair(open))
    } catch {
      client.drop() // the original failure matters
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
    client.begin()
    try {
      return await withRetries(work, signal)
    } catch (error) {
      await repair(work)
      throw signal.aborted ? signal.reason : error
    } finally {
      if (ending.aborted) client.drop()
      else client.rest()
    }
  }

  return {
    use (work) {
      const signal = work.signal ? AbortSignal.any([ending, work.signal]) : ending
      return queue.run('card', () => runWork(work, signal), signal)
    },
    async end () {
      await queue.run('card', () => {})
      client.end()
    }
  }
}
