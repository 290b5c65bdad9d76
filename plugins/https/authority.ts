import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { loadX509, type X509 } from '../../core/index.js'
import { nameConstraints } from './constraints.js'

/** A key and its certificate, both PEM. */
export interface Certified {
  /** PKCS #8. */
  readonly key: string
  readonly certificate: string
}

/** A root that vouches for this service alone. */
export interface Authority extends Certified {
  /** Names for which it can vouch, beside those of private networks. */
  readonly names: readonly string[]
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
/** People install it by hand on each of their devices. */
const ROOT_DAYS = 3650
/**
 * Roots are valid from then on: one that was made while the clock was ahead is no worse after its correction. It must
 * not be made anew then, since a clock that is behind, as without a battery, looks the same.
 */
const ROOT_FROM_MS = Date.UTC(2020, 0, 1)
/** Phones accept at most 825 days. */
const LEAF_DAYS = 90

/** Positive, without a leading zero byte. */
const serialNumber = (): string => `7${randomBytes(16).toString('hex').slice(1)}`

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const pemOf = async ({ PemConverter }: X509, key: webcrypto.CryptoKey): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

/** Quotes what a name of a certificate gives a meaning to. */
const plain = (text: string) => text.replaceAll(/[^\w.-]/g, '-')

/**
 * Makes a root with a new key.
 * @param title shown where people manage the certificates that they trust
 * @param now ms since the epoch
 */
export async function createAuthority (title: string, names: readonly string[], now: number): Promise<Authority> {
  const x509 = await loadX509()
  const keys = await newKeys()
  const { id, der } = nameConstraints(names)
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${plain(title)}, O=prnd`,
    notBefore: new Date(Math.min(now - DAY_MS, ROOT_FROM_MS)),
    notAfter: new Date(now + ROOT_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(id, true, der)
    ]
  })
  return { key: await pemOf(x509, keys.privateKey), certificate: root.toString('pem'), names }
}

/**
 * Issues a certificate for a server.
 * @param names and addresses, all permitted by the authority; at least one
 */
export async function issueCertificate (
  authority: Authority, names: readonly string[], now: number
): Promise<Certified> {
  const x509 = await loadX509()
  const keys = await newKeys()
  const root = new x509.X509Certificate(authority.certificate)
  const signingKey = await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(authority.key),
    ALGORITHM, false, ['sign'])
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${plain(names[0] ?? '')}`,
    issuer: root.subject,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + LEAF_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(value => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }))),
      await x509.AuthorityKeyIdentifierExtension.create(root)
    ]
  })
  return { key: await pemOf(x509, keys.privateKey), certificate: leaf.toString('pem') }
}

export interface CertificateFacts {
  /** What people compare. */
  readonly fingerprint: string
  /** ms since the epoch. */
  readonly validFrom: number
  readonly validUntil: number
}

export function describeCertificate (pem: string): CertificateFacts {
  const { fingerprint256, validFrom, validTo } = new X509Certificate(pem)
  return { fingerprint: fingerprint256, validFrom: Date.parse(validFrom), validUntil: Date.parse(validTo) }
}
