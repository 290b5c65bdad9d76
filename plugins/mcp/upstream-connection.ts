import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { withTimeout } from '../../core/index.js'
import type { ClientSessionState } from './client-session-state.js'

/** What carries a connection to the service. */
export interface UpstreamTransport extends Transport {
  terminateSession? (): Promise<void>
}

export interface UpstreamEvents {
  /** Everything but answers to questions of the link itself. */
  onMessage (upstream: UpstreamConnection, message: JSONRPCMessage): void
  /** Something failed. `streamLost`: the link wantsLevel nothing any more that was not asked for. */
  onTrouble (upstream: UpstreamConnection, streamLost: boolean): void
}

/** One connection to the service, from its opening to its loss. */
export interface UpstreamConnection {
  send (message: JSONRPCMessage): Promise<void>
  /** A question of our own, of which the client wantsLevel nothing. @throws without an answer in time */
  ask (method: string, params: Record<string, unknown>, withinMs: number): Promise<Record<string, unknown>>
  agreeOn (version: string): void
  /** Greets the service in the client's name and asks again for what the client had asked for. */
  reinitialize (clientState: ClientSessionState): Promise<void>
  /** Ends the session, not only the connection. */
  leave (): Promise<void>
  close (): Promise<void>
}

interface Question {
  readonly resolve: (result: Record<string, unknown>) => void
  readonly reject: (error: Error) => void
}

const HANDSHAKE_WITHIN_MS = 5_000

/** How the library says that it does not try to listen any more. */
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
        await ask(method, params, HANDSHAKE_WITHIN_MS).catch(() => {}) // what was watched may be gone for good
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
