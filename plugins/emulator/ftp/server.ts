import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Identity } from '../identity.js'
import type { InsertedCard } from './card.js'
import { serveControlConnection } from './control-connection.js'
import type { Profile } from './profile.js'
import type { Shop } from './session.js'
import { createFtpTls, type TlsVersion } from './tls.js'

/** The FTPS server of a virtual printer. */
export interface FtpServer {
  readonly port: number
  /** Shows another certificate to connections made from now on. */
  present (identity: Identity): void
  /** Ends every connection; the listener stays. */
  drop (): void
  close (): Promise<void>
}

export interface FtpServerOptions {
  readonly host: string
  readonly port: number
  readonly identity: Identity
  readonly card: InsertedCard
  readonly profile: Profile
  /** What the printer's clock says, ms since the epoch. */
  readonly now: () => number
  readonly admits: (user: string, password: string) => boolean
  /** @default TLSv1.2 */
  readonly maxVersion?: TlsVersion
  /** @default TLSv1.2 */
  readonly minVersion?: TlsVersion
}

/** Implicit TLS: the first byte that a client sends belongs to a handshake. */
export async function createFtpServer (options: FtpServerOptions): Promise<FtpServer> {
  const { host, card, profile, now, admits, maxVersion = 'TLSv1.2', minVersion = 'TLSv1.2' } = options
  const tls = createFtpTls(options.identity, minVersion, maxVersion)
  const shop: Shop = { host, card, profile, now, admits, secure: tls.secure, isBusy: false }
  const open = new Set<Socket>()

  const server = createServer({ noDelay: true }, raw => {
    open.add(raw)
    raw.on('error', () => {}).once('close', () => open.delete(raw))
    const fault = card.faults.take('CONNECT')
    if (fault?.hangs === true) return
    if (fault?.resets === true) return raw.resetAndDestroy() as unknown as void
    const socket = tls.secure(raw)
    socket.on('error', () => {})
    socket.once('secure', () => serveControlConnection(shop, socket, raw, fault))
  })
  server.listen(options.port, host)
  await once(server, 'listening')
  const drop = (): void => { for (const socket of open) socket.destroy() }

  return {
    port: (server.address() as AddressInfo).port,
    present: tls.present,
    drop,
    async close () {
      const closed = once(server, 'close')
      server.close()
      drop()
      await closed
    }
  }
}
