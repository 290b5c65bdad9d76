import type { CardFile } from '../../files/index.js'

const BLOCK = 32 * 1024
const MOST_BLOCKS = 48
/** Longer stretches are read at once and not kept: nobody asks for them twice. */
const LONGEST_KEPT = 16 * BLOCK

/** Random access with a memory: what lies near to what was read costs no second transfer. */
export function createBlocks (file: Pick<CardFile, 'entry' | 'read'>, signal?: AbortSignal) {
  const { size } = file.entry
  const kept = new Map<number, Buffer>()

  function keep (at: number, block: Buffer): void {
    kept.set(at, block)
    const [oldest] = kept.keys()
    if (kept.size > MOST_BLOCKS && oldest !== undefined) kept.delete(oldest)
  }

  async function fetch (start: number, length: number): Promise<Buffer> {
    signal?.throwIfAborted()
    return await file.read(start, length)
  }

  /** Fills the run of missing blocks from `first` on with one transfer. */
  async function fill (first: number, last: number): Promise<Buffer[]> {
    const run = await fetch(first * BLOCK, Math.min((last + 1) * BLOCK, size) - first * BLOCK)
    return Array.from({ length: last - first + 1 }, (_, at) => {
      // A copy: a part of the whole would keep the whole alive.
      const block = Buffer.from(run.subarray(at * BLOCK, (at + 1) * BLOCK))
      keep(first + at, block)
      return block
    })
  }

  async function blocks (first: number, last: number): Promise<Buffer[]> {
    const found: Buffer[] = []
    for (let at = first; at <= last;) {
      const known = kept.get(at)
      if (known) {
        found.push(known)
        at++
        continue
      }
      let end = at
      while (end < last && !kept.has(end + 1)) end++
      found.push(...await fill(at, end))
      at = end + 1
    }
    return found
  }

  return {
    size,
    /** Bytes `start` to `start + length`, fewer at the end of the file. */
    async read (start: number, length: number): Promise<Buffer> {
      const wanted = Math.min(length, size - start)
      if (start < 0 || !(wanted > 0)) return Buffer.alloc(0)
      if (wanted > LONGEST_KEPT) return await fetch(start, wanted)
      const first = Math.floor(start / BLOCK)
      const whole = Buffer.concat(await blocks(first, Math.floor((start + wanted - 1) / BLOCK)))
      return whole.subarray(start - first * BLOCK, start - first * BLOCK + wanted)
    }
  }
}

export type Blocks = ReturnType<typeof createBlocks>
