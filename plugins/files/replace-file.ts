import { randomBytes } from 'node:crypto'
import { constants, createWriteStream, type WriteStream } from 'node:fs'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkReplaceable } from '../../core/index.js'
import { HostPathRefused } from './errors.js'

const NOFOLLOW = constants.O_NOFOLLOW ?? 0
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW
const AGAIN = constants.O_WRONLY | constants.O_TRUNC | NOFOLLOW
const MODE = 0o644

/** Fails if the file is not writable, before it is replaced by another one. */
async function checkWritable (path: string): Promise<void> {
  await checkReplaceable(path)
  const file = await open(path, constants.O_WRONLY | NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await file?.close()
}

/**
 * Writes a file under a temporary name, and renames it once it is complete. Links are not followed.
 * @param path with the real path of its folder
 * @param fill writes to the stream it asks for; after a restart, to the last one
 * @throws PRN_ERR_HOST_PATH_REFUSED when the folder has meanwhile become a link
 */
export async function replaceFile (path: string, fill: (sink: () => WriteStream) => Promise<unknown>): Promise<void> {
  const folder = dirname(path)
  const fresh = join(folder, `.${randomBytes(6).toString('hex')}.part`)
  await checkWritable(path)
  await (await open(fresh, NEW, MODE)).close()
  try {
    if (await realpath(folder) !== folder) throw new HostPathRefused(path, folder)
    await fill(() => createWriteStream(fresh, { flags: AGAIN as never }))
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
