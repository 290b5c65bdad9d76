import { detectFullServer, explainPlainText } from './plain-answer.js'
import { connectTls, type SecureConnection, type Target, type Trust } from './tls.js'
import type { PinStore, PrinterConfig } from './types.js'

/** How a printer's certificate is verified: as configured, with the pin of the first connection. */
export function createTrust ({ serial, tls: { mode, ca, fingerprint } }: PrinterConfig, pins: PinStore) {
  function trust (): Trust {
    const pinned = fingerprint ?? pins.get(serial)
    return { mode, ...(ca !== undefined && { ca }), ...(pinned !== undefined && { fingerprint: pinned }) }
  }
  return {
    trust,
    /** Pins the certificate of a connection unless there is a pin. */
    pin (seen: string): void {
      if (mode === 'pin' && trust().fingerprint === undefined) pins.set(serial, seen)
    }
  }
}

/** The identity that a printer's certificate on one of its ports must match. */
export const targetOf = (config: PrinterConfig, port: number, pins: PinStore): Target =>
  ({ name: config.name, host: config.host, port, serial: config.serial, trust: createTrust(config, pins).trust() })

/**
 * Opens a TLS connection to any port of a printer. The certificate is verified before anything is sent, by the same
 * rules on every port, and pinned if this printer has no pin.
 * @throws ConnectionError; the signal's reason if it is aborted
 */
export async function openTls (config: PrinterConfig, port: number, pins: PinStore,
  { signal, timeoutMs }: { signal: AbortSignal, timeoutMs?: number }): Promise<SecureConnection> {
  const open = async () => await connectTls(targetOf(config, port, pins), signal, timeoutMs)
  const opened = port === config.ports.ftps ? detectFullServer : explainPlainText
  const connection = await opened(open, config.host, port, signal)
  createTrust(config, pins).pin(connection.fingerprint)
  return connection
}
