import { resolveModel, type PrinterSession } from '../../../core/index.js'
import type { CardEntry, CardFile, FilesService } from '../../../plugins/files/index.js'

/** Files of a card in memory, and how much of them was read. */
export interface TestCard {
  readonly files: FilesService
  readonly content: Map<string, Buffer>
  /** Bytes read so far. */
  readonly bytes: number
  readonly reads: number
  /** Files that were opened and not closed. */
  readonly open: number
}

const MODIFIED_AT = Date.UTC(2026, 0, 1)

export const entryOf = (path: string, size: number): CardEntry =>
  ({ name: path.slice(path.lastIndexOf('/') + 1), path, size, isFolder: false, modifiedAt: MODIFIED_AT })

/** Bytes in a form that gives no more than what is asked for. */
export const fileOf = (path: string, bytes: Buffer): CardFile => ({
  entry: entryOf(path, bytes.length),
  read: async (start, length) => bytes.subarray(start, start + length),
  close: async () => {}
})

export function createTestCard (given: Readonly<Record<string, Buffer>>): TestCard {
  const content = new Map(Object.entries(given))
  const count = { bytes: 0, reads: 0, open: 0 }
  const entries = (): CardEntry[] => [...content].map(([path, bytes]) => entryOf(path, bytes.length))

  async function open (_session: PrinterSession, path: string): Promise<CardFile> {
    const file = fileOf(path, content.get(path) ?? Buffer.alloc(0))
    count.open++
    return {
      entry: file.entry,
      async read (start, length) {
        const found = await file.read(start, length)
        count.reads++
        count.bytes += found.length
        return found
      },
      async close () { count.open-- }
    }
  }
  const files = {
    list: async () => entries(),
    find: async (_session: PrinterSession, path: string) => entries().find(entry => entry.path === path),
    look: async (_session: PrinterSession, path: string) => entries().find(entry => entry.path === path),
    open
  } as unknown as FilesService
  return {
    files,
    content,
    get bytes () { return count.bytes },
    get reads () { return count.reads },
    get open () { return count.open }
  }
}

/** As much of a session as reading a project needs. */
export const sessionOf = (model: string, extruders = 1): PrinterSession => ({
  name: 'test',
  config: { serial: `serial-${model}` },
  model: { ...resolveModel('', model), extruders },
  signal: new AbortController().signal
}) as unknown as PrinterSession
