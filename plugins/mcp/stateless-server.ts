import {
  CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, createRequestStateCodec, inputRequired, LOG_LEVEL_META_KEY,
  Server, type ClientCapabilities, type Implementation, type LoggingLevel, type RequestStateCodec,
  type ServerContext as Extra
} from '@modelcontextprotocol/server'
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { showsApps } from './apps.js'
import { isHeard } from './client-registry.js'
import { canAsk, consentForm, consentIn, type Act, type AskConsent } from './consent.js'
import { instructionsFor, serverInfo } from './instructions.js'
import { commonMethods } from './methods.js'
import type { ClientRequest } from './requests.js'
import type { SenderOf, ServerContext } from './types.js'

/** Only a restart changes these lists, ms. Whoever asks must be let in, so that no answer is for everybody. */
const FIXED = { ttlMs: 60_000, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': FIXED,
  'tools/list': FIXED,
  'prompts/list': FIXED,
  'resources/templates/list': FIXED
}

/**
 * Makes servers of revision 2026-07-28. Each lives for one request, or for one client that is connected without a
 * network; what a client brings along is all they know of it. A question may be answered on any of the addresses.
 */
export function createStatelessServers (senderOf: SenderOf = () => ({ caller: 'local' })) {
  const rounds = createRequestStateCodec<string>({ key: randomBytes(32) })
  return (serverContext: ServerContext) => serversOf(serverContext, senderOf, rounds)
}

// The low-level class is the one that takes JSON Schema as it is.
function serversOf (serverContext: ServerContext, senderOf: SenderOf, rounds: RequestStateCodec<string>): () => Server {
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
      server.setRequestHandler(name, { params: z.unknown() },
        (params, extra) => run(params, requestOf(serverContext, senderOf, rounds, extra)))
    }
    return server
  }
}

/** What a request says of its sender. The library has checked it, and does not say of what type it is. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  readonly [LOG_LEVEL_META_KEY]?: LoggingLevel
}

function requestOf ({ askConsent }: ServerContext, senderOf: SenderOf, rounds: RequestStateCodec<string>,
  extra: Extra): ClientRequest {
  const { mcpReq: { _meta, envelope, signal, notify }, http = {} } = extra
  const said: Envelope = envelope ?? {}
  const least = said[LOG_LEVEL_META_KEY]
  const capabilities = said[CLIENT_CAPABILITIES_META_KEY] ?? {}
  const canBeAsked = askConsent && canAsk(capabilities)
  return {
    sender: senderOf(http),
    client: { info: said[CLIENT_INFO_META_KEY], capabilities: {} }, // nothing can be asked during a call
    showsApps: showsApps(capabilities),
    signal,
    progressToken: _meta?.progressToken,
    notify: (method, params) => notify({ method, params }),
    wantsLevel: level => least !== undefined && isHeard(level, least),
    ask: async () => { throw new Error('clients of this revision cannot be asked during a call') },
    closeStream: () => {}, // nobody could come back for the answer
    askConsent: canBeAsked ? byRounds(extra, rounds) : undefined
  }
}

/** What the question is called between service and client. */
const QUESTION = 'consent'

/**
 * Asks by an answer that makes the client call again. The state it brings back says which act was asked about: an
 * answer to another question, or one from before a restart, is no consent, and the question is put again.
 */
const byRounds = (extra: Extra, rounds: RequestStateCodec<string>): AskConsent => async act => {
  const { mcpReq } = extra
  const state = mcpReq.requestState<string>()
  const response = mcpReq.inputResponses?.[QUESTION]
  const asked = state === undefined ? '' : await rounds.verify(state, extra).catch(() => '')
  if (response !== undefined && asked === digestOf(act)) return consentIn(response)
  const inputRequests = { [QUESTION]: inputRequired.elicit(consentForm(act)) }
  return { pending: inputRequired({ inputRequests, requestState: await rounds.mint(digestOf(act)) }) }
}

const digestOf = ({ tool, args }: Act) => createHash('sha256').update(JSON.stringify([tool, args])).digest('base64url')
