import type { Client } from 'basic-ftp'
import { FTPError } from 'basic-ftp'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectFtp, type ClientTarget } from './connect.js'
import { SdCardError, toSdCardError, connectFailure } from './sd-card-error.js'
import { createKeyedQueue } from '../../util/keyed-queue.js'
import { withTimeout } from '../../util/with-timeout.js'

/** Source: attempts of common clients. */
const ATTEMPTS = 3
/** A connection that rested longer is asked whether it still stands. */
const FRESH_MS = 1_000
/** For the last cleaning up when the session ends. */
const FAREWELL_MS = 1_500

export interface FtpConnectionDeps {
  readonly target: () => ClientTarget
  readonly onPeer: (fingerprint: string) => void
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
}

export interface Work<T> {
  /** In words, for messages: `listing the card`. */
  readonly what: string
  readonly signal: AbortSignal | undefined
  /** How often it may begin anew after the connection was lost. @default 3 */
  readonly attempts?: number
  readonly run: (client: Client, attempt: number) => Promise<T>
  /** Runs over another connection once the work has failed for good. It must not throw. */
  readonly repair?: (client: Client) => Promise<void>
}

/** The one connection to a card: opened when there is work, kept for a moment after it. */
export interface FtpConnection {
  /** Works off one thing after the other. @throws CardProblem, or the reason of the work's signal */
  use<T> (work: Work<T>): Promise<T>
  /** Ends what runs and closes the connection. */
  end (): Promise<void>
}

/** Closes a client as soon as a signal is aborted: that ends whatever it does. */
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

/** A server that was there a moment ago may be starting again. */
const mayPass = (problem: SdCardError, number: number): boolean =>
  problem.isPassing || (problem.code === 'unreachable' && number > 1)

/** Waiting for a place is done for the user, and told. */
const told = (problem: SdCardError, number: number): SdCardError => problem.code === 'too_many_clients'
  ? new SdCardError(problem.code, `${problem.message}. Tried ${number} times.`, { cause: problem })
  : problem

export function createFtpConnection ({ target, onPeer, signal: ending }: FtpConnectionDeps): FtpConnection {
  const queue = createKeyedQueue<'card'>()
  let client: Client | undefined
  let restingSince = 0
  let idle: NodeJS.Timeout | undefined

  const drop = (): void => {
    client?.close()
    client = undefined
  }

  /** A printer drops resting connections without a word. */
  async function stands (resting: Client): Promise<boolean> {
    if (resting.closed) return false
    if (performance.now() - restingSince < FRESH_MS) return true
    return await resting.send('NOOP').then(() => true, () => false)
  }

  async function connected (signal: AbortSignal): Promise<Client> {
    if (client && await abortable(client, signal, () => stands(client as Client))) return client
    drop()
    const goal = target()
    const where = `${goal.host}:${goal.port}`
    const late = () => Object.assign(new Error(`${where}: timeout`), { code: 'ETIMEDOUT' })
    const connect = async (signal: AbortSignal) => await connectFtp(goal, onPeer, signal)
    try {
      client = await withTimeout(goal.timeouts.connectMs, connect, late, signal)
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
    const late = AbortSignal.timeout(ending.aborted ? FAREWELL_MS : target().timeouts.connectMs)
    try {
      const open = await connected(late)
      await abortable(open, late, () => repair(open))
    } catch {
      drop() // the failure that led here is what counts
    }
  }

  async function persist<T> (work: Work<T>, signal: AbortSignal): Promise<T> {
    const { what, attempts = ATTEMPTS } = work
    for (let number = 1; ; number++) {
      try {
        return await attempt(work, signal, number)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const problem = toSdCardError(error, what)
        const isFull = problem.code === 'too_many_clients' // and nothing was begun
        if (number >= (isFull ? ATTEMPTS : attempts) || !mayPass(problem, number)) throw told(problem, number)
        await sleep(target().timeouts.retryMs, undefined, { signal })
      }
    }
  }

  async function inTurn<T> (work: Work<T>, signal: AbortSignal): Promise<T> {
    clearTimeout(idle)
    try {
      return await persist(work, signal)
    } catch (error) {
      await repair(work)
      throw signal.aborted ? signal.reason : error
    } finally {
      restingSince = performance.now()
      if (ending.aborted) drop()
      else idle = setTimeout(drop, target().timeouts.idleMs).unref()
    }
  }

  return {
    use (work) {
      const signal = work.signal ? AbortSignal.any([ending, work.signal]) : ending
      return queue.run('card', () => inTurn(work, signal), signal)
    },
    async end () {
      await queue.run('card', () => {})
      clearTimeout(idle)
      drop()
    }
  }
}
