import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ClientSessionState } from './client-session-state.js'
import { errorText } from './error-text.js'
import { wasNotAccepted } from './failure-reason.js'
import { openUpstream, type UpstreamConnection, type UpstreamTransport } from './upstream-connection.js'

export interface ServiceLinkOptions {
  /** Opens a connection to the service; called again after each loss. */
  readonly connect: () => UpstreamTransport
  readonly clientState: ClientSessionState
  /** Reports a problem. */
  readonly warn: (message: string) => void
  /** Time limit for the answer to a ping. */
  readonly patienceMs: number
  /** A message of the service. @param connection the one it arrived on, currently in use */
  readonly onMessage: (message: JSONRPCMessage, connection: UpstreamConnection) => void
  /** The connection was abandoned: requests sent over it get no answer. */
  readonly onLost: () => void
  /** A new connection was initialized on the client's behalf. */
  readonly onRenewed: () => void
}

const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000
const LEAVE_WITHIN_MS = 400

/**
 * The connection to the service, renewed on the client's behalf after a loss. At most one is in use and at most one is
 * being renewed. A message that the service may have received is never sent again.
 */
export class ServiceLink {
  readonly #options: ServiceLinkOptions
  readonly #ended = new AbortController()
  #connection: UpstreamConnection | undefined
  #renewing: Promise<UpstreamConnection> | undefined
  #isChecking = false
  #isComingBack = false

  constructor (options: ServiceLinkOptions) {
    this.#options = options
  }

  get isUp (): boolean { return this.#connection !== undefined }

  /** `initialize` opens a new connection. @throws if the service cannot be reached or refuses */
  async deliver (message: JSONRPCMessage): Promise<void> {
    if (this.#options.clientState.isInitialize(message)) return await this.#initialize(message)
    const connection = this.#connection ?? await this.#renewed()
    try {
      await connection.send(message)
    } catch (error) {
      if (!wasNotAccepted(error)) throw error
      this.#lose(connection)
      await (this.#connection ?? await this.#renewed()).send(message)
    }
  }

  /** Pings the service; the connection is abandoned if it does not answer or no longer knows the session. */
  async check (suspect = this.#connection, isStreamLost = false): Promise<void> {
    const { clientState, patienceMs, warn } = this.#options
    if (suspect === undefined || suspect !== this.#connection || this.#isChecking || !clientState.isInitialized) return
    this.#isChecking = true
    try {
      await suspect.ask('ping', {}, patienceMs)
      if (isStreamLost) throw new Error('its event stream ended')
    } catch (error) {
      if (suspect !== this.#connection || this.#ended.signal.aborted) return
      warn(`the connection to the service was lost: ${errorText(error)}`)
      this.#lose(suspect)
      void this.comeBack()
    } finally {
      this.#isChecking = false
    }
  }

  /** Reconnects, with retries, so that the client's subscriptions resume. */
  async comeBack (): Promise<void> {
    if (this.#isComingBack || !this.#options.clientState.isInitialized) return
    this.#isComingBack = true
    const { signal } = this.#ended
    for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      if (this.#connection ?? await this.#renewed().catch(() => undefined)) break
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
    }
    this.#isComingBack = false
  }

  /** Ends the session with the service for good. */
  async end (): Promise<void> {
    this.#ended.abort()
    const left = this.#connection
    this.#connection = undefined
    const late = new AbortController()
    const leave = left?.leave().catch(() => {})
    await Promise.race([leave, sleep(LEAVE_WITHIN_MS, undefined, late).catch(() => {})])
    late.abort()
    await left?.close()
  }

  async #initialize (message: JSONRPCMessage): Promise<void> {
    if (this.#connection) this.#lose(this.#connection)
    this.#connection = await this.#open()
    await this.#connection.send(message)
  }

  /** Concurrent callers share one new connection. @throws if the service cannot be reached */
  #renewed (): Promise<UpstreamConnection> {
    this.#renewing ??= this.#renew().finally(() => { this.#renewing = undefined })
    return this.#renewing
  }

  async #renew (): Promise<UpstreamConnection> {
    const made = await this.#open()
    try {
      await made.reinitialize(this.#options.clientState)
      this.#ended.signal.throwIfAborted()
    } catch (error) {
      await made.close()
      throw error
    }
    this.#connection = made
    this.#options.onRenewed()
    return made
  }

  #open (): Promise<UpstreamConnection> {
    return openUpstream(this.#options.connect(), {
      onMessage: (from, message) => {
        if (from === this.#connection) this.#options.onMessage(message, from) // ignore abandoned connections
      },
      onTrouble: (from, isStreamLost) => { void this.check(from, isStreamLost) }
    })
  }

  #lose (lost: UpstreamConnection): void {
    if (lost !== this.#connection) return
    this.#connection = undefined
    this.#options.onLost()
    lost.close().catch(() => {})
  }
}
