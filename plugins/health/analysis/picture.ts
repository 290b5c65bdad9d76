/** Red, green and blue bytes, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** One byte of brightness for each pixel. */
export type Grey = Picture

/** In pixels; `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const RED = 0.299
const GREEN = 0.587
const BLUE = 0.114

export const clamp01 = (value: number): number => value < 0 ? 0 : value > 1 ? 1 : value

/** A box given in fractions of a picture, truncated to whole pixels. */
export const boxOf = ({ width, height }: Picture, left: number, top: number, right: number, bottom: number): Box => ({
  left: Math.trunc(left * width),
  top: Math.trunc(top * height),
  right: Math.trunc(right * width),
  bottom: Math.trunc(bottom * height)
})

/** Crops a picture of three channels. */
export function crop ({ width, data }: Picture, { left, top, right, bottom }: Box): Picture {
  const wide = right - left
  const out = new Uint8Array(wide * (bottom - top) * 3)
  for (let y = top; y < bottom; y++) {
    const from = (y * width + left) * 3
    out.set(data.subarray(from, from + wide * 3), (y - top) * wide * 3)
  }
  return { width: wide, height: bottom - top, data: out }
}

/** Unweighted mean of the channels, truncated to whole numbers. */
export function meanGrey ({ width, height, data }: Picture): Grey {
  const out = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += 3) {
    out[at] = ((data[from] ?? 0) + (data[from + 1] ?? 0) + (data[from + 2] ?? 0)) / 3
  }
  return { width, height, data: out }
}

/** Weights of the source columns (or rows) that make up one column (or row) of the result. */
interface Taps { readonly first: number, readonly weights: Float32Array }

function tapsOf (from: number, to: number): Taps[] {
  const step = from / to
  return Array.from({ length: to }, (_, at) => {
    const begin = at * step
    const end = Math.min(from, begin + step)
    const first = Math.floor(begin)
    const weights = new Float32Array(Math.max(1, Math.ceil(end - 1e-6) - first))
    weights.forEach((_weight, tap) => {
      weights[tap] = (Math.min(end, first + tap + 1) - Math.max(begin, first + tap)) / (end - begin)
    })
    return { first, weights }
  })
}

/** Adds the weighted rows of a picture to one line with a number for each column. */
type AddRows = (picture: Picture, rows: Taps, line: Float32Array) => void

const addBrightness: AddRows = ({ width, data }, { first, weights }, line) => {
  for (let tap = 0; tap < weights.length; tap++) {
    const weight = weights[tap] as number
    let from = (first + tap) * width * 3
    for (let x = 0; x < width; x++, from += 3) {
      line[x] = (line[x] as number) + weight *
        (RED * (data[from] as number) + GREEN * (data[from + 1] as number) + BLUE * (data[from + 2] as number))
    }
  }
}

const addChannel = (channel: number): AddRows => ({ width, data }, { first, weights }, line) => {
  for (let tap = 0; tap < weights.length; tap++) {
    const weight = weights[tap] as number
    let from = (first + tap) * width * 3 + channel
    for (let x = 0; x < width; x++, from += 3) line[x] = (line[x] as number) + weight * (data[from] as number)
  }
}

const CHANNELS = [0, 1, 2].map(addChannel)

/** Luma (BT.601), scaled down to a width by area averaging; smaller pictures keep their size. */
export const shrunkGrey = (picture: Picture, most: number): Grey =>
  shrunk(picture, most, [addBrightness], ArrayBuffer)

/**
 * The brightest channel of each pixel, scaled down in the same way: light and shade on coloured plastic show in it as
 * clearly as on white. It lies in shared memory because every analysis passes remembered frames between threads.
 */
export const shrunkInk = (picture: Picture, most: number): Grey =>
  shrunk(picture, most, CHANNELS, SharedArrayBuffer)

/** @param ways the greatest of their results is taken for each pixel */
function shrunk (picture: Picture, most: number, ways: readonly AddRows[],
  Bytes: ArrayBufferConstructor | SharedArrayBufferConstructor): Grey {
  const width = Math.min(most, picture.width)
  const height = Math.max(1, Math.round(picture.height * width / picture.width))
  const columns = tapsOf(picture.width, width)
  const rows = tapsOf(picture.height, height)
  const out = new Uint8Array(new Bytes(width * height))
  const line = new Float32Array(picture.width)
  for (let y = 0; y < height; y++) {
    for (const addRows of ways) {
      line.fill(0)
      addRows(picture, rows[y] as Taps, line)
      for (let x = 0; x < width; x++) {
        const { first, weights } = columns[x] as Taps
        let sum = 0
        for (let tap = 0; tap < weights.length; tap++) sum += (line[first + tap] ?? 0) * (weights[tap] ?? 0)
        out[y * width + x] = Math.max(out[y * width + x] as number, sum + 0.5)
      }
    }
  }
  return { width, height, data: out }
}
