import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadsFull } from './errors.js'

const MIB = 1024 ** 2
/** More would take the file system's room for other files, and seconds to list. */
const MOST_FILES = 10_000

/** Room for one file being written to the folder. */
export interface Room {
  /** Counts bytes before they are written. @throws PRN_ERR_UPLOADS_FULL */
  take (bytes: number): void
  /** The file is complete, or was removed. */
  end (): void
}

/** Limits the contents of a folder, including files being written to it. */
export interface Quota {
  /** @param name of the file, which may replace another one */
  reserve (name: string): Promise<Room>
}

const sizeOf = async (path: string): Promise<number> => (await lstat(path).catch(() => undefined))?.size ?? 0

/** Name of a file being written; uploads cannot have such a name, as it would not be counted. */
export const isPartName = (name: string): boolean => /^\.[0-9a-f]{12}\.part$/.test(name)

export interface StoredFile { readonly path: string, readonly size: number, readonly writtenAt: number }

/** The complete files of a folder; none if it does not exist. */
export async function filesIn (folder: string): Promise<StoredFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => !isPartName(name))
  const found = await Promise.all(names.map(async name => {
    const path = join(folder, name)
    const stats = await lstat(path).catch(() => undefined)
    return stats?.isFile() ? [{ path, size: stats.size, writtenAt: stats.mtimeMs }] : []
  }))
  return found.flat()
}

export const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** @param full the error when there is no room */
export function createQuota (folder: () => Promise<string>, mostBytes: number,
  full: (path: string) => Error = path => new UploadsFull(mostBytes / MIB, path), mostFiles = MOST_FILES): Quota {
  /** Bytes of existing files, counted again for each new file and after it. */
  let stored = 0
  /** Bytes of files being written. */
  let pending = 0

  return {
    async reserve (name) {
      const path = await folder()
      const replaced = await sizeOf(join(path, name))
      const files = await filesIn(path)
      if (files.length >= mostFiles && !files.some(file => file.path === join(path, name))) throw full(path)
      stored = bytesOf(files)
      let taken = 0
      return {
        take (bytes) {
          if (stored - replaced + pending + bytes > mostBytes) throw full(path)
          taken += bytes
          pending += bytes
        },
        end () {
          pending -= taken
          stored += taken
          taken = 0
        }
      }
    }
  }
}
