import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { viewFor, type Caller } from '../../core/index.js'
import { EVERYTHING, selected, type Selection } from './selection.js'
import type { SenderOf, ServerContext } from './types.js'

/** One request of revision 2026-07-28 with all its responses. */
export interface Exchange {
  readonly handler: McpHttpHandler
  /** The message for the handler. */
  readonly message: unknown
  readonly isListening: boolean
  end (): void
}

/**
 * @param selection what the request's address asks for; by default everything that is offered
 * @param caller the sender; by default a client on this machine
 */
export type BeginExchange = (message: unknown, selection?: Selection, caller?: Caller) => Exchange

export const isListen = (message: unknown): boolean =>
  (message as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen'

/** Loads the library of this revision. Requests are stateless, so each gets its own handler. */
export async function loadExchanges (serverContext: ServerContext, onerror: (error: Error) => void,
  senderOf?: SenderOf): Promise<BeginExchange> {
  const [{ createMcpHandler }, { createStatelessServers }, { createListener }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./stateless-server.js'),
    import('./listener.js')
  ])
  const createServers = createStatelessServers(senderOf)
  const createServer = createServers(serverContext)
  return (message, selection = EVERYTHING, caller = 'local') => {
    const isListening = isListen(message)
    const isWhole = selection.toolsets.length === 0 && selection.schemas.length === 0
    const create = isWhole ? createServer : createServers(selected(serverContext, selection))
    const listener = isListening ? createListener(serverContext, viewFor(serverContext.kernel, caller)) : undefined
    return {
      handler: createMcpHandler(create, { legacy: 'reject', onerror, ...(listener && { bus: listener.bus }) }),
      message: listener?.narrowed(message) ?? message,
      isListening,
      end: () => listener?.close()
    }
  }
}
