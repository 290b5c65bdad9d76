import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createConnectionLimit, type ConnectionLimits } from '../../../core/index.js'
import { DEFAULT_LIMITS } from '../default-limits.js'
import type { Identity } from '../identity.js'
import { serveControlConnection } from './control-connection.js'
import { NO_FAULTS, type FaultSource } from './fault.js'
import type { FtpProfile } from './profile.js'
import type { FtpContext } from './session.js'
import { createFtpTls, type TlsVersion } from './tls.js'

/** A printer's FTPS server. */
export interface FtpServer {
  readonly port: number
  /** Uses another certificate for new connections. */
  present (identity: Identity): void
  /** Ends every connection; the port stays open. */
  drop (): void
  close (): Promise<void>
}

export interface FtpServerOptions {
  readonly host: string
  readonly port: number
  readonly identity: Identity
  readonly profile: FtpProfile
  /** Faults to inject. @default none */
  readonly faults?: FaultSource
  /** The printer's clock, ms since the epoch. */
  readonly now: () => number
  /** The card as a client sees it; undefined rejects the client. */
  readonly admit: FtpContext['admit']
  /** An admitted client disconnected. */
  readonly left?: FtpContext['left']
  /** @default {@link DEFAULT_LIMITS} */
  readonly limits?: ConnectionLimits
  /** Limit of concurrent transfers. @default 1 */
  readonly mostTransfers?: number
  /** A transfer that stalls for this long is ended. @default 300000, as in vsFTPd */
  readonly stallMs?: number
  /** @default TLSv1.2 */
  readonly maxVersion?: TlsVersion
  /** @default TLSv1.2 */
  readonly minVersion?: TlsVersion
}

const HANDSHAKE_MS = 15_000

/** Implicit TLS: the connection starts with a handshake. */
export async function createFtpServer (options: FtpServerOptions): Promise<FtpServer> {
  const { host, profile, now, admit, left, maxVersion = 'TLSv1.2', minVersion = 'TLSv1.2' } = options
  const { faults = NO_FAULTS, mostTransfers = 1, stallMs = 300_000 } = options
  const tls = createFtpTls(options.identity, minVersion, maxVersion)
  const context: FtpContext = {
    host, faults, profile, now, admit, left, secure: tls.secure, mostTransfers, stallMs, transfers: 0
  }
  const open = createConnectionLimit(options.limits ?? DEFAULT_LIMITS)

  const server = createServer({ noDelay: true }, raw => {
    if (!open.add(raw)) return
    const fault = faults.take('CONNECT')
    if (fault?.hangs === true) return
    if (fault?.resets === true) return raw.resetAndDestroy() as unknown as void
    const socket = tls.secure(raw)
    socket.on('error', () => {})
    raw.setTimeout(HANDSHAKE_MS, () => raw.destroy())
    socket.once('secure', () => { raw.setTimeout(0); serveControlConnection({ context, socket, raw, greeting: fault, admitted: () => open.admit(raw) }) })
  })
  server.listen(options.port, host)
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    present: tls.present,
    drop: open.drop,
    async close () {
      const closed = once(server, 'close')
      server.close()
      open.drop()
      await closed
    }
  }
}
