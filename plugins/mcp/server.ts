import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  ElicitResultSchema, isInitializeRequest, LATEST_PROTOCOL_VERSION, ResultSchema, SetLevelRequestSchema,
  SubscribeRequestSchema, SUPPORTED_PROTOCOL_VERSIONS, UnsubscribeRequestSchema,
  type ServerNotification, type ServerRequest
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { z } from 'zod'
import { viewFor } from '../../core/index.js'
import { showsApps } from './apps.js'
import { canAsk, consentForm, consentIn, type AskConsent } from './consent.js'
import { instructionsFor, serverInfo } from './instructions.js'
import { commonMethods, resourceNotFound } from './methods.js'
import { defineMethod, type ClientRequest, type Method } from './requests.js'
import type { SenderOf, ServerContext } from './types.js'

/** The library's context of a request. */
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Shared by all servers. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** Source: revision 2025-06-18, "Structured content" and "Output schema". */
const FIRST_WITH_SCHEMAS = '2025-06-18'

const CONSENT_WITHIN_MS = 10 * 60_000

/**
 * A protocol server for the revisions up to 2025-11-25; each session has its own. Closing it releases the session's
 * resources.
 * @param senderOf by default the client is on this machine
 */
// Only the low-level class accepts plain JSON Schema.
export function createServer (shared: ServerContext, senderOf: SenderOf = () => ({ caller: 'local' })): Server {
  const serverContext = withFound(shared)
  const server = new Server(serverInfo(serverContext), {
    instructions: instructionsFor(serverContext),
    enforceStrictCapabilities: true, // only requests that the client declared support for
    jsonSchemaValidator,
    capabilities: {
      tools: serverContext.listed ? { listChanged: true } : {},
      prompts: {},
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {}
    }
  })
  const revision = followRevision(server)
  for (const { name, run } of [...commonMethods(serverContext), ...sessionMethods(server, serverContext)]) {
    const schema = z.looseObject({ method: z.literal(name), params: z.unknown().optional() })
    server.setRequestHandler(schema,
      ({ params }, extra) => run(params, requestOf(server, serverContext, senderOf, extra, revision())))
  }
  serveNotifications(server, serverContext)
  return server
}

/** The revision agreed on, which the library does not tell: the first message and the library's choice are followed. */
function followRevision (server: Server): () => string {
  let revision = ''
  const connect = server.connect.bind(server)
  server.connect = async transport => {
    const { onmessage } = transport
    transport.onmessage = (message, extra) => {
      if (isInitializeRequest(message)) {
        const { protocolVersion: asked } = message.params
        revision = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION
      }
      onmessage?.(message, extra)
    }
    await connect(transport)
  }
  return () => revision
}

/** Each client has a list of its own, to which the tools are added that it finds. */
function withFound (shared: ServerContext): ServerContext {
  if (shared.listed === undefined) return shared
  const listed = new Set(shared.listed)
  return { ...shared, listed, listFound: names => { for (const name of names) listed.add(name) } }
}

function requestOf (server: Server, { askConsent, clientRegistry, kernel }: ServerContext, senderOf: SenderOf,
  extra: Extra, revision: string): ClientRequest {
  const capabilities = server.getClientCapabilities() ?? {}
  return {
    sender: senderOf(extra),
    client: { info: server.getClientVersion(), capabilities },
    showsApps: showsApps(capabilities),
    knowsSchemas: revision >= FIRST_WITH_SCHEMAS,
    signal: extra.signal,
    progressToken: extra._meta?.progressToken,
    notify: (method, params) => extra.sendNotification({ method, params } as ServerNotification),
    wantsLevel: level => clientRegistry.wantsLevel(server, level) !== false,
    ask: async <T>(method: string, params: object, { timeoutMs }: { timeoutMs?: number } = {}) =>
      await extra.sendRequest({ method, params } as ServerRequest, ResultSchema, {
        signal: AbortSignal.any([extra.signal, kernel.signal]),
        ...(timeoutMs !== undefined && { timeout: timeoutMs })
      }) as T,
    closeStream: () => extra.closeSSEStream?.(),
    askConsent: askConsent && canAsk(capabilities) ? consentOver(extra) : undefined
  }
}

/** Asks the user while the call is pending. */
const consentOver = ({ sendRequest, signal }: Extra): AskConsent => async act => {
  const question = { method: 'elicitation/create' as const, params: consentForm(act) }
  try {
    return consentIn(await sendRequest(question, ElicitResultSchema, { signal, timeout: CONSENT_WITHIN_MS }))
  } catch {
    return 'unasked' // the client failed to ask, or disconnected
  }
}

/** Methods that need a session: subscriptions and the log level. */
const sessionMethods = (server: Server, { clientRegistry, kernel, resources }: ServerContext): Method[] => [
  defineMethod(SubscribeRequestSchema, ({ uri }, { sender }) => {
    const update = (changed: string) => server.sendResourceUpdated({ uri: changed })
    if (!resources.subscribe(server, uri, update, viewFor(kernel, sender.caller))) throw resourceNotFound(uri)
    return {}
  }),
  defineMethod(UnsubscribeRequestSchema, ({ uri }) => {
    resources.unsubscribe(server, uri)
    return {}
  }),
  defineMethod(SetLevelRequestSchema, ({ level }, { sender }) => {
    clientRegistry.setLevel(server, level, sender.caller)
    return {}
  })
]

/** Registers the client for notifications until it disconnects. */
function serveNotifications (server: Server, { clientRegistry, resources }: ServerContext): void {
  server.oninitialized = () => clientRegistry.join(server, {
    log: params => server.notification({ method: 'notifications/message', params: { ...params } }),
    resourcesChanged: () => server.sendResourceListChanged()
  })
  server.onclose = () => {
    resources.drop(server)
    clientRegistry.leave(server)
  }
}
