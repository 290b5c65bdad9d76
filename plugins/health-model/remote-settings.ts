import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { readOwnText, validationError, writeJson } from '../../core/index.js'

/** Without a user and password, which would reach messages. */
export const REMOTE_URL = '^https?://[^@\\s]+$'

const StoredRemote = Type.Object({ url: Type.String({ pattern: REMOTE_URL }), token: Type.Optional(Type.String()) })
export type StoredRemote = Static<typeof StoredRemote>

const FILE = 'remote.json'

/** The server that was chosen on the page; undefined without one, and with a warning for a damaged file. */
export async function readRemote (folder: string, warn: (message: string) => void): Promise<StoredRemote | undefined> {
  const text = await readOwnText(join(folder, FILE))
  if (text === undefined) return undefined
  try {
    const stored = JSON.parse(text) as StoredRemote
    if (validationError(StoredRemote, stored) === undefined) return stored
  } catch {} // the parser's message would repeat parts of the file, such as the token
  warn(`${join(folder, FILE)} is damaged: no server judges pictures until it is chosen again`)
  return undefined
}

/** The file holds the token, so only its owner can read it. @param remote undefined for none */
export async function writeRemote (folder: string, remote: StoredRemote | undefined): Promise<void> {
  if (remote === undefined) return await rm(join(folder, FILE), { force: true })
  await writeJson(join(folder, FILE), remote)
}
