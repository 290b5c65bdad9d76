import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, privateFolder, type JsonStore } from '../../core/index.js'

export const MOST_CLIENTS = 64
export const MOST_PRINTERS = 512
/** In any script, and without parentheses, which surround it in logs and in the history. */
export const ClientName = Type.String({
  pattern: '^[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_ .-]{0,30}[\\p{L}\\p{M}\\p{N}_.-])?$',
  description: 'Letters, digits, spaces within, `.`, `-` and `_`; 32 at most'
})
export const Access = Type.Enum(['read', 'full'], { description: '`read` only monitors, `full` prints and controls' })
export const PrinterName = Type.String({ minLength: 1, maxLength: 64, description: 'Its name in this service' })
export const AllowedPrinters = Type.Union([
  Type.Array(PrinterName, { minItems: 1, maxItems: MOST_PRINTERS }), Type.Null()
], { description: 'Names of printers and groups; null for all, also later ones' })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Address = Type.String({ pattern: '^[0-9A-Fa-f.:]{2,45}$' })

/** Where a printer is relayed, where it differs from the usual. */
export const PlaceSettings = {
  bind: Type.Optional(Type.Union([Address, Type.Null()], {
    description: 'Address of this machine to listen on; null: that of the configuration'
  })),
  address: Type.Optional(Type.Union([Address, Type.Null()], {
    description: 'Address at which clients reach it, if that is another one, as with containers'
  })),
  ports: Type.Optional(Type.Object({
    mqtt: Type.Optional(Port), ftps: Type.Optional(Port), camera: Type.Optional(Port), rtsps: Type.Optional(Port)
  }, { additionalProperties: false, description: 'Ports by protocol, where they are not the usual ones' }))
}

const StoredClient = Type.Object({
  name: ClientName, code: Type.String({ minLength: 8, maxLength: 32 }), access: Access, printers: AllowedPrinters
})
export type StoredClient = Static<typeof StoredClient>
const StoredPrinter = Type.Object({ printer: PrinterName, ...PlaceSettings })
export type StoredPrinter = Static<typeof StoredPrinter>

const Clients = Type.Object({
  version: Type.Literal(1), clients: Type.Array(StoredClient, { maxItems: MOST_CLIENTS })
})
const Printers = Type.Object({
  version: Type.Literal(1), printers: Type.Array(StoredPrinter, { maxItems: MOST_PRINTERS })
})

/** What was set up in the browser. Clients are in one file with their codes: neither is ever there alone. */
export interface StoredAccess {
  readonly clients: readonly StoredClient[]
  readonly printers: readonly StoredPrinter[]
  setClients (clients: readonly StoredClient[]): Promise<void>
  setPrinters (printers: readonly StoredPrinter[]): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

/** Stores a value, or else keeps the one before, so that what is shown is what is stored. */
async function replace<T> (store: JsonStore<T>, value: T): Promise<void> {
  const before = store.get()
  await store.set(value).catch(async (error: unknown) => {
    await store.set(before).catch(() => {})
    throw error
  })
}

/** @param folder of the plugin @param dataDir whose `secrets` the codes are stored in */
export async function openStoredAccess (folder: string, dataDir: string, warn: (message: string) => void):
Promise<StoredAccess> {
  const clients = await openJsonStore(join(await privateFolder(dataDir, 'secrets'), 'relay.json'), {
    schema: Clients, initial: { version: 1, clients: [] }, warn
  })
  const printers = await openJsonStore(join(folder, 'printers.json'), {
    schema: Printers, initial: { version: 1, printers: [] }, warn
  })
  return {
    get clients () { return clients.get().clients },
    get printers () { return printers.get().printers },
    setClients: next => replace(clients, { version: 1, clients: [...next] }),
    setPrinters: next => replace(printers, { version: 1, printers: [...next] }),
    async settled () { await Promise.all([clients.settled(), printers.settled()]) }
  }
}
