import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NotFound } from '../../core/index.js'
import { PROTECTED_PATH, resourceAt } from './address.js'
import { SCOPES } from './authorization-request.js'

const WELL_KNOWN = '/.well-known/oauth'
/** RFC 9728 and 8414. */
export const METADATA_PATHS = {
  root: `${WELL_KNOWN}-protected-resource`,
  resource: `${WELL_KNOWN}-protected-resource${PROTECTED_PATH}`,
  server: `${WELL_KNOWN}-authorization-server`
} as const

/** Endpoints; also the paths that programs of earlier revisions assume. */
export const ENDPOINTS = { authorize: '/authorize', token: '/token', revoke: '/revoke', register: '/register' } as const

export const resourceMetadata = (address: string) => ({
  resource: resourceAt(address),
  authorization_servers: [address],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'prnd'
})

export const serverMetadata = (address: string) => ({
  issuer: address,
  authorization_endpoint: address + ENDPOINTS.authorize,
  token_endpoint: address + ENDPOINTS.token,
  revocation_endpoint: address + ENDPOINTS.revoke,
  registration_endpoint: address + ENDPOINTS.register,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resourceAt(address)]
})

/**
 * Where programs learn how to connect; open, because they have no credentials yet.
 * @param offeredAt the address of this service for a request; undefined where programs cannot be connected
 */
export function serveMetadata (app: FastifyInstance, offeredAt: (request: FastifyRequest) => string | undefined): void {
  const documents = {
    [METADATA_PATHS.root]: resourceMetadata,
    [METADATA_PATHS.resource]: resourceMetadata,
    [METADATA_PATHS.server]: serverMetadata
  }
  for (const [path, documentAt] of Object.entries(documents)) {
    app.get(path, { schema: { hide: true } as object, config: { isOpen: true } }, (request, reply) => {
      const address = offeredAt(request)
      if (address === undefined) throw new NotFound('Programs cannot be connected with OAuth at this address')
      return reply.header('cache-control', 'no-store').send(documentAt(address))
    })
  }
}
