import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, privateFolder } from '../../core/index.js'
import { Prefix } from './options.js'

export const PORT = 1883
export const TLS_PORT = 8883
const LONGEST_PEM = 64_000

/** What the page asks for, except the password. */
export const BrokerSettings = Type.Object({
  host: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,253}$|^[0-9A-Fa-f:]{2,45}$', description: 'Name or address of the broker, without a port'
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: `Usually ${PORT}, with TLS ${TLS_PORT}` }),
  tls: Type.Boolean({ default: false, description: 'Encrypt the connection' }),
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  ca: Type.Optional(Type.String({
    minLength: 1, maxLength: LONGEST_PEM, description: 'Authorities that signed its certificate, PEM. Default: those of the system'
  })),
  discoveryPrefix: Prefix('homeassistant', 'Where Home Assistant looks for devices'),
  topicPrefix: Prefix('prnd', 'Begins every other topic; each service at one broker needs its own'),
  readOnly: Type.Boolean({ default: false, description: 'Announce only what can be read, and take no commands' }),
  imageOnAlert: Type.Boolean({ default: false, description: 'Send a picture when a job begins, pauses or ends, and with an error' }),
  imageSeconds: Type.Integer({ default: 0, minimum: 0, maximum: 86_400, description: 'Send one this often while printing, 60 at least; 0 for never' })
}, { additionalProperties: false })
export type BrokerSettings = Static<typeof BrokerSettings>

const File = Type.Object({ version: Type.Literal(1), broker: Type.Optional(BrokerSettings) })
const Secrets = Type.Object({ version: Type.Literal(1), password: Type.Optional(Type.String()) })

/** The broker that was set up in the browser; its password is with the other secrets of the service. */
export interface StoredBroker {
  settings (): BrokerSettings | undefined
  password (): string | undefined
  save (settings: BrokerSettings, password: string | undefined): Promise<void>
  remove (): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

/** @param folder of the plugin @param dataDir whose `secrets` the password is stored in */
export async function openStoredBroker (folder: string, dataDir: string, warn: (message: string) => void):
Promise<StoredBroker> {
  const file = await openJsonStore(join(folder, 'broker.json'), { schema: File, initial: { version: 1 }, warn })
  const secrets = await openJsonStore(join(await privateFolder(dataDir, 'secrets'), 'homeassistant.json'), {
    schema: Secrets, initial: { version: 1 }, warn
  })
  return {
    settings: () => file.get().broker,
    password: () => secrets.get().password,
    async save (broker, password) {
      // Never the new address with the old password, even after a crash between the writes.
      if (password !== secrets.get().password) await secrets.set({ version: 1 })
      await file.set({ version: 1, broker })
      if (password !== undefined) await secrets.set({ version: 1, password })
    },
    async remove () {
      await secrets.set({ version: 1 })
      await file.set({ version: 1 })
    },
    async settled () { await Promise.all([file.settled(), secrets.settled()]) }
  }
}
