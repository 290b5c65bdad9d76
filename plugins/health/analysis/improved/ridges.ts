import type { Grey } from '../picture.js'

const SIGMA = 1.2
/**
 * Weakest ridge that counts, in grey levels, in standard deviations of the noise, and as a share of the brightness
 * there: strands in dim light are as faint as worn marks in bright light.
 */
const LEAST = 0.7
const LEAST_IN_NOISE = 2
const LEAST_SHARE = 0.01
/** Shorter components are noise. */
const FEWEST_PIXELS = 6
/** Bins of a half turn. */
export const DIRECTIONS = 8

/** Centre lines of thin structures. */
export interface Ridges {
  /** 1 + direction, 0 to 7, on a centre line; 0 elsewhere. */
  readonly marks: Uint8Array
  /** Ridge strength of each pixel, grey levels. */
  readonly strength: Float32Array
  /** Standard deviation of the sensor noise, grey levels. */
  readonly noise: number
}

/** Weights of a Gaussian kernel, from its centre to four pixels to either side. */
const GAUSS = (() => {
  const weights = [0, 1, 2, 3, 4].map(off => Math.exp(-(off ** 2) / (2 * SIGMA ** 2)))
  const sum = weights.reduce((total, weight, off) => total + (off === 0 ? 1 : 2) * weight, 0)
  return weights.map(weight => weight / sum) as [number, number, number, number, number]
})()
const RADIUS = GAUSS.length - 1

/** Standard deviation of the noise, by the median absolute response to a Laplacian difference (Immerkær). */
export function noiseOf ({ width, height, data }: Grey): number {
  const counts = new Uint32Array(2048)
  let total = 0
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1, at = y * width + 1; x < width - 1; x += 2, at += 2) {
      const [above, below] = [at - width, at + width]
      const value = Math.abs(
        (data[above - 1] as number) - 2 * (data[above] as number) + (data[above + 1] as number) -
        2 * ((data[at - 1] as number) - 2 * (data[at] as number) + (data[at + 1] as number)) +
        (data[below - 1] as number) - 2 * (data[below] as number) + (data[below + 1] as number))
      counts[value] = (counts[value] as number) + 1
      total++
    }
  }
  let left = total / 2
  let median = 0
  while (median < counts.length && (left -= counts[median] ?? 0) > 0) median++
  return median / (0.6745 * 6)
}

/** Gaussian blur; border pixels are repeated. */
export function smooth ({ width, height, data }: Grey): Float32Array {
  const lines = new Float32Array(width * height)
  const line = new Float32Array(width + 2 * RADIUS)
  const alongLine = (tap: number) => RADIUS + tap
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width)
    line.set(row, RADIUS)
    line.fill(row[0] as number, 0, RADIUS)
    line.fill(row[width - 1] as number, RADIUS + width)
    weigh(lines, y * width, width, line, alongLine)
  }
  const out = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    weigh(out, y * width, width, lines, tap => width * Math.min(height - 1, Math.max(0, y + tap)))
  }
  return out
}

/** Smoothed values as bytes. They are remembered, so they lie in shared memory as the frame itself does. */
export function inBytes ({ width, height }: Grey, values: Float32Array): Grey {
  const data = new Uint8Array(new SharedArrayBuffer(values.length))
  for (let at = 0; at < data.length; at++) data[at] = (values[at] as number) + 0.5
  return { width, height, data }
}

/** Weighted sums of nine runs of values; `from` gives the start of the run for each tap, -4 to 4. */
function weigh (to: Float32Array, at: number, count: number, values: Float32Array, from: (tap: number) => number) {
  const [a, b, c, d, e, f, g, h, i] =
    [from(-4), from(-3), from(-2), from(-1), from(0), from(1), from(2), from(3), from(4)]
  const [w0, w1, w2, w3, w4] = GAUSS
  for (let x = 0; x < count; x++) {
    to[at + x] = w0 * (values[e + x] as number) +
      w1 * ((values[d + x] as number) + (values[f + x] as number)) +
      w2 * ((values[c + x] as number) + (values[g + x] as number)) +
      w3 * ((values[b + x] as number) + (values[h + x] as number)) +
      w4 * ((values[a + x] as number) + (values[i + x] as number))
  }
}

/** Strength of bright and dark ridges by the eigenvalues of the Hessian, and the direction across them. */
function responses (image: Float32Array, width: number, height: number): Responses {
  const strength = new Float32Array(width * height)
  const angles = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1, end = at + width - 2; at < end; at++) {
      const middle = 2 * (image[at] as number)
      const xx = (image[at - 1] as number) - middle + (image[at + 1] as number)
      const yy = (image[at - width] as number) - middle + (image[at + width] as number)
      const xy = ((image[at + width + 1] as number) - (image[at + width - 1] as number) -
        (image[at - width + 1] as number) + (image[at - width - 1] as number)) / 4
      const half = (xx + yy) / 2
      // The difference of the eigenvalues' magnitudes is twice the lesser of these two.
      const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy)
      const own = 2 * Math.min(Math.abs(half), root) * SIGMA * SIGMA
      strength[at] = own
      if (own < LEAST) continue
      const across = Math.atan2(2 * xy, xx - yy) / 2 + (half < 0 ? Math.PI / 2 : 0)
      angles[at] = across < 0 ? across + Math.PI : across >= Math.PI ? across - Math.PI : across
    }
  }
  return { strength, angles }
}

interface Responses { readonly strength: Float32Array, readonly angles: Float32Array }

/** Non-maximum suppression: keeps the pixels that are strongest across their own direction. */
function thin ({ strength, angles }: Responses, light: Float32Array, width: number, least: number): Uint8Array {
  const marks = new Uint8Array(strength.length)
  const steps = [1, width + 1, width, width - 1]
  for (let at = width + 1; at < strength.length - width - 1; at++) {
    const own = strength[at] as number
    if (own < least || own < LEAST_SHARE * (light[at] as number)) continue
    const angle = angles[at] as number
    const step = steps[Math.round(angle / (Math.PI / 4)) % 4] as number
    if (own < (strength[at - step] as number) || own < (strength[at + step] as number)) continue
    marks[at] = 1 + Math.min(DIRECTIONS - 1, Math.floor(angle / Math.PI * DIRECTIONS))
  }
  return marks
}

/** Drops connected components of few pixels (8-connectivity). */
function dropSpecks (marks: Uint8Array, width: number): void {
  const seen = new Uint8Array(marks.length)
  const around = [1, -1, width, -width, width + 1, width - 1, -width + 1, -width - 1]
  const component: number[] = []
  for (let start = 0; start < marks.length; start++) {
    if (marks[start] === 0 || seen[start] === 1) continue
    component.length = 0
    component.push(start)
    seen[start] = 1
    for (let next = 0; next < component.length; next++) {
      for (const step of around) {
        const at = (component[next] as number) + step
        if ((marks[at] ?? 0) === 0 || seen[at] === 1) continue
        seen[at] = 1
        component.push(at)
      }
    }
    if (component.length < FEWEST_PIXELS) for (const at of component) marks[at] = 0
  }
}

/** Finds thin structures in a frame. @param smoothed the same frame after the Gaussian blur */
export function ridgesOf (grey: Grey, smoothed: Float32Array): Ridges {
  const noise = noiseOf(grey)
  const found = responses(smoothed, grey.width, grey.height)
  const marks = thin(found, smoothed, grey.width, Math.max(LEAST, LEAST_IN_NOISE * noise))
  dropSpecks(marks, grey.width)
  return { marks, strength: found.strength, noise }
}
