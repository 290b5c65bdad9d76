import type { CardEntry } from '../files/index.js'
import type { Plate } from './read/project.js'
import type { Source } from './project-document.js'

/** What is kept of one file: its project, and as many plates and pictures as were asked for. */
export interface CachedProject {
  readonly source: Source
  readonly plates: Map<number, Plate>
  readonly images: Map<string, Buffer | undefined>
}

const PLATE_BYTES = 16 * 1024
const BOX_BYTES = 512

const weigh = ({ plates, images }: CachedProject): number =>
  [...plates.values()].reduce((sum, { boxes }) => sum + PLATE_BYTES + boxes.length * BOX_BYTES, PLATE_BYTES) +
  [...images.values()].reduce((sum, image) => sum + (image?.length ?? 0), 0)

/** The file is still what it was when it was read, as far as what is known of it now tells. */
export const isSame = (read: CardEntry, now: CardEntry): boolean => read.size === now.size &&
  read.modifiedAt === now.modifiedAt && (now.changedAt === undefined || read.changedAt === now.changedAt)

/** Projects that were read, those used last, up to a number of bytes. */
export function createMemoryCache (mostBytes: number) {
  const cachedProject = new Map<string, CachedProject>()

  function trim (): void {
    let bytes = [...cachedProject.values()].reduce((sum, item) => sum + weigh(item), 0)
    for (const [key, item] of cachedProject) {
      if (bytes <= mostBytes) return
      bytes -= weigh(item)
      cachedProject.delete(key)
    }
  }

  return {
    /** The file's project as long as the file is the same. */
    find (key: string, entry: CardEntry): CachedProject | undefined {
      const item = cachedProject.get(key)
      cachedProject.delete(key)
      if (!item || !isSame(item.source.entry, entry)) return undefined
      cachedProject.set(key, item)
      return item
    },
    put (key: string, item: CachedProject): void {
      cachedProject.delete(key)
      cachedProject.set(key, item)
      trim()
    },
    forget (key: string): void { cachedProject.delete(key) },
    get bytes () { return [...cachedProject.values()].reduce((sum, item) => sum + weigh(item), 0) }
  }
}
