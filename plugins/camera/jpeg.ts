const MARKER = 0xFF
const START = 0xD8
const END = 0xD9
const SCAN = 0xDA
/** Frame headers of all codings; C4, C8 and CC in between mean something else. */
const isFrameHeader = (code: number) => code >= 0xC0 && code <= 0xCF && code !== 0xC4 && code !== 0xC8 && code !== 0xCC

export interface Size { readonly width: number, readonly height: number }

/**
 * The size a JPEG says it has. Reads its segments up to the picture data, nothing of the data itself.
 * @returns undefined for what is no whole JPEG
 */
export function jpegSize (bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes[0] !== MARKER || bytes[1] !== START) return undefined
  if (bytes[bytes.length - 2] !== MARKER || bytes[bytes.length - 1] !== END) return undefined
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== MARKER) return undefined
    const code = bytes[at + 1] ?? 0
    if (code === MARKER) { at++; continue } // filling before a marker
    if (code === SCAN) return undefined
    if (isFrameHeader(code)) return sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined
