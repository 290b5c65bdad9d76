import { Type, type Static } from 'typebox'
import type { ClientSetup } from './client-setup.js'
import type { Options } from './options.js'
import { machineAddresses } from './own-address.js'
import type { Places } from './places.js'
import type { PrinterSetup } from './printer-setup.js'
import type { Relayed } from './relayed-printer.js'
import { PlaceSettings, type StoredPrinter } from './stored-access.js'

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Ports = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })
const Origin = Type.Enum(['file', 'stored'], { description: '`file`: from the configuration file, and only changed there' })

const Enter = {
  printer: Type.String({ description: 'Name of the printer or group in this service' }),
  addresses: Type.Array(Type.String(), { description: 'Where slicers reach it: one of these' }),
  serial: orNull(Type.String(), 'Serial number for slicers; null while the printer has no session here'),
  model: orNull(Type.String(), 'Such as `X1C`'),
  shown_name: orNull(Type.String(), 'Name that slicers show')
}

/** What a person types into a slicer, beside the code. */
export const SlicerEntry = Type.Object({ ...Enter, port: Type.Integer({ description: 'Of MQTT; slicers know 8883 only' }) })

const Place = Type.Object({
  ...Enter,
  is_group: Type.Boolean({ description: 'A group of printers that accepts prints for the queue' }),
  origin: Origin,
  bind: Type.String({ description: 'Address it listens on' }),
  settings: orNull(Type.Object(PlaceSettings), 'As it was set up; null if it is in the configuration file'),
  wanted_ports: Ports('Ports that it opens, by protocol'),
  ports: Ports('Open ports, by protocol'),
  problem: Type.String({ description: 'Why it is not available; empty while it is, and without clients' }),
  warnings: Type.Array(Type.String(), { description: 'What does not work while it is available' })
})

const ClientView = Type.Object({
  name: Type.String(),
  access: Type.Enum(['read', 'full']),
  printers: orNull(Type.Array(Type.String()), 'Null for all'),
  origin: Origin,
  connections: Type.Array(Type.Object({ printer: Type.String(), protocol: Type.String() }))
})

/** Without codes. */
export const SetupView = Type.Object({
  is_open: Type.Boolean({ description: 'Ports are open while there is a client' }),
  bind: Type.String({ description: 'Usual address to listen on' }),
  machine: Type.Array(Type.String(), { description: 'Addresses of this machine' }),
  places: Type.Array(Place),
  clients: Type.Array(ClientView)
}, { 'x-name': 'RelaySetup' })
export type SetupView = Static<typeof SetupView>

export interface ViewDeps {
  readonly options: Pick<Options, 'bind'>
  readonly places: Places
  readonly clients: ClientSetup
  readonly printers: PrinterSetup
}

const EVERY = new Set(['0.0.0.0', '::'])

const entryOf = ({ printer, identity, address, bind }: Relayed, machine: readonly string[]) => ({
  printer,
  addresses: address !== undefined ? [address] : EVERY.has(bind) ? [...machine] : [bind],
  serial: identity?.serial ?? null,
  model: identity?.model ?? null,
  shown_name: identity?.name ?? null
})

const settingsOf = ({ printer: _printer, ...settings }: StoredPrinter) => settings

/** What a client types into a slicer for each printer and group that it may use. */
export function entriesFor (allowed: readonly string[] | null, places: Places): Static<typeof SlicerEntry>[] {
  const machine = machineAddresses()
  return places.all.filter(({ printer }) => allowed?.includes(printer) ?? true)
    .map(place => ({ ...entryOf(place, machine), port: place.wantedPorts.mqtt ?? 0 }))
}

export function viewOf ({ options, places, clients, printers }: ViewDeps): SetupView {
  const machine = machineAddresses()
  const connections = places.all.flatMap(place => place.connections.map(({ client, protocol }) =>
    ({ client: client.name, printer: place.printer, protocol })))
  const client = (origin: 'file' | 'stored') => ({ name, access, printers: allowed }: {
    readonly name: string, readonly access: 'read' | 'full', readonly printers?: readonly string[] | null | undefined
  }) => ({
    name,
    access,
    printers: allowed ? [...allowed] : null,
    origin,
    connections: connections.filter(one => one.client === name).map(({ printer, protocol }) => ({ printer, protocol }))
  })
  return {
    is_open: places.isOpen,
    bind: options.bind,
    machine,
    places: places.all.map(place => {
      const stored = printers.find(place.printer)
      return {
        ...entryOf(place, machine),
        is_group: place.isGroup,
        origin: stored === undefined ? 'file' as const : 'stored' as const,
        bind: place.bind,
        settings: stored === undefined ? null : settingsOf(stored),
        wanted_ports: { ...place.wantedPorts },
        ports: { ...place.ports },
        problem: place.problem,
        warnings: [...place.warnings]
      }
    }),
    clients: [...clients.fixed.map(client('file')), ...clients.stored.map(client('stored'))]
  }
}
