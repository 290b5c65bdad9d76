import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Environment, PrinterEntry } from './config.js'
import { BadConfig } from './errors.js'
import { exclusively } from './file-lock.js'
import { openJsonStore, privateFolder, type JsonStore } from './store.js'

const SecretsSchema = Type.Object({
  version: Type.Literal(1),
  accessCodes: Type.Record(Type.String(), Type.String(), { description: 'By serial number' })
})
type Codes = Record<string, string>
export type Secrets = JsonStore<{ version: 1, accessCodes: Codes }>

/** How a printer is called in the secrets file, however its serial number was typed. */
export const secretKey = (serial: string): string => serial.trim().toUpperCase()

const pathOf = async (dataDir: string) => join(await privateFolder(dataDir, 'secrets'), 'printers.json')

/** Opens the access codes: a file of mode 0600 in a folder of mode 0700. */
export async function openSecrets (dataDir: string, warn: (message: string) => void): Promise<Secrets> {
  const path = await pathOf(dataDir)
  const mode = await stat(path).then(info => info.mode & 0o077, () => 0)
  if (mode !== 0 && process.platform !== 'win32') warn(`${path} can be read by others; its mode should be 0600`)
  return await openJsonStore(path, { schema: SecretsSchema, initial: { version: 1, accessCodes: {} }, warn })
}

/** Changes the access codes as they are in the file now; what `change` gives back unchanged is not written. */
export async function editSecrets (dataDir: string, warn: (message: string) => void, change: (codes: Codes) => Codes):
Promise<void> {
  await exclusively(await pathOf(dataDir), async () => {
    const secrets = await openSecrets(dataDir, warn)
    const before = secrets.get().accessCodes
    const accessCodes = change(before)
    if (accessCodes !== before) await secrets.set({ version: 1, accessCodes })
  })
}

/** @throws PRN_ERR_CONFIG naming where the code was expected */
export async function accessCodeOf (entry: PrinterEntry, path: string, env: Environment, secrets: Secrets):
Promise<string> {
  const { accessCode, serial, name } = entry
  if (typeof accessCode === 'string') return accessCode
  if (accessCode === undefined) {
    const stored = secrets.get().accessCodes[secretKey(serial)]
    if (stored !== undefined) return stored
    throw new BadConfig(`${path}.accessCode is missing, and the secrets file has none for '${name}' (${serial})`)
  }
  if ('env' in accessCode) {
    const value = env[accessCode.env]?.trim()
    if (value) return value
    throw new BadConfig(`${path}.accessCode: the environment variable ${accessCode.env} is not set`)
  }
  const text = await readFile(accessCode.file, 'utf8').catch((error: Error) => {
    throw new BadConfig(`${path}.accessCode: ${error.message}`)
  })
  if (text.trim() === '') throw new BadConfig(`${path}.accessCode: ${accessCode.file} is empty`)
  return text.trim()
}
