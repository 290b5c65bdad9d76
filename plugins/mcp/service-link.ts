import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ClientSessionState } from './client-session-state.js'
import { messageOf } from './error-text.js'
import { wasNotTaken } from './failure-reason.js'
import { openUpstream, type UpstreamConnection, type UpstreamTransport } from './upstream-connection.js'

export interface ServiceLinkOptions {
  /** Makes a connection to the service; called anew after each loss. */
  readonly connect: () => UpstreamTransport
  readonly clientState: ClientSessionState
  /** Takes what goes wrong, in words. */
  readonly warn: (message: string) => void
  /** How long the service may take to answer a ping. */
  readonly patienceMs: number
  /** A message of the service over the connection in use. @param connection the one it came over */
  readonly onMessage: (message: JSONRPCMessage, connection: UpstreamConnection) => void
  /** The connection was given up: what was sent over it gets no answer. */
  readonly onLost: () => void
  /** A new connection stands in the client's name. */
  readonly onRenewed: () => void
}

const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000
const LEAVE_WITHIN_MS = 400

/**
 * The connection to the service, made anew in the client's name when it is lost. At most one is in use, at most one is
 * being renewed, and nothing is sent twice that the service may have received.
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

  /** A client that begins gets a new connection. @throws when the service cannot be reached or refuses */
  async deliver (message: JSONRPCMessage): Promise<void> {
    if (this.#options.clientState.isInitialize(message)) return await this.#initialize(message)
    const connection = this.#connection ?? await this.#renewed()
    try {
      await connection.send(message)
    } catch (error) {
      if (!wasNotTaken(error)) throw error
      this.#lose(connection)
      await (this.#connection ?? await this.#renewed()).send(message)
    }
  }

  /** Asks the service whether it is still there and still knows the client; if not, the connection is given up. */
  async check (suspect = this.#connection, isStreamLost = false): Promise<void> {
    const { clientState, patienceMs, warn } = this.#options
    if (suspect === undefined || suspect !== this.#connection || this.#isChecking || !clientState.isInitialized) return
    this.#isChecking = true
    try {
      await suspect.ask('ping', {}, patienceMs)
      if (isStreamLost) throw new Error('it cannot be listened to')
    } catch (error) {
      if (suspect !== this.#connection || this.#ended.signal.aborted) return
      warn(`the connection to the service was lost: ${messageOf(error)}`)
      this.#lose(suspect)
      void this.comeBack()
    } finally {
      this.#isChecking = false
    }
  }

  /** Tries until there is a connection again, for what the client has subscribed to. */
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

  /** Takes leave of the service, for good. */
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

  /** Several callers at the same time share one new connection. @throws when the service cannot be reached */
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
        if (from === this.#connection) this.#options.onMessage(message, from) // not from one that was given up
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
