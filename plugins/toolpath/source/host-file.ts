import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CardFile } from '../../files/index.js'

/** A file of this host, as one of a card is read. */
export async function openHostFile (path: string): Promise<CardFile> {
  const file = await open(path)
  const { size, mtimeMs } = await file.stat()
  return {
    entry: { path, name: basename(path), size, isFolder: false, modifiedAt: Math.trunc(mtimeMs) },
    localPath: path,
    async read (start, wanted) {
      const length = Math.max(0, Math.min(wanted, size - start))
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close()
  }
}
