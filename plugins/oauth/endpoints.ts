import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../core/index.js'
import { createLoginThrottle } from '../http/index.js'
import { isResourceAt } from './address.js'
import { readClientMetadata } from './client-metadata.js'
import type { Refusal, Tokens } from './grant-tokens.js'
import { ENDPOINTS } from './metadata.js'
import type { OAuthService } from './oauth-service.js'

const MINUTE_MS = 60_000
const MOST_FAILURES = 60
const MOST_REGISTRATIONS = 20
const MOST_BYTES = 16_384
const MOST_CHARS = 2_048

type Fields = Readonly<Record<string, string | undefined>>

/** A failure as RFC 6749 wants it. */
class OAuthFailure extends Error {
  constructor (readonly code: string, reason: string, readonly status = 400) { super(reason) }
}

/** A repeated parameter arrives as a list, and counts as missing. */
function fieldsIn ({ body }: FastifyRequest): Fields {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== '' && value.length <= MOST_CHARS))
}

function needed (fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) throw new OAuthFailure('invalid_request', `${name} is missing`)
  return value
}

const isRefusal = (result: Tokens | Refusal): result is Refusal => 'reason' in result

type Throttle = ReturnType<typeof createLoginThrottle>

function checkPace (throttle: Throttle, { ip }: FastifyRequest, reply: FastifyReply): void {
  const waitS = throttle.waitS(ip)
  if (waitS === 0) return
  reply.header('retry-after', waitS)
  throw new OAuthFailure('slow_down', `too many requests came from this address; try again in ${waitS} s`, 429)
}

/** What a stranger could only guess, in any of the requests. */
const credentialIn = (fields: Fields): string => fields.code ?? fields.refresh_token ?? fields.token ?? ''

async function tokensFor (oauth: OAuthService, request: FastifyRequest, address: string): Promise<Tokens | Refusal> {
  const fields = fieldsIn(request)
  const type = needed(fields, 'grant_type')
  const client = needed(fields, 'client_id')
  const { resource } = fields // programs of earlier revisions do not name it
  if (resource !== undefined && !isResourceAt(address, resource)) throw new OAuthFailure('invalid_target', 'this service gives tokens for itself only')
  if (type === 'refresh_token') return await oauth.grants.refresh(needed(fields, 'refresh_token'), client)
  if (type !== 'authorization_code') throw new OAuthFailure('unsupported_grant_type', 'only codes and refresh tokens are exchanged')
  const code = needed(fields, 'code')
  return await oauth.grants.exchange({ code, client, redirect: fields.redirect_uri, verifier: needed(fields, 'code_verifier') })
}

type Handler = (request: FastifyRequest, reply: FastifyReply, address: string) => Promise<unknown>

/** ms; the first since the epoch. */
interface Clocks { readonly now: () => number, readonly monotonic: () => number }

/** What programs call without a person: for tokens, to give them back, and to register. */
export function serveEndpoints (app: FastifyInstance, oauth: OAuthService, { now, monotonic }: Clocks): void {
  const failures = createLoginThrottle({ most: MOST_FAILURES, windowMs: MINUTE_MS, now: monotonic })
  const registrations = createLoginThrottle({ most: MOST_REGISTRATIONS, windowMs: 10 * MINUTE_MS, now: monotonic })
  const options = { schema: { hide: true } as object, config: { isOpen: true }, bodyLimit: MOST_BYTES }

  const open = (path: string, handle: Handler) =>
    app.post(path, options, async (request, reply) => {
      const address = oauth.offeredAt(request)
      if (address === undefined) throw new NotFound('Programs cannot be connected with OAuth at this address')
      reply.header('cache-control', 'no-store')
      try {
        return await handle(request, reply, address)
      } catch (failure) {
        if (!(failure instanceof OAuthFailure)) throw failure
        return reply.code(failure.status).send({ error: failure.code, error_description: failure.message })
      }
    })

  /** Guesses are counted before any work. Behind a proxy all programs have one address: those that know theirs pass. */
  function admit (request: FastifyRequest, reply: FastifyReply): void {
    if (oauth.isKnown(credentialIn(fieldsIn(request)))) return
    checkPace(failures, request, reply)
    failures.count(request.ip)
  }

  open(ENDPOINTS.token, async (request, reply, address) => {
    admit(request, reply)
    const result = await tokensFor(oauth, request, address)
    if (isRefusal(result)) {
      if (result.theft) await oauth.reportReuse(result.theft.grant, result.theft.what, request.ip)
      throw new OAuthFailure('invalid_grant', result.reason)
    }
    const { access, refresh, seconds, scope } = result
    return { access_token: access, token_type: 'Bearer', expires_in: seconds, refresh_token: refresh, scope }
  })

  open(ENDPOINTS.revoke, async (request, reply) => {
    admit(request, reply)
    const isKnown = await oauth.grants.revokeToken(needed(fieldsIn(request), 'token'))
    if (isKnown) oauth.reviewConnections()
    return {}
  })

  open(ENDPOINTS.register, async (request, reply) => {
    checkPace(registrations, request, reply)
    registrations.count(request.ip)
    const metadata = readClientMetadata(request.body)
    if (typeof metadata === 'string') throw new OAuthFailure('invalid_client_metadata', metadata)
    const id = await oauth.clients.register(metadata)
    return await reply.code(201).send({
      client_id: id,
      client_id_issued_at: Math.floor(now() / 1000),
      client_name: metadata.name,
      redirect_uris: metadata.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    })
  })
}
