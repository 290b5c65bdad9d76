import type { CardEntry } from '../files/index.js'
import type { ProjectStore } from './project-store.js'
import { isSame, type CachedProject } from './cached-project.js'

const PLATE_BYTES = 16 * 1024
const BOX_BYTES = 512

const bytesOf = ({ plates, images }: CachedProject): number =>
  [...plates.values()].reduce((sum, { boxes }) => sum + PLATE_BYTES + boxes.length * BOX_BYTES, PLATE_BYTES) +
  [...images.values()].reduce((sum, image) => sum + (image?.length ?? 0), 0)

/** How many parts of a project are known; the number only grows. */
const extentOf = (item: CachedProject | undefined): number =>
  item === undefined ? -1 : item.plates.size + item.images.size

/** Projects that were read. The most recently used are in memory; with a store all of them survive a restart. */
export interface ProjectCache {
  /** The cached project of a file, if the file is unchanged. */
  find (key: string, entry: CardEntry): Promise<CachedProject | undefined>
  put (key: string, item: CachedProject): Promise<void>
  /** Removes the project of a file that has changed. */
  forget (key: string): Promise<void>
}

/** @param mostBytes in memory */
export function createProjectCache (mostBytes: number, store?: ProjectStore): ProjectCache {
  const items = new Map<string, CachedProject>()
  /** Number of parts of each project in the store. */
  const stored = new WeakMap<CachedProject, number>()

  function remember (key: string, item: CachedProject): void {
    items.delete(key)
    items.set(key, item)
    let bytes = [...items.values()].reduce((sum, item) => sum + bytesOf(item), 0)
    for (const [key, item] of items) {
      if (bytes <= mostBytes) return
      bytes -= bytesOf(item)
      items.delete(key)
    }
  }

  return {
    async find (key, entry) {
      const item = items.get(key)
      if (item && isSame(item.source.entry, entry)) {
        remember(key, item)
        return item
      }
      items.delete(key)
      const loaded = await store?.load(key, entry)
      if (loaded) stored.set(loaded, extentOf(loaded))
      return loaded
    },
    async put (key, item) {
      remember(key, item)
      const extent = extentOf(item)
      if (store === undefined || extent <= (stored.get(item) ?? -1)) return
      stored.set(item, extent)
      await store.save(key, item)
    },
    async forget (key) {
      items.delete(key)
      await store?.forget(key)
    }
  }
}
