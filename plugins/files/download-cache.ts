import { createHash } from 'node:crypto'
import { createDiskLru } from '../../core/index.js'
import type { CardEntry } from './types.js'

/** Local copies of card files, the least recently used removed when they become too many bytes. */
export interface DownloadCache {
  /** The copy of exactly this file, made with `fill` when there is none. Callers at the same time share it. */
  take (serial: string, entry: CardEntry, fill: (path: string) => Promise<void>): Promise<string>
  /** Removes unfinished copies; for a fresh start. */
  sweep (): Promise<void>
}

/** A file that was replaced has another size or time, and so another name here. */
const keyOf = (serial: string, { path, size, modifiedAt, changedAt }: CardEntry): string =>
  createHash('sha256').update(JSON.stringify([serial, path, size, modifiedAt, changedAt])).digest('hex').slice(0, 32)

/** @param mostBytes that all copies together may take */
export function createDownloadCache (folder: string, mostBytes: number): DownloadCache {
  const copies = createDiskLru({ folder: async () => folder, maxBytes: mostBytes })
  const filling = new Map<string, Promise<string>>()

  const make = async (key: string, bytes: number, fill: (path: string) => Promise<void>): Promise<string> =>
    await copies.use(key) ?? await copies.add(key, bytes, fill)

  return {
    take (serial, entry, fill) {
      const key = keyOf(serial, entry)
      const current = filling.get(key) ?? make(key, entry.size, fill).finally(() => filling.delete(key))
      filling.set(key, current)
      return current
    },
    sweep: copies.sweep
  }
}
