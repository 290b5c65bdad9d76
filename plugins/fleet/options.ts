import { hostname } from 'node:os'
import { Type, type Static } from 'typebox'
import { BadConfig, readSecret, SecretReference, readNamedText } from '../../core/index.js'
import { PUBLIC_KEY_PATTERN } from './signed-message.js'

const Token = (description: string, extra: object = {}) =>
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$', description, ...extra })
const PublicKey = Type.String({ pattern: PUBLIC_KEY_PATTERN })
const File = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

export const Options = Type.Object({
  servers: Type.Optional(Type.Array(Type.String({ pattern: '^(nats|tls)://[^@/]+$' }), {
    minItems: 1, description: 'NATS servers, such as `tls://nats-1.example.org:4222`; without them the fleet is off'
  })),
  fleet: Token('Name of the fleet: several may share one NATS', { default: 'main' }),
  site: Token('Site of this service, such as a hall with its own network', { default: 'site' }),
  node: Type.Optional(Token('Name of this service within its site; by default that of the machine')),
  shared: Type.Optional(Type.Array(Type.String({ minLength: 1 }), {
    description: 'Names of printers that other nodes of this site have too: one node at a time holds each of them'
  })),
  hubKeys: Type.Optional(Type.Array(PublicKey, {
    minItems: 1,
    maxItems: 100,
    description: 'Of a node: public keys of the hubs whose calls it accepts; by default only the first hub that contacts it'
  })),
  nodeKeys: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,40}$' }), PublicKey, {
    description: 'Of a hub: public keys of nodes, such as `{ "hall/a": "…" }`; by default the key of each node is pinned ' +
      'at its first heartbeat'
  })),
  credentials: File('File with the credentials of a NATS user (.creds)'),
  user: Type.Optional(Type.String({ minLength: 1, description: 'NATS user, where there are no credentials' })),
  password: Type.Optional(SecretReference),
  ca: File('File with the authorities that signed the certificates of the servers, PEM'),
  certificate: File('File with the certificate of this service, PEM'),
  key: File('File with the key of that certificate, PEM'),
  insecure: Type.Boolean({ default: false, description: 'Also connect to other machines without TLS' }),
  replicas: Type.Integer({
    default: 1, minimum: 1, maximum: 5, description: 'Copies that the NATS servers keep; 3 for a cluster of three'
  })
})
export type Options = Static<typeof Options>

/** The text that goes into the configuration of a node. */
export const hubKeysLine = (keys: readonly string[]): string => `"hubKeys": ${JSON.stringify(keys)}`

/** The place of this service in the fleet, and how it connects. */
export interface Login {
  readonly servers: readonly string[]
  readonly fleet: string
  readonly site: string
  readonly node: string
  readonly credentials?: string
  readonly user?: string
  readonly password?: string
  /** Undefined for unencrypted connections, which are limited to this machine unless `insecure` is set. */
  readonly tls?: { readonly ca?: string, readonly cert?: string, readonly key?: string }
}

const WHERE = 'plugins.fleet'
const HERE = new Set(['127.0.0.1', 'localhost', '[::1]'])

const read = async (file: string, key: string): Promise<string> =>
  await readNamedText(file).catch((error: Error) => { throw new BadConfig(`${WHERE}.${key}: ${error.message}`) })

/** @throws PRN_ERR_CONFIG for missing files, and for unencrypted connections to other machines */
export async function loginOf (options: Options & { servers: readonly string[] }): Promise<Login> {
  const { servers, fleet, site, node = tokenOf(hostname()), credentials, user, password, insecure } = options
  const files = Object.entries({ ca: options.ca, cert: options.certificate, key: options.key })
    .flatMap(([key, file]) => file === undefined ? [] : [[key, file] as const])
  const secure = files.length > 0 || servers.some(server => server.startsWith('tls://'))
  const elsewhere = servers.find(server => !HERE.has(new URL(server).hostname))
  if (!secure && !insecure && elsewhere !== undefined) {
    throw new BadConfig(`${WHERE}.servers: ${elsewhere} is another machine and the connection would not be encrypted. ` +
      'Write tls:// (and ca), or set insecure: true in a network that you trust.')
  }
  if (user !== undefined && password === undefined) throw new BadConfig(`${WHERE}.password is missing beside the user`)
  const texts = await Promise.all(files.map(async ([key, file]) => [key, await read(file, key)] as const))
  const tls = Object.fromEntries(texts)
  return {
    servers,
    fleet,
    site,
    node,
    ...(secure && { tls }),
    ...(credentials !== undefined && { credentials: await read(credentials, 'credentials') }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password: await readSecret(password, `${WHERE}.password`) })
  }
}

const tokenOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '-').replace(/^-+/, '').slice(0, 40) || 'node'
