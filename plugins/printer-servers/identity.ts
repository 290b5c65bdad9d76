import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls'
import { loadX509 } from '../../core/index.js'

/** The certificate of a printer, the same on every TLS port. */
export interface Identity {
  /** PKCS #8, PEM. */
  readonly key: string
  /** One self-signed leaf, PEM. */
  readonly certificate: string
  /** SHA-256 of the leaf, upper-case hex with colons. */
  readonly fingerprint: string
}

/** Some system policies remove the plain RSA suites; some slicers and older programs offer no others. */
const CIPHERS = `${DEFAULT_CIPHERS}:AES256-GCM-SHA384:AES128-GCM-SHA256`

export const secureOptions = ({ key, certificate }: Identity): SecureContextOptions =>
  ({ key, cert: certificate, minVersion: 'TLSv1.2', ciphers: CIPHERS })

interface Keys { readonly pair: webcrypto.CryptoKeyPair, readonly pem: string }

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048
} as const
const DAY_MS = 86_400_000
const VALID_DAYS = 3650

const pem = (label: string, der: ArrayBuffer): string => {
  const lines = Buffer.from(der).toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

async function generateKeys (): Promise<Keys> {
  const pair = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  return { pair, pem: pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', pair.privateKey)) }
}

/** Shared by all printers of this process, because generating an RSA key is by far the slowest step. */
let shared: Promise<Keys> | undefined
const sharedKeys = (): Promise<Keys> => {
  shared ??= generateKeys()
  return shared
}

/** Positive, without a leading zero byte. */
const serialNumber = (): string => `7${randomBytes(8).toString('hex').slice(1)}`

/**
 * A leaf with `CN=<serial>` and no alternative names, like a printer's.
 *
 * @param fresh also use a new key, like a printer after a reset
 */
export async function createIdentity (serial: string, fresh = false): Promise<Identity> {
  const [x509, keys] = await Promise.all([loadX509(), fresh ? generateKeys() : sharedKeys()])
  const leaf = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${serial}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys: keys.pair,
    extensions: []
  })
  const certificate = leaf.toString('pem')
  return { key: keys.pem, certificate, fingerprint: new X509Certificate(certificate).fingerprint256 }
}
