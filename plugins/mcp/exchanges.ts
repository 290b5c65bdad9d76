import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { viewFor, type Caller } from '../../core/index.js'
import { narrowed } from './toolsets.js'
import type { SenderOf, ServerContext } from './types.js'

/** One request of revision 2026-07-28 and all that is said about it. */
export interface Exchange {
  readonly handler: McpHttpHandler
  /** The message as the handler is to have it. */
  readonly message: unknown
  readonly isListening: boolean
  end (): void
}

/**
 * @param toolsets to which its tools are narrowed; all that are offered when empty
 * @param caller whose message it is; left out: that of a client on this machine
 */
export type BeginExchange = (message: unknown, toolsets?: readonly string[], caller?: Caller) => Exchange

export const isListen = (message: unknown): boolean =>
  (message as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen'

/** Loads the library of the revision. Requests stand for themselves, so that each has a handler of its own. */
export async function loadExchanges (serverContext: ServerContext, onerror: (error: Error) => void,
  senderOf?: SenderOf): Promise<BeginExchange> {
  const [{ createMcpHandler }, { createStatelessServers }, { createListener }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./stateless-server.js'),
    import('./listener.js')
  ])
  const createServers = createStatelessServers(senderOf)
  const createServer = createServers(serverContext)
  return (message, toolsets = [], caller = 'local') => {
    const isListening = isListen(message)
    const create = toolsets.length === 0 ? createServer : createServers(narrowed(serverContext, toolsets))
    const listener = isListening ? createListener(serverContext, viewFor(serverContext.kernel, caller)) : undefined
    return {
      handler: createMcpHandler(create, { legacy: 'reject', onerror, ...(listener && { bus: listener.bus }) }),
      message: listener?.narrowed(message) ?? message,
      isListening,
      end: () => listener?.close()
    }
  }
}
