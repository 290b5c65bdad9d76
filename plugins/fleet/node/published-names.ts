import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'

/** Names of the printers that this node has published to the fleet, in this run or an earlier one. */
export interface PublishedNames {
  add (printer: string): void
  without (printers: readonly string[]): readonly string[]
  replace (printers: readonly string[]): Promise<void>
}

/**
 * A node may write to the bucket of states but not list it, which would reveal the printers of other sites. So it
 * remembers on disk which printers it has to remove.
 */
export async function openPublishedNames (folder: string, warn: (message: string) => void): Promise<PublishedNames> {
  const store = await openJsonStore(join(folder, 'published.json'),
    { schema: Type.Array(Type.String()), initial: [], warn, compact: true })
  const set = async (names: Iterable<string>) => {
    await store.set([...names]).catch((error: Error) => warn(`the list of published printers cannot be written to disk: ${error.message}`))
  }
  return {
    add (printer) {
      if (!store.get().includes(printer)) void set([...store.get(), printer])
    },
    without: printers => store.get().filter(name => !printers.includes(name)),
    replace: printers => set(printers)
  }
}
