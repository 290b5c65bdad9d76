import {
  CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, Server, type ClientCapabilities,
  type Implementation, type LoggingLevel, type ServerContext as Extra
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { showsApps } from './apps.js'
import { isAtLeast } from './client-registry.js'
import { canAsk } from './consent.js'
import { instructionsFor, serverInfo } from './instructions.js'
import { commonMethods } from './methods.js'
import type { ClientRequest } from './requests.js'
import { createRounds, type Round } from './rounds.js'
import type { SenderOf, ServerContext } from './types.js'

/** Only a restart changes these lists. They depend on the caller's rights, so shared caches must not store them. */
const FIXED = { ttlMs: 60_000, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': FIXED,
  'tools/list': FIXED,
  'prompts/list': FIXED,
  'resources/templates/list': FIXED
}

/**
 * Creates servers of revision 2026-07-28. Each lives for one request, or for one client in this process, and knows only
 * what the request carries. A question may be answered on any listening address.
 */
export function createStatelessServers (senderOf: SenderOf = () => ({ caller: 'local' })) {
  const openRound = createRounds()
  return (serverContext: ServerContext) => serversOf(serverContext, senderOf, openRound)
}

// Only the low-level class accepts plain JSON Schema.
function serversOf (serverContext: ServerContext, senderOf: SenderOf,
  openRound: ReturnType<typeof createRounds>): () => Server {
  const methods = commonMethods(serverContext)
  const instructions = instructionsFor(serverContext)
  return () => {
    const server = new Server(serverInfo(serverContext), {
      instructions,
      cacheHints,
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {}
      }
    })
    for (const { name, run } of methods) {
      server.setRequestHandler(name, { params: z.unknown() }, async (params, extra) => {
        const { [CLIENT_CAPABILITIES_META_KEY]: capabilities = {} }: Envelope = extra.mcpReq.envelope ?? {}
        const round = await openRound(extra, params, capabilities)
        return await round.finish(() => run(params, requestOf(serverContext, senderOf, capabilities, round, extra)))
      })
    }
    return server
  }
}

/** The sender's data in a request, validated by the library but untyped. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  readonly [LOG_LEVEL_META_KEY]?: LoggingLevel
}

function requestOf ({ askConsent }: ServerContext, senderOf: SenderOf, capabilities: ClientCapabilities, round: Round,
  { mcpReq: { _meta, envelope, signal, notify }, http = {} }: Extra): ClientRequest {
  const said: Envelope = envelope ?? {}
  const least = said[LOG_LEVEL_META_KEY]
  return {
    sender: senderOf(http),
    client: { info: said[CLIENT_INFO_META_KEY], capabilities },
    showsApps: showsApps(capabilities),
    knowsSchemas: true,
    signal,
    progressToken: _meta?.progressToken,
    notify: (method, params) => notify({ method, params }),
    wantsLevel: level => least !== undefined && isAtLeast(level, least),
    ask: round.ask,
    closeStream: () => {}, // the client could not reconnect for the answer
    askConsent: askConsent && canAsk(capabilities) ? round.askConsent : undefined
  }
}
