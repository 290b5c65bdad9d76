import { isIPv4 } from 'node:net'
import { resolveModel } from '../../core/index.js'

/** An announced printer. */
export interface Discovered {
  readonly name: string
  readonly ip: string
  readonly serial: string
  /** Model code as announced. */
  readonly model: string
  readonly model_decoded: string
  readonly bind_state: string
  readonly connect_state: string
  readonly firmware_version: string
  /** Other addresses at which something says that it is this printer; left out: none. */
  readonly other_ips?: string[]
}

export type Announcement =
  | { readonly kind: 'here', readonly printer: Discovered }
  | { readonly kind: 'gone', readonly serial: string, readonly ip: string }

const DEVICE = 'bambulab-com:device:3dprinter'
const LONGEST_VALUE = 256

function headersOf (text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim().slice(0, LONGEST_VALUE))
  }
  return headers
}

/** An IPv4 address, or the host of a URL. */
function addressIn (location: string): string | undefined {
  if (isIPv4(location)) return location
  try {
    const { hostname } = new URL(location)
    return isIPv4(hostname) ? hostname : undefined
  } catch {
    return undefined
  }
}

/** Prefixes shared by several models, which the announced code distinguishes. */
const SHARED_PREFIXES = new Set(['093', '094'])

function modelOf (serial: string, code: string): string {
  const byCode = resolveModel('', undefined, [code]).model
  if (SHARED_PREFIXES.has(serial.slice(0, 3)) && byCode !== 'UNKNOWN') return byCode
  return resolveModel(serial, undefined, [code]).model
}

/** Adds the model, by serial number and announced code. */
export const withModel = (said: Omit<Discovered, 'model_decoded'>): Discovered =>
  ({ ...said, model_decoded: modelOf(said.serial, said.model) })

/**
 * Parses a datagram: a printer's announcement, or its answer to a search.
 * @param sender source address, used if the datagram contains none
 * @returns undefined for anything else on that port
 */
export function readAnnouncement (datagram: Uint8Array, sender: string): Announcement | undefined {
  const text = Buffer.from(datagram).toString('utf8')
  if (!/^(NOTIFY \* HTTP|HTTP\/1\.1 200)/i.test(text)) return undefined
  const headers = headersOf(text)
  const of = (name: string) => headers.get(name) ?? ''
  const serial = of('usn')
  if (serial === '' || !`${of('nt')}${of('st')}`.toLowerCase().includes(DEVICE)) return undefined
  const ip = addressIn(of('location')) ?? sender
  if (of('nts').toLowerCase() === 'ssdp:byebye') return { kind: 'gone', serial, ip }
  return {
    kind: 'here',
    printer: withModel({
      name: of('devname.bambu.com'),
      ip,
      serial,
      model: of('devmodel.bambu.com'),
      bind_state: of('devbind.bambu.com'),
      connect_state: of('devconnect.bambu.com'),
      firmware_version: of('devversion.bambu.com')
    })
  }
}

/** The search that makes printers announce themselves at once. */
export const SEARCH = Buffer.from([
  'M-SEARCH * HTTP/1.1',
  'HOST: 239.255.255.250:2021',
  'MAN: "ssdp:discover"',
  'MX: 3',
  'ST: urn:bambulab-com:device:3dprinter:1',
  '', ''
].join('\r\n'))
