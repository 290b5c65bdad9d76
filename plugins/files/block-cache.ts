/** One round over the network brings at least so much: what is read next often lies close by. */
const BLOCK = 64 * 1024
const MOST_BLOCKS = 24
/** Longer stretches are read at once and not kept: nobody asks for them twice. */
const LONGEST_KEPT = 8 * BLOCK

type Read = (start: number, length: number) => Promise<Buffer>

/** Parts of one open file that stays on the card, those that were read last. */
export interface BlockCache {
  /** Bytes `start` to `start + length`, which lie within the file. */
  readonly read: Read
  clear (): void
}

/** @param fetch asks the card for bytes of the file */
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
      // A copy: a part of the whole would keep the whole alive.
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
      if (length > LONGEST_KEPT) return await fetch(start, length)
      const first = Math.floor(start / BLOCK)
      const bytes = Buffer.concat(await blocksOf(first, Math.floor((start + length - 1) / BLOCK)))
      return bytes.subarray(start - first * BLOCK, start - first * BLOCK + length)
    },
    clear: () => { blocks.clear() }
  }
}
