import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadsFull } from './errors.js'

const MIB = 1024 ** 2

/** Room for one file on its way into the folder. */
export interface Room {
  /** Counts bytes before they are written. @throws PRN_ERR_UPLOADS_FULL */
  take (bytes: number): void
  /** The file has its name, or is gone. */
  end (): void
}

/** Bounds what a folder holds, files on their way to it included. */
export interface Quota {
  /** @param name of the file, which may replace another one */
  reserve (name: string): Promise<Room>
}

const sizeOf = async (path: string): Promise<number> => (await lstat(path).catch(() => undefined))?.size ?? 0

/** Bytes of the files of a folder; those that are being written have names that begin with a dot. */
async function bytesIn (folder: string): Promise<number> {
  const names = (await readdir(folder)).filter(name => !name.startsWith('.'))
  const sizes = await Promise.all(names.map(name => sizeOf(join(folder, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export function createQuota (folder: () => Promise<string>, mostBytes: number): Quota {
  /** Bytes of files that are there, counted anew for each that comes. */
  let stored = 0
  /** Bytes of files on their way. */
  let pending = 0

  return {
    async reserve (name) {
      const path = await folder()
      const replaced = await sizeOf(join(path, name))
      stored = await bytesIn(path)
      let taken = 0
      return {
        take (bytes) {
          if (stored - replaced + pending + bytes > mostBytes) throw new UploadsFull(mostBytes / MIB, path)
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
