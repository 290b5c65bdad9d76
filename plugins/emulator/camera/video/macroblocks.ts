/** Pixels along each side. */
export const MACROBLOCK = 16
const HALF = MACROBLOCK / 2
/** Samples of one block: brightness, then both colours at half the size. */
const BLOCK_BYTES = MACROBLOCK * MACROBLOCK + 2 * HALF * HALF
/** Precedes the samples of every block but the first: its type, padded to a whole byte. */
const BLOCK_HEAD = [0x0D, 0x00] as const

/** BT.601 in video range: 16 to 235, so that no sample looks like part of a start code. */
const luma = (red: number, green: number, blue: number): number => 16 + ((66 * red + 129 * green + 25 * blue) >> 8)
const blueness = (red: number, green: number, blue: number): number =>
  128 + ((-38 * red - 74 * green + 112 * blue) >> 8)
const redness = (red: number, green: number, blue: number): number =>
  128 + ((112 * red - 94 * green - 18 * blue) >> 8)

/** Samples of a picture, block after block; at the right and lower edge the last pixels are repeated. */
export function toMacroblocks (raw: Uint8Array, width: number, height: number): Buffer {
  const columns = Math.ceil(width / MACROBLOCK)
  const rows = Math.ceil(height / MACROBLOCK)
  const out = Buffer.allocUnsafe(columns * rows * (BLOCK_BYTES + BLOCK_HEAD.length) - BLOCK_HEAD.length)
  let end = 0

  const sample = (x: number, y: number, of: typeof luma): void => {
    const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3
    out[end++] = of(raw[at] as number, raw[at + 1] as number, raw[at + 2] as number)
  }
  const plane = (left: number, top: number, step: number, of: typeof luma): void => {
    for (let y = 0; y < MACROBLOCK; y += step) {
      for (let x = 0; x < MACROBLOCK; x += step) sample(left + x, top + y, of)
    }
  }

  for (let block = 0; block < columns * rows; block++) {
    if (block > 0) for (const byte of BLOCK_HEAD) out[end++] = byte
    const left = block % columns * MACROBLOCK
    const top = Math.floor(block / columns) * MACROBLOCK
    plane(left, top, 1, luma)
    plane(left, top, 2, blueness)
    plane(left, top, 2, redness)
  }
  return out
}
