import { createHash, randomBytes } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { UnsafeOutputPath, WriteFailed } from '../errors.js'

const OWNER_ONLY = 0o600
const READABLE = /[A-Za-z0-9._-]/
/** Length limit of an encoded name, leaving room for a prefix and an extension. */
const LONGEST = 180

/** Encodes any name for use in a file name: bytes other than letters, digits and `._-` become `%XX`. */
export function toSafeFileName (name: string): string {
  const word = [...Buffer.from(name)].map(byte => {
    const character = String.fromCharCode(byte)
    return READABLE.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
  if (word.length <= LONGEST) return word
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 16)
  return `${word.slice(0, LONGEST)}-${mark}`
}

/** Refuses anything but a regular file of this user with a single hard link. */
async function checkTarget (path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) return
  const foreign = process.getuid !== undefined && found.uid !== process.getuid()
  if (!found.isFile() || foreign || found.nlink > 1) throw new UnsafeOutputPath(path)
}

/**
 * Writes a file that only its owner may read, in a folder that others may write to. The content goes to a new file that
 * is renamed to the path: a symbolic link created there meanwhile is replaced, never followed.
 * @throws PRN_ERR_UNSAFE_OUTPUT_PATH, PRN_ERR_WRITE_FAILED
 */
export async function writePrivateFile (path: string, content: string | Uint8Array): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await checkTarget(path)
    const file = await open(fresh, 'wx', OWNER_ONLY)
    try {
      await file.writeFile(content)
    } finally {
      await file.close()
    }
    await rename(fresh, path)
  } catch (error) {
    if (error instanceof UnsafeOutputPath) throw error
    await rm(fresh, { force: true }).catch(() => {})
    throw new WriteFailed(path, (error as Error).message, { cause: error })
  }
}
