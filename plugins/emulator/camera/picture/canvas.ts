import { coverage, type Point } from './coverage.js'

export type { Point } from './coverage.js'
export type Colour = readonly [red: number, green: number, blue: number]

/** Rows of red, green and blue bytes. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** From this share on a pixel counts as fully covered. */
const WHOLE = 0.996

export const createCanvas = (width: number, height: number): Canvas =>
  ({ width, height, data: new Uint8Array(width * height * 3) })

export const shade = ([red, green, blue]: Colour, by: number): Colour => [red * by, green * by, blue * by]

export const mix = (a: Colour, b: Colour, share: number): Colour =>
  [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]

/** Fills a simple polygon, clipped to the canvas. */
export function fill ({ width, height, data }: Canvas, points: readonly Point[], colour: Colour, opacity = 1): void {
  const [red, green, blue] = colour
  coverage(points, width, height, (y, from, to, share) => {
    const part = share * opacity > WHOLE ? 1 : share * opacity
    const rest = 1 - part
    const end = (y * width + to) * 3
    for (let at = (y * width + from) * 3; at < end; at += 3) {
      data[at] = (data[at] as number) * rest + red * part
      data[at + 1] = (data[at + 1] as number) * rest + green * part
      data[at + 2] = (data[at + 2] as number) * rest + blue * part
    }
  })
}

/** A straight stroke without caps. */
export function line (canvas: Canvas, a: Point, b: Point, thickness: number, colour: Colour, opacity = 1): void {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1
  const dx = (b[1] - a[1]) / length * thickness / 2
  const dy = (a[0] - b[0]) / length * thickness / 2
  const corners: Point[] = [
    [a[0] + dx, a[1] + dy], [b[0] + dx, b[1] + dy], [b[0] - dx, b[1] - dy], [a[0] - dx, a[1] - dy]
  ]
  fill(canvas, corners, colour, opacity)
}

/** Fills whole pixels. */
export function box (canvas: Canvas, x: number, y: number, width: number, height: number, colour: Colour): void {
  const left = Math.max(0, Math.round(x))
  const right = Math.min(canvas.width, Math.round(x + width))
  const bottom = Math.min(canvas.height, Math.round(y + height))
  for (let row = Math.max(0, Math.round(y)); row < bottom; row++) {
    for (let column = left; column < right; column++) canvas.data.set(colour, (row * canvas.width + column) * 3)
  }
}
