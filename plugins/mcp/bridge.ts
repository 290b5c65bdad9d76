import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { createClientSessionState } from './client-session-state.js'
import { failureReason } from './failure-reason.js'
import { ServiceLink } from './service-link.js'
import { isAnswer, type UpstreamConnection, type UpstreamTransport } from './upstream-connection.js'

export interface BridgeOptions {
  /** The client's transport; not started yet. */
  readonly near: Transport
  /** Opens a connection to the service; called again after each loss. */
  readonly connect: () => UpstreamTransport
  /** Reports a problem. */
  readonly warn: (message: string) => void
  /** Time limit for the answer to a ping, ms. While a request is pending, pings are sent twice as often. */
  readonly patienceMs?: number
}

/** A healthy service answers a ping at once; one that hangs does not. */
const PATIENCE_MS = 5_000
const CONNECTION_CLOSED = -32_000

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message

/**
 * Passes messages between a client and the service. After a restart of the service the session is initialized again on
 * the client's behalf, with its log level and subscriptions; the client only sees its pending requests fail. A message
 * that the service may have received is never sent again.
 */
export class Bridge {
  readonly #near: Transport
  readonly #warn: BridgeOptions['warn']
  readonly #clientState = createClientSessionState()
  readonly #link: ServiceLink
  readonly #pending = new Set<RequestId>()
  readonly #timer: NodeJS.Timeout
  #queue: Promise<void> = Promise.resolve()
  /** The request being sent at the moment. */
  #sending: RequestId | undefined

  constructor ({ near, connect, warn, patienceMs = PATIENCE_MS }: BridgeOptions) {
    this.#near = near
    this.#warn = warn
    this.#link = new ServiceLink({
      connect,
      clientState: this.#clientState,
      warn,
      patienceMs,
      onMessage: (message, connection) => this.#fromService(message, connection),
      onLost: () => this.#failPending(),
      onRenewed: () => this.#notifyUpdated()
    })
    this.#timer = setInterval(() => { if (this.#pending.size > 0) void this.#link.check() }, patienceMs / 2).unref()
    near.onmessage = message => { // in the client's order
      this.#queue = this.#queue.then(() => this.#fromClient(message))
    }
    near.onerror = error => warn(error.message)
  }

  /** Requests still waiting for an answer. */
  get pending (): ReadonlySet<RequestId> { return this.#pending }

  start (): Promise<void> {
    return this.#near.start()
  }

  /** Ends the session with the service and closes both sides. */
  async end (): Promise<void> {
    clearInterval(this.#timer)
    await this.#link.end()
    await this.#near.close()
  }

  async #fromClient (message: JSONRPCMessage): Promise<void> {
    this.#clientState.take(message)
    const cancelled = this.#clientState.cancelled(message)
    if (cancelled !== undefined) this.#pending.delete(cancelled)
    this.#sending = isRequest(message) ? message.id : undefined
    if (this.#sending !== undefined) this.#pending.add(this.#sending)
    try {
      await this.#link.deliver(message)
    } catch (error) {
      if (this.#sending !== undefined) this.#answerFailure(this.#sending, failureReason(error))
      if (!this.#link.isUp) void this.#link.comeBack()
    }
    this.#sending = undefined
  }

  #fromService (message: JSONRPCMessage, connection: UpstreamConnection): void {
    if (isAnswer(message)) {
      if (!this.#pending.delete(message.id)) return // it was cancelled
      const version = this.#clientState.takeAnswer(message)
      if (version !== undefined) connection.agreeOn(version)
    }
    this.#toClient(message)
  }

  /** Leaves out the request being sent: its own delivery decides whether it failed. */
  #failPending (): void {
    for (const id of [...this.#pending]) if (id !== this.#sending) this.#answerFailure(id, failureReason())
  }

  /** Resources may have changed while the connection was down. */
  #notifyUpdated (): void {
    for (const uri of this.#clientState.subscriptions()) {
      this.#toClient({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
    }
  }

  #answerFailure (id: RequestId, message: string): void {
    if (this.#pending.delete(id)) this.#toClient({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message } })
  }

  #toClient (message: JSONRPCMessage): void {
    this.#near.send(message).catch((error: Error) => this.#warn(error.message))
  }
}
