import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

type Params = Record<string, unknown>
interface Wish { readonly method: string, readonly params: Params }

/** What the service must be told again when it forgot the client. */
export interface ClientSessionState {
  /** The client's own greeting. */
  readonly initializeParams: Params
  /** The service answered the client's greeting. */
  readonly greeted: boolean
  isHello (message: JSONRPCMessage): boolean
  /** Remembers what the client says of itself and wants. */
  take (message: JSONRPCMessage): void
  /** @returns the revision agreed on, from the answer to the greeting */
  takeAnswer (message: JSONRPCMessage): string | undefined
  /** The request that a message cancels. */
  cancelled (message: JSONRPCMessage): RequestId | undefined
  replayRequests (): Wish[]
  subscriptions (): string[]
}

const HELLO = 'initialize'

export function createClientSessionState (): ClientSessionState {
  const uris = new Set<string>()
  let hello: Params = {}
  let helloId: RequestId | undefined
  let greeted = false
  let level: Params | undefined

  const methodOf = (message: JSONRPCMessage) => 'method' in message ? message.method : undefined
  const isHello = (message: JSONRPCMessage) => methodOf(message) === HELLO

  return {
    get initializeParams () { return hello },
    get greeted () { return greeted },
    isHello,
    take (message) {
      if (!('method' in message)) return
      const params = (message.params ?? {}) as Params
      switch (message.method) {
        case HELLO:
          hello = params
          helloId = 'id' in message ? message.id : undefined
          break
        case 'logging/setLevel': level = params; break
        case 'resources/subscribe': uris.add(String(params.uri)); break
        case 'resources/unsubscribe': uris.delete(String(params.uri)); break
      }
    },
    takeAnswer (message) {
      if (!('result' in message) || message.id !== helloId) return undefined
      greeted = true
      const { protocolVersion } = message.result
      return typeof protocolVersion === 'string' ? protocolVersion : undefined
    },
    cancelled (message) {
      if (methodOf(message) !== 'notifications/cancelled') return undefined
      return (message as { params?: { requestId?: RequestId } }).params?.requestId
    },
    replayRequests: () => [
      ...(level ? [{ method: 'logging/setLevel', params: level }] : []),
      ...[...uris].map(uri => ({ method: 'resources/subscribe', params: { uri } }))
    ],
    subscriptions: () => [...uris]
  }
}
