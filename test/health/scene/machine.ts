import type { Camera, Machine, Pixel, Place } from './camera.js'
import { circle, polygon, polyline, rectangle, shade, type Rgb } from './draw.js'
import { sheetOf, type Look } from './looks.js'
import type { Random } from './random.js'

/** What stands behind the plate and never moves: walls, rails, seams, screws, a label. */
export function drawChamber (random: Random, { width, height }: Camera): string {
  const wall: Rgb = random.of([[58, 60, 64], [84, 86, 90], [40, 42, 46]])
  const parts = [rectangle(0, 0, width, height, shade(wall, 1))]
  for (let at = 0; at < 5; at++) {
    const x = random.between(0, width)
    parts.push(rectangle(x, 0, random.between(30, 200), height * random.between(0.4, 0.9), shade(wall,
      random.between(0.7, 1.4))))
  }
  for (let at = 0; at < 4; at++) {
    const y = height * random.between(0.05, 0.5)
    const slope = random.between(-40, 40)
    for (const [off, light] of [[0, 2.2], [5, 0.5], [9, 1.7]] as const) {
      parts.push(polyline([[0, y + off], [width, y + slope + off]], shade(wall, light), random.between(1.5, 5)))
    }
  }
  for (let at = 0; at < 14; at++) {
    parts.push(circle([random.between(0, width), random.between(0, height * 0.55)], random.between(2, 6),
      shade(wall, random.between(0.4, 2))))
  }
  for (let at = 0; at < 5; at++) {
    const x = random.between(0, width * 0.8)
    const y = random.between(0, height * 0.4)
    const run: Pixel[] = Array.from({ length: 9 }, (_, step) => [x + step * 24,
      y + 26 * Math.sin(step * random.between(0.4, 1))])
    parts.push(polyline(run, shade(wall, random.between(0.3, 0.6)), random.between(3, 7)))
  }
  return parts.join('')
}

interface Speck {
  readonly from: readonly [number, number],
  readonly to: readonly [number, number],
  readonly light: number
}
export interface Plate {
  readonly color: Rgb
  readonly specks: readonly Speck[]
  /** Lines every so many mm; 0 for none. */
  readonly grid: number
}

/** A plate of its own wear: texture, scratches, remains of glue, perhaps a printed grid. */
export function createPlate (random: Random, look: Look): Plate {
  const specks = Array.from({ length: random.whole(60, 320) }, (): Speck => {
    const [x, y] = [random.between(-126, 126), random.between(-126, 126)]
    const [angle, length] = [random.between(0, 6.3), random.chance(0.1)
      ? random.between(8,
        30)
      : random.between(0.5, 3)]
    return {
      from: [x, y],
      to: [x + length * Math.cos(angle), y + length * Math.sin(angle)],
      light: random.between(0.7, 1.5)
    }
  })
  return {
    color: sheetOf(look, random),
    specks,
    grid: random.of([0, 0, 16, 32])
  }
}

/** Marks on a lit sheet with a grain: a few for each square centimetre of it. */
const GRAINS = 14_000

/** The same plate as a lit sheet of coarse grain, such as PEI: specks of one to three pixels, and sharp lines. */
export const withGrain = (plate: Plate, random: Random): Plate => ({
  color: random.of<Rgb>([[176, 142, 66], [150, 150, 150], [92, 94, 98], [120, 100, 60]]),
  grid: random.of([0, 16, 16, 32]),
  specks: [...plate.specks, ...Array.from({ length: GRAINS }, (): Speck => {
    const [x, y, angle] = [random.between(-127, 127), random.between(-127, 127), random.between(0, 6.3)]
    const length = random.between(0.3, 1.2)
    return {
      from: [x, y],
      to: [x + length * Math.cos(angle), y + length * Math.sin(angle)],
      light: random.chance(0.5) ? random.between(0.5, 0.85) : random.between(1.15, 1.7)
    }
  })]
})

/** @param plate where a place on the plate lies now */
export function drawPlate ({ color, specks, grid }: Plate, camera: Camera, plate: (x: number, y: number) =>
Place): string {
  const see = (x: number, y: number) => camera.see(plate(x, y))
  const parts = [polygon([see(-128, 128), see(128, 128), see(128, -128), see(-128, -128)], shade(color, 1),
    shade(color, 0.5), 4)]
  for (let at = grid > 0 ? -112 : Infinity; at < 120; at += grid) {
    parts.push(polyline([see(at, -128), see(at, 128)], shade(color, 1.3), 1.2))
    parts.push(polyline([see(-128, at), see(128, at)], shade(color, 1.3), 1.2))
  }
  for (const { from, to, light } of specks) {
    parts.push(polyline([see(...from), see(...to)], shade(color, light), 0.7 * camera.scale(plate(...from))))
  }
  for (let at = 0; at < 6; at++) {
    parts.push(polyline([see(-118 + at * 9, -119), see(-113 + at * 9, -119)],
      shade(color, 1.8), 3))
  }
  return parts.join('')
}

export interface Head { readonly body: Rgb, readonly size: number, readonly marks: readonly Pixel[] }

export const createHead = (random: Random): Head => ({
  body: random.of<Rgb>([[30, 30, 32], [150, 150, 152], [70, 72, 76]]),
  size: random.between(34, 48),
  marks: Array.from({ length: 12 }, () => [random.between(-0.8, 0.8), random.between(-1.8, -0.3)])
})

/** The tool head with its nozzle at a place, on its rail, with a cable. */
export function drawHead ({ body, size, marks }: Head, camera: Camera, place: Place, machine: Machine): string {
  const [x, y] = camera.see(place)
  const unit = size * camera.scale(place) * 0.8
  const at = (dx: number, dy: number): Pixel => [x + dx * unit, y + dy * unit]
  const railY = at(0, machine === 'slinger' ? -1.5 : -2)[1]
  return [
    rectangle(0, railY, camera.width, unit * 0.3, shade([120, 120, 124], 1)),
    rectangle(0, railY + unit * 0.1, camera.width, unit * 0.06, shade([30, 30, 30], 1)),
    polyline([at(0.2, -2), at(0.9, -2.9), at(2.4, -3.4), [camera.width * 0.5, -20]], 'rgb(25,25,25)', unit * 0.2),
    polygon([at(-1, -2.2), at(1, -2.2), at(1, -0.5), at(0.5, -0.25), at(-0.5, -0.25), at(-1, -0.5)],
      shade(body, 1), shade(body, 1.6), 2),
    circle(at(0, -1.2), unit * 0.55, shade(body, 0.5)),
    circle(at(0, -1.2), unit * 0.2, shade(body, 1.5)),
    ...[0, 1, 2, 3, 4, 5].map(blade => polyline([at(0, -1.2), at(0.5 * Math.cos(blade),
      -1.2 + 0.5 * Math.sin(blade))], shade(body, 1.3), 2)),
    ...marks.map(([dx, dy]) => rectangle(...at(dx, dy), unit * 0.12, unit * 0.05, shade(body, 1.9))),
    polygon([at(-0.25, -0.25), at(0.25, -0.25), at(0.05, 0), at(-0.05, 0)], 'rgb(160,150,120)')
  ].join('')
}
