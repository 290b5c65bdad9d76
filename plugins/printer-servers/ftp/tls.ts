import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, createServer, TLSSocket, type SecureContext } from 'node:tls'
import type { Identity } from '../identity.js'

/** TLS shared by control and data connections, so that one can resume the session of the other. */
export interface FtpTls {
  /** Starts the server side of a handshake. */
  secure (raw: Socket): TLSSocket
  /** Uses another certificate for new connections. */
  present (identity: Identity): void
}

export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

const TICKET_KEY_BYTES = 48
/** Each client has one control connection; the oldest sessions belong to disconnected clients. */
const MOST_SESSIONS = 256

/**
 * Clients resume by ticket or, like curl, by session id: the first requires shared keys, the second a shared store of
 * sessions.
 */
export function createFtpTls (identity: Identity, minVersion: TlsVersion, maxVersion: TlsVersion): FtpTls {
  const ticketKeys = randomBytes(TICKET_KEY_BYTES)
  const contextOf = ({ key, certificate }: Identity): SecureContext =>
    createSecureContext({ key, cert: certificate, minVersion, maxVersion, ticketKeys, sessionIdContext: 'card' } as object)
  const sessions = new Map<string, Buffer>()
  const store = createServer() // never listens, only collects sessions of the sockets
  store.on('newSession', (id, session, done) => {
    sessions.set(id.toString('hex'), session)
    const [oldest] = sessions.keys()
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
    done()
  })
  store.on('resumeSession', (id, done) => { done(null, sessions.get(id.toString('hex')) ?? null) })
  let secureContext = contextOf(identity)

  return {
    secure: raw => new TLSSocket(raw, { isServer: true, secureContext, server: store }),
    present (next) {
      secureContext = contextOf(next)
      sessions.clear()
    }
  }
}
