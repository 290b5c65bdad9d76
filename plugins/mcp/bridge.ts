import { setTimeout as sleep } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { createClientSessionState } from './client-session-state.js'
import { isAnswer, openUpstream, type UpstreamTransport, type UpstreamConnection } from './upstream-connection.js'
import { messageOf } from './error-text.js'

export interface BridgeOptions {
  /** The client's side; not started yet. */
  readonly near: Transport
  /** Makes a connection to the service; called anew after each loss. */
  readonly connect: () => UpstreamTransport
  /** Where what goes wrong is told. */
  readonly warn: (message: string) => void
  /** How long the service may take to say that it lives; while an answer is due it is asked in half that time. */
  readonly patienceMs?: number
}

export interface Bridge {
  /** Requests that wait for their answer. */
  readonly pending: ReadonlySet<RequestId>
  start (): Promise<void>
  /** Takes leave of the service and closes both sides. */
  end (): Promise<void>
}

/** A service that is there answers a ping at once; one that hangs does not. */
const PATIENCE_MS = 5_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000
const LEAVE_WITHIN_MS = 400

const CONNECTION_CLOSED = -32_000
const LOST = 'The connection to the printer service was lost. Whether the request was carried out is not known: ' +
  'check before repeating it.'
const ABSENT = 'The printer service does not answer. It may be starting: try again in a moment, or start it with: prnd daemon'

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message

/** The service never saw the message: there was nobody, or it does not know the session any more. */
function wasNotTaken (error: unknown): boolean {
  const { code, cause } = error as { code?: unknown, cause?: { code?: unknown } }
  return code === 404 || cause?.code === 'ECONNREFUSED'
}

/** In words for a client why a request has no answer; without an error the connection ended. */
export function reasonOf (error?: unknown): string {
  if (error === undefined) return LOST
  if (wasNotTaken(error)) return ABSENT
  const { cause, name } = error as { cause?: unknown, name?: unknown }
  return cause !== undefined || name === 'AbortError' ? LOST : `The printer service refused: ${messageOf(error)}`
}

/**
 * Passes messages between a client and the service. A service that is restarted is isInitialized anew in the client's
 * name, with the level and the subscriptions it had; the client notices nothing but the failure of what was
 * under way. Nothing is sent twice that the service may have seen.
 */
export function createBridge ({ near, connect, warn, patienceMs = PATIENCE_MS }: BridgeOptions): Bridge {
  const ended = new AbortController()
  const { signal } = ended
  const clientState = createClientSessionState()
  const pending = new Set<RequestId>()
  let upstream: UpstreamConnection | undefined
  let queue: Promise<void> = Promise.resolve()
  let renewing: Promise<UpstreamConnection> | undefined
  let sending: RequestId | undefined
  let checking = false
  let comingBack = false

  const toClient = (message: JSONRPCMessage) => { near.send(message).catch((error: Error) => warn(error.message)) }

  function answerFailure (id: RequestId, message: string): void {
    if (pending.delete(id)) toClient({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message } })
  }

  function onMessage (from: UpstreamConnection, message: JSONRPCMessage): void {
    if (from !== upstream) return // a connection that was given up
    if (isAnswer(message)) {
      if (!pending.delete(message.id)) return // it was cancelled
      const version = clientState.takeAnswer(message)
      if (version !== undefined) from.agreeOn(version)
    }
    toClient(message)
  }

  const open = () => openUpstream(connect(), {
    onMessage,
    onTrouble: (from, streamLost) => { void check(from, streamLost) }
  })

  async function openAnew (): Promise<UpstreamConnection> {
    const made = await open()
    try {
      await made.reinitialize(clientState)
      signal.throwIfAborted()
    } catch (error) {
      await made.close()
      throw error
    }
    upstream = made
    for (const uri of clientState.subscriptions()) { // it may have changed while nobody told
      toClient({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
    }
    return made
  }

  /** @throws when the service cannot be reached */
  function renew (): Promise<UpstreamConnection> {
    renewing ??= openAnew().finally(() => { renewing = undefined })
    return renewing
  }

  /** Fails what was under way, except the message that is just being sent: what becomes of it shows there. */
  function lose (gone: UpstreamConnection): void {
    if (gone !== upstream) return
    upstream = undefined
    for (const id of [...pending]) if (id !== sending) answerFailure(id, LOST)
    gone.close().catch(() => {})
  }

  async function comeBack (): Promise<void> {
    if (comingBack || !clientState.isInitialized) return
    comingBack = true
    for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      if (upstream ?? await renew().catch(() => undefined)) break
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
    }
    comingBack = false
  }

  /** Something went wrong on that connection: is the service still there, and does it still know us? */
  async function check (suspect: UpstreamConnection, streamLost = false): Promise<void> {
    if (suspect !== upstream || checking || !clientState.isInitialized) return
    checking = true
    try {
      await suspect.ask('ping', {}, patienceMs)
      if (streamLost) throw new Error('it cannot be listened to')
    } catch (error) {
      if (suspect !== upstream || signal.aborted) return
      warn(`the connection to the service was lost: ${messageOf(error)}`)
      lose(suspect)
      void comeBack()
    } finally {
      checking = false
    }
  }

  async function deliver (message: JSONRPCMessage): Promise<void> {
    if (clientState.isInitialize(message)) {
      if (upstream) lose(upstream)
      upstream = await open()
      return await upstream.send(message)
    }
    const to = upstream ?? await renew()
    try {
      await to.send(message)
    } catch (error) {
      if (!wasNotTaken(error)) throw error
      lose(to)
      await (upstream ?? await renew()).send(message)
    }
  }

  async function fromClient (message: JSONRPCMessage): Promise<void> {
    clientState.take(message)
    const cancelled = clientState.cancelled(message)
    if (cancelled !== undefined) pending.delete(cancelled)
    sending = isRequest(message) ? message.id : undefined
    if (sending !== undefined) pending.add(sending)
    try {
      await deliver(message)
    } catch (error) {
      if (sending !== undefined) answerFailure(sending, reasonOf(error))
      if (!upstream) void comeBack()
    }
    sending = undefined
  }

  const timer = setInterval(() => { if (upstream && pending.size > 0) void check(upstream) }, patienceMs / 2).unref()
  near.onmessage = message => { queue = queue.then(() => fromClient(message)) } // in the client's order
  near.onerror = error => warn(error.message)

  return {
    pending,
    start: () => near.start(),
    async end () {
      ended.abort()
      clearInterval(timer)
      const left = upstream
      upstream = undefined
      const late = new AbortController()
      const leave = left?.leave().catch(() => {})
      await Promise.race([leave, sleep(LEAVE_WITHIN_MS, undefined, late).catch(() => {})])
      late.abort()
      await left?.close()
      await near.close()
    }
  }
}
