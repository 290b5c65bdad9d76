import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, rmdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { CardStore, Named, Stat } from '../../printer-servers/index.js'

const SLICE_BYTES = 256 * 1024

/** A card in a folder of the host. Links in it are ignored. */
export function createFolderStore (root: string): CardStore {
  const at = (path: string): string => join(root, path)

  async function stat (path: string): Promise<Stat | undefined> {
    const found = await lstat(at(path)).catch(() => undefined)
    if (found === undefined || !(found.isFile() || found.isDirectory())) return undefined
    return { isFolder: found.isDirectory(), size: found.isFile() ? found.size : 0, modifiedAt: found.mtimeMs }
  }

  async function list (path: string): Promise<readonly Named[]> {
    const names = await readdir(at(path))
    const found = await Promise.all(names.map(async name => ({ name, is: await stat(join(path, name)) })))
    return found.flatMap(({ name, is }) => is === undefined ? [] : [{ name, ...is }])
  }

  async function used (path = '/'): Promise<number> {
    const sizes = (await list(path)).map(({ name, isFolder, size }) => isFolder ? used(join(path, name)) : size)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }

  return {
    stat,
    list,
    used,
    read: (path, start) => createReadStream(at(path), { start, highWaterMark: SLICE_BYTES }) as AsyncIterable<Buffer>,
    async write (path) {
      const file = await open(at(path), 'w')
      return { write: async chunk => { await file.writeFile(chunk) }, end: () => file.close() }
    },
    touch: async (path, modifiedAt) => await utimes(at(path), modifiedAt / 1000, modifiedAt / 1000),
    remove: async path => await rm(at(path)),
    makeFolder: async path => { await mkdir(at(path)) },
    removeFolder: async path => await rmdir(at(path)),
    rename: async (from, to) => await rename(at(from), at(to))
  }
}
