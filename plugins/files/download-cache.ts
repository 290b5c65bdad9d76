import { createHash } from 'node:crypto'
import { createDiskLru, SdCardError } from '../../core/index.js'
import type { CardEntry } from './types.js'

/** Local copies of card files; the least recently used are removed when they exceed the size limit. */
export interface DownloadCache {
  /**
   * The copy of exactly this file, created with `fill` if there is none. Concurrent callers share it.
   * @throws SdCardError `too_much` for one that is larger than the limit, since files of jobs are fetched unasked
   */
  take (serial: string, entry: CardEntry, fill: (path: string) => Promise<void>): Promise<string>
  /** Removes unfinished copies; for startup. */
  sweep (): Promise<void>
}

const MIB = 1024 ** 2

/** A replaced file has another size or time, and therefore another key. */
const keyOf = (serial: string, { path, size, modifiedAt, changedAt }: CardEntry): string =>
  createHash('sha256').update(JSON.stringify([serial, path, size, modifiedAt, changedAt])).digest('hex').slice(0, 32)

/** @param mostBytes limit of all copies together */
export function createDownloadCache (folder: string, mostBytes: number): DownloadCache {
  const copies = createDiskLru({ folder: async () => folder, maxBytes: mostBytes })
  const filling = new Map<string, Promise<string>>()

  const make = async (key: string, bytes: number, fill: (path: string) => Promise<void>): Promise<string> =>
    await copies.use(key) ?? await copies.add(key, bytes, fill)

  return {
    async take (serial, entry, fill) {
      if (entry.size > mostBytes) {
        throw new SdCardError('too_much', `${entry.path} has ${entry.size} bytes and local copies only ` +
          `${Math.floor(mostBytes / MIB)} MiB: raise plugins.files.cacheMiB`)
      }
      const key = keyOf(serial, entry)
      const current = filling.get(key) ?? make(key, entry.size, fill).finally(() => filling.delete(key))
      filling.set(key, current)
      return await current
    },
    sweep: copies.sweep
  }
}
