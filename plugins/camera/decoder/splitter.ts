/** Data of this length without an end mark is no picture. */
const MOST_BYTES = 8 * 1024 * 1024
const START = Buffer.from([0xFF, 0xD8])
const END = Buffer.from([0xFF, 0xD9])

/**
 * Splits concatenated JPEGs, as ffmpeg writes them. The end mark cannot occur inside a picture. Bytes between pictures
 * are dropped, and so is a picture that never ends.
 */
export function createSplitter (onJpeg: (jpeg: Buffer) => void): (piece: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  /** Last byte of the previous chunk, as a mark may span two. */
  let last = -1

  function keep (part: Buffer): void {
    parts.push(part)
    held += part.length
    if (held > MOST_BYTES) drop()
  }
  function drop (): void {
    parts = []
    held = 0
  }

  /** @returns where the mark ends in this chunk, -1 if it is not there */
  function endOf (mark: Buffer, piece: Buffer, from: number): number {
    if (from === 0 && last === mark[0] && piece[0] === mark[1]) return 1
    const at = piece.indexOf(mark, from)
    return at < 0 ? -1 : at + mark.length
  }

  return piece => {
    let at = 0
    while (at < piece.length) {
      const inside = held > 0
      const end = endOf(inside ? END : START, piece, at)
      if (inside) keep(end < 0 ? piece.subarray(at) : piece.subarray(at, end))
      else if (end >= 0) keep(START)
      if (inside && end >= 0 && held > 0) {
        onJpeg(Buffer.concat(parts, held))
        drop()
      }
      at = end < 0 ? piece.length : end
    }
    last = piece[piece.length - 1] ?? last
  }
}
