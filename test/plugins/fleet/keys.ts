import { generateKeyPairSync } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signingKeyOf, type SigningKey } from '../../../plugins/fleet/signed-message.js'

export const newKey = (): SigningKey => signingKeyOf(generateKeyPairSync('ed25519').privateKey)

/** Of every hub of a test, as if one had been given the key file of the other. */
export const HUB_KEY = newKey()

/** What a service that starts with this data folder signs with. */
export async function giveKey (dataDir: string, { privateKey }: SigningKey): Promise<void> {
  const folder = join(dataDir, 'plugins', 'fleet')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
}
