import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BadConfig, writePrivateFile } from '../../core/index.js'
import { signingKeyOf, type SigningKey } from './signed-message.js'

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077
const hasModes = process.platform !== 'win32'

const pathIn = (folder: string) => join(folder, 'key.pem')

/**
 * Reads the key pair of this service, or creates one if there is none.
 * @throws PRN_ERR_CONFIG for a file that others may read, or that holds no such key; it is never replaced
 */
export async function openSigningKey (folder: string): Promise<SigningKey> {
  const path = pathIn(folder)
  const known = await readSigningKey(folder)
  if (known !== undefined) return known
  const { privateKey } = generateKeyPairSync('ed25519')
  await writePrivateFile(path, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return signingKeyOf(privateKey)
}

/** @returns undefined when there is no key yet */
export async function readSigningKey (folder: string): Promise<SigningKey | undefined> {
  const path = pathIn(folder)
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new BadConfig(`${path}: ${error.message}`)
  })
  if (found === undefined) return undefined
  if (!found.isFile()) throw new BadConfig(`${path} is no regular file. Put the key file of this service there.`)
  if (hasModes && (found.mode & OTHERS) !== 0) {
    throw new BadConfig(`${path} may be read by other users. Run chmod 600 on it, and create a new key if someone else may have read it.`)
  }
  const text = await readFile(path, 'utf8').catch((error: Error) => { throw new BadConfig(`${path}: ${error.message}`) })
  const key = privateKeyIn(text)
  if (key?.asymmetricKeyType === 'ed25519') return signingKeyOf(key)
  throw new BadConfig(`${path} holds no Ed25519 key. Put its backup there, or remove it so that a new key is created.`)
}

function privateKeyIn (text: string) {
  try {
    return createPrivateKey(text)
  } catch { // its message may repeat parts of the file
    return undefined
  }
}
