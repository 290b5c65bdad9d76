import type { PrinterEntry } from './config.js'
import type { Environment } from '../util/environment.js'
import { BadConfig } from '../errors.js'
import { accessCodeOf, secretKey, type Secrets } from './secrets.js'
import { readNamedText } from '../util/own-file.js'
import type { PrinterConfig } from '../printer/types.js'

/** Where printers listen. Source: the vendor's LAN protocol. */
export const STANDARD_PORTS = { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 } as const

/** Fills in what a configured printer leaves out, and reads its access code and authorities. */
export async function resolvePrinter (entry: PrinterEntry, path: string, env: Environment, secrets: Secrets):
Promise<PrinterConfig> {
  const { name, host, serial, model, tls = {} } = entry
  const mode = tls.mode ?? (tls.ca === undefined ? 'pin' : 'ca')
  if (mode === 'ca' && tls.ca === undefined) throw new BadConfig(`${path}.tls.ca is required with mode 'ca'`)
  return {
    name,
    host,
    serial: secretKey(serial),
    accessCode: await accessCodeOf(entry, path, env, secrets),
    ...(model !== undefined && { model }),
    ports: { ...STANDARD_PORTS, ...entry.ports },
    tls: {
      mode,
      ...(tls.ca !== undefined && mode === 'ca' && { ca: await readAuthorities(tls.ca, path) }),
      ...(tls.fingerprint !== undefined && { fingerprint: tls.fingerprint })
    }
  }
}

const readAuthorities = async (file: string, path: string): Promise<string> =>
  await readNamedText(file).catch((error: Error) => {
    throw new BadConfig(`${path}.tls.ca: ${error.message}`)
  })

/** @throws PRN_ERR_CONFIG */
export const resolvePrinters = async (entries: readonly PrinterEntry[], env: Environment, secrets: Secrets):
Promise<PrinterConfig[]> =>
  await Promise.all(entries.map((entry, at) => resolvePrinter(entry, `printers[${at}]`, env, secrets)))
