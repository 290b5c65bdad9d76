import {
  connect, createSecureContext, DEFAULT_CIPHERS, type ConnectionOptions, type SecureContext, type SecureContextOptions,
  type SecureVersion, type TLSSocket
} from 'node:tls'
import { ConnectionError, connectionErrorOf } from './connection-error.js'

/** How a printer's certificate is verified, on every one of its ports. */
export interface Trust {
  readonly mode: 'ca' | 'pin' | 'insecure'
  /** PEM text of the authorities, for `ca`. */
  readonly ca?: string
  /** SHA-256 of the certificate, for `pin`; without one the first certificate is pinned. */
  readonly fingerprint?: string
}

export interface Target {
  /** Of the printer, for the command in the error message. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly serial: string
  readonly trust: Trust
}

export interface SecureConnection {
  readonly socket: TLSSocket
  /** SHA-256 of the certificate, upper-case hexadecimal with colons. */
  readonly fingerprint: string
}

/** As in common clients. */
export const CONNECT_TIMEOUT_MS = 10_000

/** Some system policies remove the plain RSA suites, which older printers need. */
const CIPHERS = `${DEFAULT_CIPHERS}:AES256-GCM-SHA384:AES128-GCM-SHA256`

/** Replaces a pinned fingerprint that was lost: no certificate matches it. */
export const LOST_PIN = 'lost'

/** Compares fingerprints, ignoring case and separators. */
export const sameFingerprint = (a: string, b: string): boolean =>
  a.replaceAll(/[^0-9a-f]/gi, '').toUpperCase() === b.replaceAll(/[^0-9a-f]/gi, '').toUpperCase()

const contexts = new Map<string, SecureContext>()

/** Shared by all connections with the same options: a context costs time, and native memory that is freed late. */
function contextOf ({ mode, ca }: Trust, maxVersion: SecureVersion | undefined): SecureContext {
  const authorities = mode === 'ca' ? ca : undefined
  const key = `${maxVersion ?? ''}\n${authorities ?? ''}`
  const known = contexts.get(key)
  if (known) return known
  const made = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(maxVersion !== undefined && { maxVersion }),
    ciphers: CIPHERS,
    ...(authorities !== undefined && { ca: authorities }),
    allowPartialTrustChain: true // printers often send the leaf alone
  } as SecureContextOptions)
  contexts.set(key, made)
  return made
}

/** TLS options for a printer, whose certificate only contains the serial number, as common name. */
export const tlsOptions = ({ serial, trust }: Target, maxVersion?: SecureVersion): ConnectionOptions => ({
  servername: serial,
  secureContext: contextOf(trust, maxVersion),
  rejectUnauthorized: false // verifyCertificate decides, before anything is sent
})

export interface PeerCertificate {
  readonly commonName: string
  readonly fingerprint: string
  /** The error of the chain check; undefined if the chain is valid. */
  readonly chainError: string | undefined
}

const LONGEST_NAME = 64

/** The name comes from the peer and is shown on terminals. The field may occur several times. */
function printable (name: unknown): string {
  const text = [name].flat().join(', ')
  // eslint-disable-next-line no-control-regex
  return text.slice(0, LONGEST_NAME).replaceAll(/[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g, '\uFFFD')
}

export function peerOf (socket: TLSSocket): PeerCertificate {
  const certificate = socket.getPeerCertificate()
  const names = certificate.subject as { CN?: string } | undefined
  return {
    commonName: printable(names?.CN),
    fingerprint: certificate.fingerprint256 ?? '',
    chainError: socket.authorized ? undefined : chainError(socket)
  }
}

/** Name mismatches are ignored: `verifyCertificate` compares the common name with the serial itself. */
function chainError (socket: TLSSocket): string | undefined {
  const error = socket.authorizationError as unknown as (Error & { code?: string }) | string | undefined
  const code = typeof error === 'string' ? error : error?.code ?? error?.message
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? undefined : code ?? 'unknown'
}

/** A printer's name, quoted for a shell. */
export const shellWord = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`

const acceptCommand = (name: string): string => `prnd printers test ${shellWord(name)} --accept-certificate`

/** @returns why the certificate is refused; undefined if it is accepted */
export function verifyCertificate (peer: PeerCertificate, { name, host, serial, trust }: Target):
ConnectionError | undefined {
  if (trust.mode === 'insecure') return undefined
  if (peer.commonName.toUpperCase() !== serial.toUpperCase()) {
    return new ConnectionError('wrong_serial',
      `${host} identifies itself as '${peer.commonName}', not as '${serial}'. ` +
      'Check the serial number and the address of this printer.')
  }
  if (trust.mode === 'ca') {
    return peer.chainError === undefined
      ? undefined
      : new ConnectionError('certificate_untrusted',
        `The certificate of ${host} is not signed by the configured authorities (${peer.chainError})`)
  }
  if (trust.fingerprint === LOST_PIN) {
    return new ConnectionError('certificate_changed',
      `The pinned certificate of ${host} is lost: the file of certificates was damaged. If nobody else can ` +
      `answer there, accept the current one with: ${acceptCommand(name)}. ` +
      `Its fingerprint: ${peer.fingerprint}`)
  }
  return trust.fingerprint === undefined || sameFingerprint(trust.fingerprint, peer.fingerprint)
    ? undefined
    : new ConnectionError('certificate_changed',
      `The certificate of ${host} differs from the one pinned on first connection. If the printer was reset or got new ` +
      `firmware, accept it with: ${acceptCommand(name)}. New fingerprint: ${peer.fingerprint}`)
}

/**
 * Opens a TLS connection and verifies the certificate before anything is sent.
 * @throws ConnectionError
 */
export function connectTls (target: Target, signal: AbortSignal, timeoutMs = CONNECT_TIMEOUT_MS):
Promise<SecureConnection> {
  const { host, port } = target
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...tlsOptions(target) })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.off('error', fail).off('close', closed)
      socket.on('error', () => {}) // an error before the new owner listens must not end the process
    }
    const fail = (error: unknown) => {
      settle()
      socket.destroy()
      reject(signal.aborted ? signal.reason : connectionErrorOf(error, `${host}:${port}`))
    }
    const abort = () => fail(signal.reason)
    const closed = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    const timer = setTimeout(() => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), timeoutMs)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once('close', closed)
    socket.once('secureConnect', () => {
      const peer = peerOf(socket)
      const refused = verifyCertificate(peer, target)
      if (refused) return fail(refused)
      settle()
      resolve({ socket, fingerprint: peer.fingerprint })
    })
    if (signal.aborted) abort()
  })
}
