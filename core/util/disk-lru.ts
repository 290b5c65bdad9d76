import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A cache of files in one folder: when they exceed the size limit, the least recently used are removed. The
 * modification time of a file is the time of its last use, so that the folder alone survives a restart.
 */
export interface DiskLru {
  /** Path of a file, whether or not it exists. */
  pathOf (name: string): Promise<string>
  /** Marks a file as used now. @returns its path; undefined if it does not exist */
  use (name: string): Promise<string | undefined>
  /**
   * Stores a file, replacing one of that name, after making room for it. A failed write leaves nothing behind.
   * @param write fills a new file at the given path
   * @returns the path of the file; @throws what `write` throws
   */
  add (name: string, bytes: number, write: (path: string) => Promise<void>): Promise<string>
  remove (name: string): Promise<void>
  /** Removes unfinished files. Only at startup: files that are being written would be removed too. */
  sweep (): Promise<void>
}

export interface DiskLruOptions {
  readonly folder: () => Promise<string>
  /** Size limit of all files together. */
  readonly maxBytes: number
}

const PRIVATE_FOLDER = 0o700
const PARTIAL = '.part'

export function createDiskLru ({ folder, maxBytes }: DiskLruOptions): DiskLru {
  let swept: Promise<void> | undefined

  const pathOf = async (name: string): Promise<string> => join(await folder(), name)

  async function makeRoom (where: string, bytes: number): Promise<void> {
    const names = (await readdir(where)).filter(name => !name.endsWith(PARTIAL))
    const files = await Promise.all(names.map(async name => {
      const info = await stat(join(where, name)).catch(() => undefined)
      return { name, size: info?.size ?? 0, usedAt: info?.mtimeMs ?? 0 }
    }))
    let total = bytes + files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes) return
      await rm(join(where, name), { force: true })
      total -= size
    }
  }

  async function sweep (): Promise<void> {
    const where = await folder()
    const names = await readdir(where).catch(() => [])
    await Promise.all(names.filter(name => name.endsWith(PARTIAL)).map(name => rm(join(where, name), { force: true })))
  }

  return {
    pathOf,
    async use (name) {
      const path = await pathOf(name)
      const now = new Date()
      return await utimes(path, now, now).then(() => path, () => undefined)
    },
    async add (name, bytes, write) {
      await (swept ??= sweep())
      const where = await folder()
      const path = join(where, name)
      const partial = `${path}.${randomBytes(4).toString('hex')}${PARTIAL}`
      try {
        await mkdir(where, { recursive: true, mode: PRIVATE_FOLDER })
        await makeRoom(where, bytes)
        await write(partial)
        await rename(partial, path)
        return path
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {})
        throw error
      }
    },
    remove: async name => await rm(await pathOf(name), { force: true }),
    async sweep () { await (swept ??= sweep()) }
  }
}
