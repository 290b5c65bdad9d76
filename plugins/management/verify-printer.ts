import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import {
  BadInput, nameProblem, openPrinterConfigStore, STANDARD_PORTS, type Kernel, type PrinterConfig, type Progress
} from '../../core/index.js'
import { NotAdmitted } from './errors.js'
import { failureField, type FailureField } from './failure-field.js'
import { isRefusal, probe, type Contact } from './probe.js'

/** The data of a printer to configure. */
export interface Candidate {
  readonly name: string
  /** Address or host name. */
  readonly host: string
  readonly serial: string
  readonly accessCode: string
  /** MQTT port, if not the standard one. */
  readonly mqttPort?: number | undefined
  /** Other ports, if not the standard ones. */
  readonly ports?: Partial<Record<'ftps' | 'camera' | 'rtsps', number>>
  /** Use the configured code, from whatever source. */
  readonly keepsCode?: boolean
}

export interface VerifyOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Time limit for the login and the first report, ms. */
  readonly withinMs?: number
  /** Store nothing if the printer cannot be reached, either. */
  readonly onlyReachable?: boolean | undefined
}

const HOST = /^[\w.:%[\]-]{1,253}$/
const SERIAL = /^[A-Z0-9]{1,32}$/
const CODE = /^[\x21-\x7E]{1,64}$/

interface Format {
  readonly what: string
  readonly field: FailureField
  readonly pattern: RegExp
  readonly expected: string
}

const FORMATS = {
  host: { what: 'ip', field: 'host', pattern: HOST, expected: 'an address or a host name' },
  serial: { what: 'serial', field: 'serial', pattern: SERIAL, expected: 'letters and digits only' },
  accessCode: { what: 'access_code', field: 'access_code', pattern: CODE, expected: 'up to 64 characters without spaces' }
} satisfies Record<string, Format>

function fitting (text: string, { what, field, pattern, expected }: Format): string {
  if (text === '') throw new BadInput(`${what} is required`).with(failureField('missing', field))
  if (!pattern.test(text)) throw new BadInput(`${what} must be ${expected}`).with(failureField('malformed', field))
  return text
}

/** @returns it without spaces around it @throws PRN_ERR_BAD_INPUT */
export const checkedHost = (host: string): string => fitting(host.trim(), FORMATS.host)

/** @throws PRN_ERR_BAD_INPUT */
export function checkName (name: string): void {
  const problem = nameProblem(name)
  if (problem === undefined) return
  throw new BadInput(`The printer's name ${problem}`).with(failureField(name.trim() === '' ? 'missing' : 'malformed', 'name'))
}

/** @throws PRN_ERR_BAD_INPUT for a name that a configured printer has, regardless of case */
export function checkNew ({ printers }: Kernel, name: string): void {
  const other = printers.names.find(known => known.toLowerCase() === name.toLowerCase())
  if (other === undefined) return
  throw new BadInput(`Printer '${name}' is already configured${other === name ? '' : ` as '${other}'`}`)
    .with(failureField('name_taken'))
}

/** A second entry for a printer would open a second session, which many printers cannot handle. */
function checkFree (kernel: Kernel, { name, serial }: Pick<Candidate, 'name' | 'serial'>): void {
  checkName(name)
  for (const other of kernel.printers.names.filter(known => known !== name)) {
    if (other.toLowerCase() === name.toLowerCase()) {
      throw new BadInput(`Printer '${name}' is already configured as '${other}'`).with(failureField('name_taken'))
    }
    if (kernel.printers.config(other)?.serial === serial) {
      throw new BadInput(`The printer with the serial number ${serial} is already configured as '${other}'`)
        .with({ ...failureField('serial_taken'), other })
    }
  }
}

/**
 * Validates the data and merges it into the existing entry of that name.
 * @throws PRN_ERR_BAD_INPUT
 */
export function configFor (kernel: Kernel, candidate: Candidate): PrinterConfig {
  const { name } = candidate
  const before = kernel.printers.config(name)
  const host = checkedHost(candidate.host)
  const serial = fitting(candidate.serial.trim().toUpperCase(), FORMATS.serial)
  const accessCode = fitting(candidate.accessCode.trim(), FORMATS.accessCode)
  checkFree(kernel, { ...candidate, serial })
  return {
    ...(before?.model !== undefined && { model: before.model }),
    name,
    host,
    serial,
    accessCode,
    ports: { ...STANDARD_PORTS, ...before?.ports, ...portsOf(candidate) },
    tls: before?.tls ?? { mode: 'pin' }
  }
}

const portsOf = ({ mqttPort, ports }: Candidate) => ({ ...ports, ...(mqttPort !== undefined && { mqtt: mqttPort }) })

/** A printer may be offline, but a host name that does not exist is a mistake. @throws PRN_ERR_NOT_ADMITTED */
export async function checkHost (name: string, host: string): Promise<void> {
  if (isIP(host) !== 0 || host.includes(':')) return
  await lookup(host).catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOTFOUND' ? `there is no host '${host}'` : `the host name '${host}' cannot be looked up`
    throw new NotAdmitted(name, `${problem}: check it, or use the printer's IP address`).with(failureField('unknown_host'))
  })
}

/**
 * Tests a printer and stores it, unless something else answers at its address or it rejects the code. An unreachable
 * printer is stored anyway.
 * @returns the outcome of the first connection
 * @throws PRN_ERR_NOT_ADMITTED if nothing was stored, PRN_ERR_CONFIG, errors of writing, the signal's reason
 */
export async function verifyPrinter (kernel: Kernel, config: PrinterConfig, candidate: Candidate,
  way: VerifyOptions): Promise<Contact> {
  const { name, host, serial, accessCode, ports, tls } = config
  const { signal, progress, withinMs, onlyReachable = false } = way
  await checkHost(name, host)
  progress(1, 3, `Connecting to ${host}:${ports.mqtt}`)
  const contact = await probe(config, kernel, {
    signal,
    withinMs,
    onLogin: () => progress(2, 3, 'Signed in; waiting for the first report')
  })
  if (!contact.good && (onlyReachable || isRefusal(contact))) {
    throw new NotAdmitted(name, contact.message).with(failureField(contact.code))
  }
  checkFree(kernel, { ...candidate, serial })
  const given = portsOf(candidate)
  const book = openPrinterConfigStore(kernel.configFile, kernel.dataDir, message => kernel.logs.root.warn(message))
  kernel.maskSecret(accessCode)
  await book.save(
    { name, host, serial, ...(Object.keys(given).length > 0 && { ports: given }) },
    accessCode, candidate.keepsCode)
  if (contact.good && tls.mode === 'pin' && tls.fingerprint === undefined && contact.fingerprint !== undefined) {
    if (kernel.pins.get(serial) !== contact.fingerprint) kernel.pins.set(serial, contact.fingerprint)
  }
  progress(3, 3, 'Stored')
  return contact
}
