/** Pixels that lie together. */
export interface Blob {
  readonly pixels: readonly number[]
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Side of the square around a pixel of which most must be marked too, and how many of its 25 pixels that are. */
const REACH = 2
const MOST = 17

/** Pixels around which most are marked, so that single ones and thin lines count for nothing. */
export function smoothed (marks: Uint8Array, width: number): Uint8Array {
  const height = marks.length / width
  const rows = new Uint8Array(marks.length)
  const out = new Uint8Array(marks.length)
  for (let y = 0; y < height; y++) {
    for (let x = REACH; x < width - REACH; x++) {
      const at = y * width + x
      rows[at] = marks[at - 2]! + marks[at - 1]! + marks[at]! + marks[at + 1]! + marks[at + 2]!
    }
  }
  for (let at = REACH * width; at < marks.length - REACH * width; at++) {
    const sum = rows[at - 2 * width]! + rows[at - width]! + rows[at]! + rows[at + width]! + rows[at + 2 * width]!
    if (sum >= MOST && marks[at] === 1) out[at] = 1
  }
  return out
}

/** Groups of marked pixels that touch, the largest first. */
export function blobsOf (marks: Uint8Array, width: number, leastPx: number): Blob[] {
  const seen = new Uint8Array(marks.length)
  const blobs: Blob[] = []
  for (let start = 0; start < marks.length; start++) {
    if (marks[start] !== 1 || seen[start] === 1) continue
    const pixels = [start]
    seen[start] = 1
    let [left, right, top, bottom] = [width, 0, marks.length, 0]
    for (let next = 0; next < pixels.length; next++) {
      const at = pixels[next]!
      const [x, y] = [at % width, Math.floor(at / width)]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (const to of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (to < 0 || to >= marks.length || marks[to] !== 1 || seen[to] === 1) continue
        seen[to] = 1
        pixels.push(to)
      }
    }
    if (pixels.length >= leastPx) blobs.push({ pixels, left, right, top, bottom })
  }
  return blobs.sort((a, b) => b.pixels.length - a.pixels.length)
}
