import { open } from 'node:fs/promises'
import { BadInput, type PrinterSession } from '../../core/index.js'
import { createBlockCache } from './block-cache.js'
import type { CardEntry, CardFile } from './types.js'

/** @returns the number of bytes available from `start`, at most `length` */
function lengthWithin (size: number, start: number, length: number): number {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length) || start < 0 || length < 0) {
    throw new BadInput('The range to read must have a start and a length')
  }
  return Math.max(0, Math.min(length, size - start))
}

/** A file that stays on the card: parts are read on demand. */
export function remoteFile (session: PrinterSession, entry: CardEntry, signal: AbortSignal | undefined): CardFile {
  const blocks = createBlockCache(entry.size, (start, length) =>
    session.card.read(entry.path, start, length, signal ? { signal } : {}))
  return {
    entry,
    async read (start, wanted) {
      const length = lengthWithin(entry.size, start, wanted)
      return length === 0 ? Buffer.alloc(0) : await blocks.read(start, length)
    },
    close: async () => blocks.clear()
  }
}

/** The same for a local copy. */
export async function localFile (path: string, entry: CardEntry): Promise<CardFile> {
  const file = await open(path, 'r')
  return {
    entry,
    localPath: path,
    async read (start, wanted) {
      const length = lengthWithin(entry.size, start, wanted)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    },
    close: async () => await file.close()
  }
}
