/** A rectangle of pixels; `right` and `bottom` are exclusive. */
export interface Region { readonly left: number, readonly top: number, readonly right: number, readonly bottom: number }

interface Mask { readonly width: number, readonly height: number, readonly mask: Uint8Array }

/** The rectangle around what should be seen, with a margin, within the picture; undefined for an empty mask. */
export function regionAround ({ width, height, mask }: Mask, marginPx: number): Region | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (mask[at] === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  if (right < 0) return undefined
  return {
    left: Math.max(0, left - marginPx),
    top: Math.max(0, top - marginPx),
    right: Math.min(width, right + 1 + marginPx),
    bottom: Math.min(height, bottom + 1 + marginPx)
  }
}

/** Cuts a region out of values by pixel. */
export function cut (values: Uint8Array, width: number, { left, top, right, bottom }: Region): Uint8Array {
  const out = new Uint8Array((right - left) * (bottom - top))
  for (let y = top; y < bottom; y++) {
    out.set(values.subarray(y * width + left, y * width + right), (y - top) * (right - left))
  }
  return out
}

const FAR = 10_000

/** Steps of 3 to a neighbour, of 4 across a corner: thirds of a pixel. */
const THIRDS = 3

/**
 * How far each pixel is from the nearest one of a mask, px, at most. Pixels beyond the border of the picture are none.
 * @param isIn whether a pixel belongs to the mask
 */
export function distanceTo (width: number, height: number, isIn: (at: number) => boolean): Uint8Array {
  const far = new Uint16Array(width * height)
  for (let at = 0; at < far.length; at++) far[at] = isIn(at) ? 0 : FAR
  const relax = (at: number, from: number, step: number): void => {
    if (far[from]! + step < far[at]!) far[at] = far[from]! + step
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x > 0) relax(at, at - 1, 3)
      if (y === 0) continue
      relax(at, at - width, 3)
      if (x > 0) relax(at, at - width - 1, 4)
      if (x < width - 1) relax(at, at - width + 1, 4)
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const at = y * width + x
      if (x < width - 1) relax(at, at + 1, 3)
      if (y === height - 1) continue
      relax(at, at + width, 3)
      if (x < width - 1) relax(at, at + width + 1, 4)
      if (x > 0) relax(at, at + width - 1, 4)
    }
  }
  return Uint8Array.from(far, value => Math.min(255, Math.floor(value / THIRDS)))
}
