import { Type, type Static } from 'typebox'
import { BadConfig, SecretReference } from '../../../core/index.js'
import { RoleSchema } from '../schemas.js'

const WHERE = 'plugins.people.openid'

const Claim = (description: string, more: object = {}) => Type.String({
  minLength: 1, maxLength: 200, description: `${description}; a dot leads into an object, as in \`realm_access.roles\``, ...more
})

export const OpenIdOptions = Type.Object({
  issuer: Type.String({
    pattern: '^https?://', maxLength: 500, description: "The provider's address, exactly as the provider writes it"
  }),
  clientId: Type.String({ minLength: 1, maxLength: 256, description: 'Client id of this service, from the provider' }),
  clientSecret: Type.Optional(SecretReference),
  scopes: Type.String({
    default: 'openid profile',
    pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
    maxLength: 500,
    description: 'Scopes to request'
  }),
  nameClaim: Claim('Claim that names the user', { default: 'preferred_username' }),
  roleClaim: Type.Optional(Claim('Claim with the groups or roles of the user: a text or a list')),
  roles: Type.Record(Type.String({ minLength: 1, maxLength: 256 }), RoleSchema, {
    default: {}, maxProperties: 200, description: 'Maps values of `roleClaim` to roles; the highest one counts'
  }),
  defaultRole: Type.Optional(Type.Enum(RoleSchema.enum, {
    description: 'Role of users without a role in `roles`. Default: they are refused'
  })),
  button: Type.Optional(Type.String({
    minLength: 1, maxLength: 60, description: 'Text of the button on the login page. Default: a text in the language of the browser'
  })),
  timeoutSeconds: Type.Integer({ default: 10, minimum: 1, maximum: 60, description: 'Time limit for an answer' }),
  insecure: Type.Boolean({
    default: false, description: 'Allow a provider on another machine without TLS'
  })
}, { additionalProperties: false })
export type OpenIdOptions = Static<typeof OpenIdOptions>

const isLoopback = ({ hostname }: URL) => hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)

/** What is wrong with the configuration as a whole. */
function problemIn ({ issuer, scopes, roleClaim, roles, defaultRole, insecure }: OpenIdOptions): string | undefined {
  if (!URL.canParse(issuer)) return 'issuer is not an address'
  const url = new URL(issuer)
  if (url.pathname.includes('/.well-known/')) return "issuer must be the provider's address without '/.well-known/…'"
  if (url.protocol === 'http:' && !insecure && !isLoopback(url)) {
    return 'issuer must begin with https://, or set insecure: true if passwords may cross your network unencrypted'
  }
  if (!scopes.split(' ').includes('openid')) return "scopes must contain 'openid'"
  const hasRoles = Object.keys(roles).length > 0
  if (hasRoles && roleClaim === undefined) return 'roles needs roleClaim'
  if (!hasRoles && defaultRole === undefined) return 'no one could log in: set roleClaim and roles, or defaultRole'
  return undefined
}

/** @throws PRN_ERR_CONFIG for options that contradict each other */
export function checkOptions (options: OpenIdOptions): void {
  const problem = problemIn(options)
  if (problem !== undefined) throw new BadConfig(`${WHERE}: ${problem}`)
}

export const SECRET_KEY = `${WHERE}.clientSecret`
