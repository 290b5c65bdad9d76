import type { CardEntry } from '../files/index.js'
import type { ProjectStore } from './disk-cache.js'
import { isSame, type CachedProject } from './cached-project.js'

const PLATE_BYTES = 16 * 1024
const BOX_BYTES = 512

const bytesOf = ({ plates, images }: CachedProject): number =>
  [...plates.values()].reduce((sum, { boxes }) => sum + PLATE_BYTES + boxes.length * BOX_BYTES, PLATE_BYTES) +
  [...images.values()].reduce((sum, image) => sum + (image?.length ?? 0), 0)

/** How much is known of a project; it only ever becomes more. */
const extentOf = (item: CachedProject | undefined): number =>
  item === undefined ? -1 : item.plates.size + item.images.size

/** Projects as they were read. Those used last are in memory; with a store all of them outlast the program. */
export interface ProjectCache {
  /** What is known of the file as long as it is the same. */
  find (key: string, entry: CardEntry): Promise<CachedProject | undefined>
  put (key: string, item: CachedProject): Promise<void>
  /** The file at this path is no longer what it was. */
  forget (key: string): Promise<void>
}

/** @param mostBytes in memory */
export function createProjectCache (mostBytes: number, store?: ProjectStore): ProjectCache {
  const items = new Map<string, CachedProject>()
  /** How much of each is in the store. */
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
