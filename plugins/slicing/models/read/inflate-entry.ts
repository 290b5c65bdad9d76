import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { MOST_UNPACKED_BYTES } from '../limits.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { EntryPlace, ModelFile } from '../tasks.js'

const PIECE_BYTES = 256 * 1024
const MIB = 1024 ** 2

/** Bytes that a file unpacks to, over all its entries: an archive can be small and its content endless. */
export class UnpackBudget {
  #left = MOST_UNPACKED_BYTES

  take (bytes: number, name: string): void {
    this.#left -= bytes
    if (this.#left < 0) {
      throw new Refusal('large', name, `it unpacks to more than ${MOST_UNPACKED_BYTES / MIB} MiB. Export it with fewer triangles`)
    }
  }
}

/** Gives the content of an entry piece by piece. */
export async function inflateEntry (
  file: ModelFile, { start, packedSize, isDeflated }: EntryPlace, budget: UnpackBudget, checkAborted: CheckAborted,
  onPiece: (bytes: Uint8Array) => void
): Promise<void> {
  if (packedSize === 0) return
  const read = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) {
      checkAborted()
      budget.take(piece.length, file.name)
      onPiece(piece)
    }
  }
  const packed = createReadStream(file.path, { start, end: start + packedSize - 1, highWaterMark: PIECE_BYTES })
  try {
    await (isDeflated ? pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), read) : pipeline(packed, read))
  } catch (error) {
    if (!/^(Z_|ERR_ZLIB)/.test(String((error as { code?: unknown }).code))) throw error
    throw new Refusal('bad', file.name, 'its archive is damaged. Copy or export it again')
  }
}
