/** Minimum size of a network read: the next read is often close by. */
const BLOCK = 64 * 1024
const MOST_BLOCKS = 24
/** Longer ranges are read directly and not cached, as they are rarely read twice. */
const LONGEST_CACHED = 8 * BLOCK

type Read = (start: number, length: number) => Promise<Buffer>

/** The most recently read blocks of an open file on the card. */
export interface BlockCache {
  /** Bytes `start` to `start + length`, which must be within the file. */
  readonly read: Read
  clear (): void
}

/** @param fetch reads bytes of the file from the card */
export function createBlockCache (size: number, fetch: Read): BlockCache {
  const blocks = new Map<number, Buffer>()

  function store (at: number, block: Buffer): void {
    blocks.set(at, block)
    const [oldest] = blocks.keys()
    if (blocks.size > MOST_BLOCKS && oldest !== undefined) blocks.delete(oldest)
  }

  /** Fetches a run of missing blocks with one transfer. */
  async function fill (first: number, last: number): Promise<Buffer[]> {
    const run = await fetch(first * BLOCK, Math.min((last + 1) * BLOCK, size) - first * BLOCK)
    return Array.from({ length: last - first + 1 }, (_, at) => {
      // Copied, as a view would keep the whole run in memory.
      const block = Buffer.from(run.subarray(at * BLOCK, (at + 1) * BLOCK))
      store(first + at, block)
      return block
    })
  }

  async function blocksOf (first: number, last: number): Promise<Buffer[]> {
    const found: Buffer[] = []
    for (let at = first; at <= last;) {
      const known = blocks.get(at)
      if (known) {
        found.push(known)
        at++
        continue
      }
      let end = at
      while (end < last && !blocks.has(end + 1)) end++
      found.push(...await fill(at, end))
      at = end + 1
    }
    return found
  }

  return {
    async read (start, length) {
      if (length > LONGEST_CACHED) return await fetch(start, length)
      const first = Math.floor(start / BLOCK)
      const bytes = Buffer.concat(await blocksOf(first, Math.floor((start + length - 1) / BLOCK)))
      return bytes.subarray(start - first * BLOCK, start - first * BLOCK + length)
    },
    clear: () => { blocks.clear() }
  }
}
