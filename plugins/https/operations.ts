import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { describeCertificate } from './authority.js'

/** Names that mean another machine elsewhere, or need a zone. */
const ONLY_HERE = /^(?:localhost|127\.|::1$|fe80:)/

export const readEncryption = operation({
  name: 'https.read',
  summary: 'How this service is reached over HTTPS, and by what its certificate can be trusted',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    addresses: Type.Array(Type.String(), { description: 'That the certificate vouches for; empty with a certificate of your own' }),
    root: Type.Union([Type.Object({
      fingerprint: Type.String({ description: 'SHA-256 of the root certificate' }),
      valid_until: Type.Integer({ description: 'ms since the epoch' }),
      path: Type.String({ description: 'Where it is downloaded' })
    }), Type.Null()], { description: 'null with a certificate of your own' }),
    redirects: Type.Boolean({ description: 'Pages that other devices open without encryption lead to the encrypted ones' })
  }, { 'x-name': 'Encryption' }),
  async run ({ services: { https }, kernel }) {
    const { certificates, redirects } = https
    if (certificates.isOwn) return { addresses: [], root: null, redirects }
    const { certificate } = await certificates.authority()
    const { fingerprint, validUntil } = describeCertificate(certificate)
    const { apiPort, config: { api: { host } } } = kernel
    const addresses = (await certificates.names())
      .filter(name => !ONLY_HERE.test(name) && (host.includes(':') || !name.includes(':'))) // listens on IPv6, too
      .map(name => `https://${name.includes(':') ? `[${name}]` : name}${apiPort === 443 ? '' : `:${apiPort}`}`)
    return { addresses, root: { fingerprint, valid_until: validUntil, path: ROOT_PATH }, redirects }
  }
})

/** Everyone may have it, also before a login. */
export const ROOT_PATH = '/https/ca.crt'
