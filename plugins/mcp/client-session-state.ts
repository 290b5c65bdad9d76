import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

type Params = Record<string, unknown>
interface ReplayRequest { readonly method: string, readonly params: Params }

/** What must be sent again to a service that lost the client's session. */
export interface ClientSessionState {
  /** The parameters of the client's own `initialize`. */
  readonly initializeParams: Params
  /** The service has answered `initialize`. */
  readonly isInitialized: boolean
  isInitialize (message: JSONRPCMessage): boolean
  /** Records the client's `initialize`, log level and subscriptions. */
  take (message: JSONRPCMessage): void
  /** @returns the negotiated revision, from the answer to `initialize` */
  takeAnswer (message: JSONRPCMessage): string | undefined
  /** The request that a message cancels. */
  cancelled (message: JSONRPCMessage): RequestId | undefined
  replayRequests (): ReplayRequest[]
  subscriptions (): string[]
}

const INITIALIZE = 'initialize'

export function createClientSessionState (): ClientSessionState {
  const uris = new Set<string>()
  let initializeParams: Params = {}
  let initializeId: RequestId | undefined
  let isInitialized = false
  let level: Params | undefined

  const methodOf = (message: JSONRPCMessage) => 'method' in message ? message.method : undefined
  const isInitialize = (message: JSONRPCMessage) => methodOf(message) === INITIALIZE

  return {
    get initializeParams () { return initializeParams },
    get isInitialized () { return isInitialized },
    isInitialize,
    take (message) {
      if (!('method' in message)) return
      const params = (message.params ?? {}) as Params
      switch (message.method) {
        case INITIALIZE:
          initializeParams = params
          initializeId = 'id' in message ? message.id : undefined
          break
        case 'logging/setLevel': level = params; break
        case 'resources/subscribe': uris.add(String(params.uri)); break
        case 'resources/unsubscribe': uris.delete(String(params.uri)); break
      }
    },
    takeAnswer (message) {
      if (!('result' in message) || message.id !== initializeId) return undefined
      isInitialized = true
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
