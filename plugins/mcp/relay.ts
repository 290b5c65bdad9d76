import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { BeginExchange } from './exchanges.js'
import { headersOf, namesRevision } from './revision.js'

/** All messages in response to one request; the answer comes last. */
export type SendRequest = (request: JSONRPCRequest, signal: AbortSignal) => AsyncIterable<JSONRPCMessage>

const initOf = (request: JSONRPCRequest, signal: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersOf(request)
  },
  body: JSON.stringify(request),
  signal
})

/** Sends requests to a service over HTTP. */
export const sendOverHttp = (url: string, ask: typeof fetch): SendRequest => async function * (request, signal) {
  yield * messagesIn(await ask(url, initOf(request, signal)))
}

/** Handles requests in this process; the library is loaded with the first one. */
export function sendLocally (load: () => Promise<BeginExchange>): SendRequest {
  let loading: Promise<BeginExchange> | undefined
  return async function * (request, signal) {
    loading ??= load()
    const { handler, message, end } = (await loading)(request)
    try {
      const asked = new Request('http://localhost/mcp', initOf(request, signal)) // the host is not used
      yield * messagesIn(await handler.fetch(asked, { parsedBody: message }))
    } finally {
      end()
    }
  }
}

async function * messagesIn (reply: Response): AsyncGenerator<JSONRPCMessage> {
  if (reply.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    yield await reply.json() as JSONRPCMessage
    return
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of reply.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find(line => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as JSONRPCMessage
    }
  }
}

const CONNECTION_CLOSED = -32_000

/** @returns undefined for a message about a request that is not its answer */
function answerIn (message: JSONRPCMessage, id: RequestId): JSONRPCMessage | undefined {
  return 'method' in message ? undefined : { ...message, id } // a refusal may lack the id
}

export interface RelayOptions {
  readonly ask: SendRequest
  /** The error message for a request without an answer. */
  readonly explain: (error: unknown) => string
  readonly warn: (error: { readonly message: string }) => void
}

/**
 * Handles a client's requests of revision 2026-07-28 and passes the others on to the existing `onmessage`.
 * @param near the client's transport, with `onmessage` already set
 */
export function relayStateless (near: Transport, { ask, explain, warn }: RelayOptions): { end (): void } {
  const pending = new Map<RequestId, AbortController>()
  const { onmessage } = near
  const toClient = (message: JSONRPCMessage) => { near.send(message).catch(warn) }

  async function answer (request: JSONRPCRequest): Promise<void> {
    const { id } = request
    const cancelling = new AbortController()
    const { signal } = cancelling
    pending.set(id, cancelling)
    const fail = (error?: unknown): JSONRPCMessage =>
      ({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message: explain(error) } })
    let last: JSONRPCMessage | undefined
    try {
      for await (const message of ask(request, signal)) {
        last = answerIn(message, id)
        if (last === undefined && !signal.aborted) toClient(message)
      }
      last ??= fail()
    } catch (error) {
      last = fail(error)
    }
    pending.delete(id)
    if (!signal.aborted) toClient(last)
  }

  near.onmessage = (message, extra) => {
    const isNotification = 'method' in message && !('id' in message)
    const cancelled = isNotification && message.method === 'notifications/cancelled'
      ? pending.get(message.params?.requestId as RequestId)
      : undefined
    if (cancelled) cancelled.abort()
    else if (!namesRevision(message)) onmessage?.(message, extra)
    else if ('method' in message && 'id' in message) void answer(message)
  }
  return { end () { for (const request of pending.values()) request.abort() } }
}
