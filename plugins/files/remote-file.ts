import { open } from 'node:fs/promises'
import { BadInput, type PrinterSession } from '../../core/index.js'
import type { CardEntry, CardFile } from './types.js'

/** One round over the network brings at least so much: what is read next often lies close by. */
const WINDOW_BYTES = 64 * 1024
const MOST_WINDOWS = 16

function check (start: number, length: number): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(length) && start >= 0 && length >= 0) return
  throw new BadInput('The part of a file that is read must begin at a byte and have a length')
}

interface Window { readonly start: number, readonly bytes: Buffer }

/** A file that stays on the card: each part is fetched when it is asked for. */
export function remoteFile (session: PrinterSession, entry: CardEntry, signal: AbortSignal | undefined): CardFile {
  const windows: Window[] = []
  const holds = (start: number, length: number) => (window: Window) =>
    start >= window.start && start + length <= window.start + window.bytes.length

  async function fetch (start: number, length: number): Promise<Window> {
    const size = Math.min(Math.max(length, WINDOW_BYTES), entry.size - start)
    const bytes = await session.card.read(entry.path, start, size, signal ? { signal } : {})
    const window = { start, bytes }
    windows.unshift(window)
    windows.splice(MOST_WINDOWS)
    return window
  }

  return {
    entry,
    async read (start, wanted) {
      check(start, wanted)
      const length = Math.min(wanted, entry.size - start)
      if (length <= 0) return Buffer.alloc(0)
      const { bytes, start: from } = windows.find(holds(start, length)) ?? await fetch(start, length)
      return bytes.subarray(start - from, start - from + length)
    },
    close: async () => { windows.length = 0 }
  }
}

/** The same over a local copy. */
export async function localFile (path: string, entry: CardEntry): Promise<CardFile> {
  const file = await open(path, 'r')
  return {
    entry,
    localPath: path,
    async read (start, length) {
      check(start, length)
      const wanted = Math.max(0, Math.min(length, entry.size - start))
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, start)
      return buffer.subarray(0, bytesRead)
    },
    close: async () => await file.close()
  }
}
