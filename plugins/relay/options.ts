import { isIPv4 } from 'node:net'
import { Type, type Static } from 'typebox'
import { BadConfig, readSecret, SecretReference, type PrinterSession } from '../../core/index.js'

const Port = (usual: number) => Type.Integer({ minimum: 1, maximum: 65_535, default: usual })
const Address = (description: string) => Type.String({ minLength: 1, description })

const Place = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Name shown to clients' })),
  bind: Type.Optional(Address('Separate address to listen on; required for several printers with the standard ports')),
  address: Type.Optional(Address('Address to announce, if clients reach it at another address than `bind`'))
}

/** Ports of the detect service. */
const Detect = { detect: Type.Optional(Port(3000)), detectTls: Type.Optional(Port(3002)) }

export const Options = Type.Object({
  bind: Type.String({ minLength: 1, default: '0.0.0.0', description: 'Address of this machine to listen on' }),
  announce: Type.Boolean({ default: true, description: 'Announce the relayed printers, so that slicers find them' }),
  detect: Type.Boolean({
    default: true, description: 'Answer slicers that ask which printer is at an address that somebody typed'
  }),
  announceTo: Type.Optional(Type.Object({
    to: Type.Optional(Type.String({ minLength: 1 })), port: Type.Optional(Port(2021))
  }, { additionalProperties: false, description: 'Announce only to this address and port' })),
  connectionsPerClient: Type.Integer({
    minimum: 1, maximum: 200, default: 8, description: 'Limit per client, printer and protocol'
  }),
  printers: Type.Array(Type.Object({
    printer: Type.String({ minLength: 1, description: 'Its name in this service' }),
    ...Place,
    ports: Type.Optional(Type.Object({
      mqtt: Type.Optional(Port(8883)),
      ftps: Type.Optional(Port(990)),
      camera: Type.Optional(Port(6000)),
      rtsps: Type.Optional(Port(322)),
      ...Detect
    }, { additionalProperties: false }))
  }, { additionalProperties: false }), { default: [], description: 'Printers to relay, beside those that were opened on the page' }),
  groups: Type.Array(Type.Object({
    group: Type.String({ minLength: 1, maxLength: 64, description: 'Its name in this service' }),
    model: Type.String({ minLength: 1, maxLength: 32, description: 'Model that it presents, such as `X1C`' }),
    printers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 300, description: 'Printers, or groups of the queue, that may print its jobs. Default: any'
    })),
    ...Place,
    ports: Type.Optional(Type.Object({
      mqtt: Type.Optional(Port(8883)), ftps: Type.Optional(Port(990)), ...Detect
    }, { additionalProperties: false }))
  }, { additionalProperties: false }), { default: [], description: 'Groups of printers that accept prints for the queue' }),
  clients: Type.Array(Type.Object({
    name: Type.String({ pattern: '^[^\\u0000-\\u001f()]{1,32}$', description: 'Name of the client in logs and history' }),
    code: SecretReference,
    access: Type.Enum(['read', 'full'], { default: 'read', description: '`read` only monitors, `full` prints and controls' }),
    printers: Type.Optional(Type.Array(Type.String(), { description: 'Limits the client to these printers' }))
  }, { additionalProperties: false }), { default: [], description: 'Clients that may connect, each with its own access code, beside those of the page' })
})
export type Options = Static<typeof Options>
export type PrinterOptions = Options['printers'][number]
type CameraKind = PrinterSession['model']['camera']

/** What a client may do. */
export interface ClientSettings {
  readonly name: string
  readonly code: string
  readonly access: 'read' | 'full'
  /** Undefined for all relayed printers. */
  readonly printers: readonly string[] | undefined
}

/** A client, identified by its access code. */
export interface Client extends ClientSettings {
  /** Aborted when the client is removed or replaced by its changed self, and when the service ends. */
  readonly signal: AbortSignal
}

export const STANDARD = { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322, detect: 3000, detectTls: 3002 } as const

/** The ports that the servers of a printer or group listen on, by protocol. @param camera of the printer's model */
export function wantedPorts (own: PrinterOptions['ports'] = {}, camera?: CameraKind):
Readonly<Record<string, number>> {
  const { mqtt, ftps, ...cameras } = { ...STANDARD, ...own }
  return {
    mqtt, ftps, ...(camera === 'tcp_tls' && { camera: cameras.camera }), ...(camera === 'rtsps' && { rtsps: cameras.rtsps })
  }
}

const WHERE = 'plugins.relay'
/** Slicers require eight. */
const SHORTEST_CODE = 8
/** The camera protocol has room for this many. */
const LONGEST_CODE = 32

/** @throws PRN_ERR_CONFIG */
export async function readClients ({ clients }: Pick<Options, 'clients'>): Promise<ClientSettings[]> {
  const read: ClientSettings[] = []
  for (const [at, { name, code: reference, access, printers }] of clients.entries()) {
    const where = `${WHERE}.clients[${at}]`
    const code = await readSecret(reference, `${where}.code`)
    if (!/^[\x21-\x7e]+$/.test(code) || code.length < SHORTEST_CODE || code.length > LONGEST_CODE) {
      throw new BadConfig(`${where}.code must have ${SHORTEST_CODE} to ${LONGEST_CODE} plain characters without spaces`)
    }
    if (read.some(other => other.code === code)) throw new BadConfig(`${where}.code is that of another client`)
    if (read.some(other => other.name === name)) throw new BadConfig(`${where}.name is that of another client`)
    read.push({ name, code, access, printers })
  }
  return read
}

/** @throws PRN_ERR_CONFIG for printers or groups with the same name, or the same address and port */
export function checkPlaces ({ bind, printers, groups }: Options): void {
  const taken = new Set<string>()
  const names = new Set<string>()
  const places = [
    ...printers.map((one, at) => ({ ...one, where: `${WHERE}.printers[${at}]` })),
    ...groups.map((one, at) => ({ ...one, printer: one.group, where: `${WHERE}.groups[${at}]` }))
  ]
  for (const { printer, bind: own = bind, ports, where } of places) {
    if (names.has(printer)) throw new BadConfig(`${where}: '${printer}' is named twice`)
    names.add(printer)
    for (const port of [ports?.mqtt ?? STANDARD.mqtt, ports?.ftps ?? STANDARD.ftps]) {
      const place = `${own} port ${port}`
      if (taken.has(place)) throw new BadConfig(`${where}: ${place} is taken; give it a \`bind\` or \`ports\` of its own`)
      taken.add(place)
    }
  }
}

/** The address to announce to slicers; undefined if there is no suitable one. */
export const announcedAddress = ({ bind, address }: Pick<PrinterOptions, 'bind' | 'address'>, usual: string): string | undefined => {
  const announced = address ?? bind ?? usual
  return isIPv4(announced) && announced !== '0.0.0.0' ? announced : undefined
}
