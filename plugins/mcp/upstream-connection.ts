import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { withTimeout } from '../../core/index.js'
import type { ClientSessionState } from './client-session-state.js'

export interface UpstreamTransport extends Transport {
  terminateSession? (): Promise<void>
}

export interface UpstreamEvents {
  /** All messages except answers to the link's own requests. */
  onMessage (upstream: UpstreamConnection, message: JSONRPCMessage): void
  /** Something failed. `streamLost`: unsolicited messages no longer arrive. */
  onTrouble (upstream: UpstreamConnection, streamLost: boolean): void
}

/** One connection to the service, from its opening to its loss. */
export interface UpstreamConnection {
  send (message: JSONRPCMessage): Promise<void>
  /** The link's own request, invisible to the client. @throws without an answer in time */
  ask (method: string, params: Record<string, unknown>, withinMs: number): Promise<Record<string, unknown>>
  agreeOn (version: string): void
  /** Initializes a session on the client's behalf and restores its log level and subscriptions. */
  reinitialize (clientState: ClientSessionState): Promise<void>
  /** Ends the session as well as the connection. */
  leave (): Promise<void>
  close (): Promise<void>
}

interface Question {
  readonly resolve: (result: Record<string, unknown>) => void
  readonly reject: (error: Error) => void
}

const HANDSHAKE_WITHIN_MS = 5_000

/** The library's message when it stops reconnecting the event stream. */
const GIVEN_UP = 'Maximum reconnection attempts'

export const isAnswer = (message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } =>
  'id' in message && !('method' in message)

function settle ({ resolve, reject }: Question, message: JSONRPCMessage): void {
  if ('result' in message) resolve(message.result)
  else reject(new Error('error' in message ? message.error.message : 'no answer'))
}

export async function openUpstream (transport: UpstreamTransport, {
  onMessage,
  onTrouble
}: UpstreamEvents): Promise<UpstreamConnection> {
  const questions = new Map<RequestId, Question>()
  let asked = 0

  const ask: UpstreamConnection['ask'] = async (method, params, withinMs) => {
    const id = `prnd-bridge-${++asked}`
    const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
      questions.set(id, { resolve, reject })
      transport.send({ jsonrpc: '2.0', id, method, params }).catch(reject)
    })
    try {
      return await withTimeout(withinMs, answer, () => new Error('no answer in time'))
    } finally {
      questions.delete(id)
    }
  }

  const upstream: UpstreamConnection = {
    ask,
    send: message => transport.send(message),
    agreeOn: version => transport.setProtocolVersion?.(version),
    async reinitialize ({ initializeParams, replayRequests }) {
      const { protocolVersion } = await ask('initialize', initializeParams, HANDSHAKE_WITHIN_MS)
      upstream.agreeOn(String(protocolVersion))
      await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      for (const { method, params } of replayRequests()) {
        await ask(method, params, HANDSHAKE_WITHIN_MS).catch(() => {}) // a subscribed resource may no longer exist
      }
    },
    leave: async () => { await transport.terminateSession?.() },
    async close () {
      for (const { reject } of questions.values()) reject(new Error('the connection was closed'))
      await transport.close()
    }
  }
  transport.onmessage = message => {
    const question = isAnswer(message) ? questions.get(message.id) : undefined
    if (question) settle(question, message)
    else onMessage(upstream, message)
  }
  transport.onerror = ({ message }) => onTrouble(upstream, message.startsWith(GIVEN_UP))
  await transport.start()
  return upstream
}
