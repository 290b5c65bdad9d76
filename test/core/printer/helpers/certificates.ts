import { webcrypto, X509Certificate } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0])

export interface Issued {
  /** PEM. */
  readonly certificate: string
  /** PEM, PKCS #8. */
  readonly key: string
  readonly fingerprint: string
  readonly signer: { readonly name: string, readonly keys: webcrypto.CryptoKeyPair }
}

const pem = (der: ArrayBuffer) => {
  const lines = Buffer.from(der).toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}

/** A certificate without alternative names, signed by `by` or by itself. */
export async function issue (commonName: string,
  { by, authority = false }: { by?: Issued, authority?: boolean } = {}): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const name = `CN=${commonName}`
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: String(Math.floor(Math.random() * 1e9) + 1),
    subject: name,
    issuer: by?.signer.name ?? name,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    publicKey: keys.publicKey,
    signingKey: by?.signer.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: authority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []
  })
  const text = certificate.toString('pem')
  return {
    certificate: text,
    key: pem(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
    fingerprint: new X509Certificate(text).fingerprint256,
    signer: { name, keys }
  }
}
