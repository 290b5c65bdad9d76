import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'

export const MOST_TAGS = 20
/** Removed printers keep their tags, as they may return; this bounds the file. */
const MOST_PRINTERS = 10_000

export const Tag = Type.String({ minLength: 1, maxLength: 40, pattern: '^[^,\\s](?:[^,]*[^,\\s])?$' })
const TagsBySerial = Type.Record(Type.String(), Type.Array(Type.String()))

/** Names of groups of printers. Stored by serial number, so that they survive a rename. */
export interface Tags {
  of (serial: string): readonly string[]
  /** Replaces the previous tags. */
  set (serial: string, tags: readonly string[]): Promise<readonly string[]>
}

const NONE: readonly string[] = Object.freeze([])

export async function openTags (folder: string, warn: (message: string) => void): Promise<Tags> {
  const store = await openJsonStore(join(folder, 'tags.json'), { schema: TagsBySerial, initial: {}, warn })
  return {
    of: serial => store.get()[serial] ?? NONE,
    async set (serial, tags) {
      const { [serial]: _, ...others } = store.get()
      const own = [...new Set(tags)]
      const all = own.length === 0 ? others : { ...others, [serial]: own }
      await store.set(Object.fromEntries(Object.entries(all).slice(-MOST_PRINTERS)))
      return own
    }
  }
}
