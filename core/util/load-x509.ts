import { webcrypto } from 'node:crypto'

/** The library that makes certificates, loaded on first use: it is slow to load, and most services never need it. */
export async function loadX509 () {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0])
  return x509
}

export type X509 = Awaited<ReturnType<typeof loadX509>>
