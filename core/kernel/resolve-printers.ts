import { secretKey, type PrinterEntry } from './config.js'
import type { Environment } from '../util/environment.js'
import { BadConfig } from '../errors.js'
import { accessCodeOf, type Secrets } from './secrets.js'
import { readNamedText } from '../util/own-file.js'
import type { PrinterConfig } from '../printer/types.js'

/** Ports on which printers listen in LAN mode. */
export const STANDARD_PORTS = { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 } as const

/** Fills in defaults of a configured printer, and reads its access code and authorities. */
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

/** Two sessions to one printer would displace each other. @throws PRN_ERR_CONFIG */
function checkSerials (entries: readonly PrinterEntry[]): void {
  const known = new Map<string, string>()
  for (const [at, { name, serial }] of entries.entries()) {
    const other = known.get(secretKey(serial))
    if (other !== undefined) {
      throw new BadConfig(`printers[${at}].serial: '${name}' has the serial number of '${other}'. ` +
        'A printer stands once in a configuration: remove one of the two, or correct its number')
    }
    known.set(secretKey(serial), name)
  }
}

/** @throws PRN_ERR_CONFIG */
export async function resolvePrinters (entries: readonly PrinterEntry[], env: Environment, secrets: Secrets):
Promise<PrinterConfig[]> {
  checkSerials(entries)
  return await Promise.all(entries.map((entry, at) => resolvePrinter(entry, `printers[${at}]`, env, secrets)))
}
