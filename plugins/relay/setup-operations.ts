import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import {
  ClientExists, ClientFixed, ClientsFull, NoClient, NotOpened, NotRelayed, PlaceTaken, RelayFixed
} from './errors.js'
import { SetupView, SlicerEntry } from './setup-view.js'
import { Access, AllowedPrinters, ClientName, PlaceSettings, PrinterName } from './stored-access.js'

const Done = Type.Object({ name: Type.String() })
const WithCode = Type.Object({
  name: Type.String(),
  code: Type.String({ description: 'Shown only this once' }),
  enter: Type.Array(SlicerEntry, { description: 'What to type into the slicer, beside the code, for each printer' })
})
/** A change states what it changes: a default would change the rest. */
const Named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 32, description: 'Name of the client' }) })
const note = ({ name }: { name: string }) => name
const noteOfPrinter = ({ printer }: { printer: string }) => printer

/** Addresses and serial numbers are shown to those who may change them. */
export const readSetup = operation({
  name: 'relay.readSetup',
  summary: 'Relayed printers and groups, and the clients that may connect, without their codes',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: SetupView,
  run: ({ services: { relay } }) => relay.view()
})

export const addClient = operation({
  name: 'relay.addClient',
  summary: 'Let a slicer or program connect to relayed printers; its access code is shown only once',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Whoever has the code can see these printers and their cameras, and with full access print and control them.',
  note: ({ name, access, printers }) => `${name}: ${access}, ${printers?.join(', ') ?? 'all printers'}`,
  input: Type.Object({ name: ClientName, access: Access, printers: AllowedPrinters }),
  output: WithCode,
  errors: [ClientExists, ClientsFull],
  async preview ({ services: { relay } }, { name, ...rights }) {
    relay.clients.checkNew(name, rights)
    return { checked: ['name and printers of the client'] }
  },
  async run ({ services: { relay } }, { name, ...rights }) {
    const code = await relay.clients.add(name, rights)
    return { name, code, enter: relay.entriesFor(rights.printers) }
  }
})

export const changeClient = operation({
  name: 'relay.changeClient',
  summary: 'Change what a client of the relay may do, or which printers it may use',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Its open connections, and file transfers, end at once; it connects again with what it may do from now on.',
  note: ({ name, access, printers }) =>
    [name, access, printers === null ? 'all printers' : printers?.join(', ')].filter(Boolean).join(', '),
  input: Type.Object({
    ...Named.properties, access: Type.Optional(Access), printers: Type.Optional(AllowedPrinters)
  }),
  output: Done,
  errors: [NoClient, ClientFixed],
  async preview ({ services: { relay } }, { name, ...change }) {
    relay.clients.changed(name, change)
    return { checked: ['the client, and its printers'] }
  },
  async run ({ services: { relay } }, { name, ...change }) {
    await relay.clients.change(name, change)
    return { name }
  }
})

export const renewCode = operation({
  name: 'relay.renewCode',
  summary: 'Give a client of the relay a new access code, which is shown only once',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The old code opens nothing any more, and its open connections end at once.',
  note,
  input: Named,
  output: WithCode,
  errors: [NoClient, ClientFixed],
  async preview ({ services: { relay } }, { name }) {
    relay.clients.known(name)
    return { checked: ['the client'] }
  },
  async run ({ services: { relay } }, { name }) {
    const code = await relay.clients.renew(name)
    return { name, code, enter: relay.entriesFor(relay.clients.known(name).printers) }
  }
})

export const removeClient = operation({
  name: 'relay.removeClient',
  summary: 'Remove a client of the relay',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Its code opens nothing any more, and its open connections end at once. A print that it has started goes on.',
  note,
  input: Named,
  output: Done,
  errors: [NoClient, ClientFixed],
  async preview ({ services: { relay } }, { name }) {
    relay.clients.known(name)
    return { checked: ['the client'] }
  },
  async run ({ services: { relay } }, { name }) {
    await relay.clients.remove(name)
    return { name }
  }
})

export const setPrinter = operation({
  name: 'relay.setPrinter',
  summary: 'Relay a printer to slicers and programs, or change where it is relayed',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The service listens there in place of the printer, for clients with a code. A change of the place ends their connections.',
  note: noteOfPrinter,
  input: Type.Object({ printer: PrinterName, ...PlaceSettings }),
  output: Done,
  errors: [RelayFixed, PlaceTaken, NotOpened],
  async preview ({ services: { relay } }, wanted) {
    relay.printers.check(wanted)
    return { checked: ['address and ports, as far as this service has them'] }
  },
  async run ({ services: { relay } }, wanted) {
    await relay.printers.set(wanted)
    return { name: wanted.printer }
  }
})

export const removePrinter = operation({
  name: 'relay.removePrinter',
  summary: 'Relay a printer no longer',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Slicers and programs do not reach the printer here any more, and their connections to it end at once.',
  note: noteOfPrinter,
  input: Type.Object({ printer: PrinterName }),
  output: Done,
  errors: [NotRelayed, RelayFixed],
  async preview ({ services: { relay } }, { printer }) {
    relay.printers.checkKnown(printer)
    return { checked: ['the printer'] }
  },
  async run ({ services: { relay } }, { printer }) {
    await relay.printers.remove(printer)
    return { name: printer }
  }
})
