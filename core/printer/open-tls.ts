import { detectFullServer } from './ftp/greeting.js'
import { connectTls, type SecureConnection, type Target } from './tls.js'
import type { PrinterConfig } from './types.js'

/** Certificates pinned on first connection, by serial. */
interface KnownPins {
  get (serial: string): string | undefined
  set (serial: string, fingerprint: string): void
}

/** What a printer's certificate on one of its ports is verified against. */
export function targetOf ({ host, serial, tls }: PrinterConfig, port: number, pins: KnownPins): Target {
  const fingerprint = tls.fingerprint ?? pins.get(serial)
  const trust = { mode: tls.mode, ...(tls.ca && { ca: tls.ca }), ...(fingerprint && { fingerprint }) }
  return { host, port, serial, trust }
}

/**
 * Opens a TLS connection to any port of a printer. The certificate is verified before anything is sent, by the same
 * rule on every port, and pinned if none was known for this printer.
 * @throws ConnectionError; the signal's reason when it is aborted
 */
export async function openTls (config: PrinterConfig, port: number, pins: KnownPins,
  { signal, timeoutMs }: { signal: AbortSignal, timeoutMs?: number }): Promise<SecureConnection> {
  const target = targetOf(config, port, pins)
  const open = async () => await connectTls(target, signal, timeoutMs)
  const connection = port === config.ports.ftps ? await detectFullServer(open, config.host, port, signal) : await open()
  if (target.trust.mode === 'pin' && target.trust.fingerprint === undefined) {
    pins.set(config.serial, connection.fingerprint)
  }
  return connection
}
