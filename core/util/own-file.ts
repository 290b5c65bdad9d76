import { createHash } from 'node:crypto'
import { constants, closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { lstat, open, readlink, rename, type FileHandle } from 'node:fs/promises'
import { NotAFile } from '../errors.js'

/** Not available on Windows. */
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
const NONBLOCK = constants.O_NONBLOCK ?? 0
/** Does not follow a link, and does not block on a pipe without a writer. */
const READ_OWN = constants.O_RDONLY | NOFOLLOW | NONBLOCK
const READ_NAMED = constants.O_RDONLY | NONBLOCK

type Kind = Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>

function kindOf (found: Kind): string {
  if (found.isSymbolicLink()) return 'a link'
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

async function describe (path: string): Promise<string> {
  const found = await lstat(path)
  return found.isSymbolicLink() ? `a link to ${await readlink(path)}` : kindOf(found)
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
/** Errors of opening a link, or a socket, without following it. */
const REFUSED = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EFTYPE'])

async function readWith<T> (path: string, flags: number, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    const info = await file.stat()
    if (!info.isFile()) throw new NotAFile(path, kindOf(info))
    return await read(file)
  } finally {
    await file.close()
  }
}

const whole = (file: FileHandle): Promise<Buffer> => file.readFile()

async function readOwn<T> (path: string, read: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  try {
    return await readWith(path, READ_OWN, read)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (REFUSED.has(codeOf(error) ?? '')) throw new NotAFile(path, await describe(path))
    throw error
  }
}

/**
 * Reads a file of the service: a link in its place is not followed, since its target is not ours.
 * @returns undefined if there is none
 * @throws PRN_ERR_NOT_A_FILE
 */
export const readOwnFile = (path: string): Promise<Buffer | undefined> => readOwn(path, whole)

/** SHA-256 of a file of the service, read piece by piece: a large one may not fit into memory. */
export const hashOwnFile = (path: string): Promise<string | undefined> => readOwn(path, async file => {
  const hash = createHash('sha256')
  for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece)
  return hash.digest('hex')
})

/** The same as text. */
export const readOwnText = async (path: string): Promise<string | undefined> => (await readOwnFile(path))?.toString('utf8')

/** A synchronous version, for callers that must not yield. @throws also if there is none */
export function readOwnTextSync (path: string): string {
  const file = openSync(path, READ_OWN)
  try {
    const info = fstatSync(file)
    if (!info.isFile()) throw new NotAFile(path, kindOf(info))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a file that a user named: a link is followed, but a pipe or a device, which may never end, is refused.
 * @throws PRN_ERR_NOT_A_FILE; errors of opening it
 */
export const readNamedText = async (path: string): Promise<string> => (await readWith(path, READ_NAMED, whole)).toString('utf8')

/** Refuses to replace anything but a regular file. @throws PRN_ERR_NOT_A_FILE */
export async function checkReplaceable (path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found !== undefined && !found.isFile()) throw new NotAFile(path, await describe(path))
}

/** Renames an invalid file, so that it is preserved. @returns the new name */
export async function setAside (path: string): Promise<string> {
  const aside = `${path}.damaged-${Date.now()}`
  await rename(path, aside)
  return aside
}
