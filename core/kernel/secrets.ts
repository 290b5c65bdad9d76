import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { secretKey, type PrinterEntry } from './config.js'
import type { Environment } from '../util/environment.js'
import { BadConfig } from '../errors.js'
import { withFileLock } from '../util/file-lock.js'
import { readSecret } from './secret-reference.js'
import { openJsonStore, privateFolder, type JsonStore } from '../util/json-store.js'

const SecretsSchema = Type.Object({
  version: Type.Literal(1),
  accessCodes: Type.Record(Type.String(), Type.String(), { description: 'By serial number' }),
  configFiles: Type.Optional(Type.Record(Type.String(), Type.String(), {
    description: 'By serial number, the configuration file whose printer a code was stored for'
  }))
})
type Codes = Record<string, string>
export type Secrets = JsonStore<Static<typeof SecretsSchema>>

const pathOf = async (dataDir: string) => join(await privateFolder(dataDir, 'secrets'), 'printers.json')

/** Opens the access codes: a file of mode 0600 in a folder of mode 0700. */
export async function openSecrets (dataDir: string, warn: (message: string) => void): Promise<Secrets> {
  const path = await pathOf(dataDir)
  const mode = await stat(path).then(info => info.mode & 0o077, () => 0)
  if (mode !== 0 && process.platform !== 'win32') warn(`${path} can be read by others; its mode should be 0600`)
  return await openJsonStore(path, { schema: SecretsSchema, initial: { version: 1, accessCodes: {} }, warn })
}

/** A change of the access codes, given those in the file and the configuration files that they belong to. */
type Change = (codes: Codes, configFiles: Codes) => Codes

/**
 * Changes the access codes in the file; it is not written if `change` returns them unchanged.
 * @param configFile of the printers whose codes are stored
 */
export async function editSecrets (dataDir: string, configFile: string, warn: (message: string) => void,
  change: Change): Promise<void> {
  await withFileLock(await pathOf(dataDir), async () => {
    const secrets = await openSecrets(dataDir, warn)
    const { accessCodes: before, configFiles: known = {} } = secrets.get()
    const accessCodes = change(before, known)
    if (accessCodes === before) return
    const configFiles = Object.fromEntries(Object.keys(accessCodes).flatMap(key => {
      const file = accessCodes[key] === before[key] ? known[key] : configFile
      return file === undefined ? [] : [[key, file]]
    }))
    await secrets.set({ version: 1, accessCodes, configFiles })
  })
}

/** @throws PRN_ERR_CONFIG with the place where the code was expected */
export async function accessCodeOf (entry: PrinterEntry, path: string, env: Environment, secrets: Secrets):
Promise<string> {
  const { accessCode, serial, name } = entry
  if (typeof accessCode === 'string') return accessCode
  if (accessCode === undefined) {
    const stored = secrets.get().accessCodes[secretKey(serial)]
    if (stored !== undefined) return stored
    throw new BadConfig(`${path}.accessCode is missing, and the secrets file has none for '${name}' (${serial})`)
  }
  return await readSecret(accessCode, `${path}.accessCode`, env)
}
