import type { Camera, Pixel } from './camera.js'
import { polygon, polyline, shade } from './draw.js'
import type { OnPlate, Part } from './part.js'
import type { Random } from './random.js'

/** What is printed beside a part to hold it. */
export interface Support {
  /** mm on the plate: smallest x and y, then largest. */
  readonly bounds: readonly [number, number, number, number]
  draw (camera: Camera, plate: OnPlate, top: number): string
  /** What the slicer would tell of it: discs, mm. */
  solid (top: number): readonly Disc[]
}

/** A place on the plate, mm from its middle, and what stands on it. */
export interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly bottom: number
  readonly top: number
}

/** Discs close enough to one another to cover the line. */
const along = (from: Pixel, to: Pixel, disc: Omit<Disc, 'x' | 'y'>): Disc[] => {
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 0.5))
  return Array.from({ length: steps + 1 }, (_, at) =>
    ({ x: from[0] + (to[0] - from[0]) * at / steps, y: from[1] + (to[1] - from[1]) * at / steps, ...disc }))
}
const alongAll = (run: readonly Pixel[], disc: Omit<Disc, 'x' | 'y'>): Disc[] =>
  run.slice(1).flatMap((to, at) => along(run[at] as Pixel, to, disc))

const radiusOf = ({ outline }: Part): number => Math.max(...outline.map(([dx, dy]) => Math.hypot(dx, dy)))

/** Flat rings around the foot. */
export function createBrim (part: Part): Support {
  const { x, y, outline, color } = part
  const radius = radiusOf(part)
  const ring = (wide: number) => outline.map(([dx, dy]): Pixel =>
    [x + dx * (1 + wide / radius), y + dy * (1 + wide / radius)])
  const reach = radius + 8
  return {
    bounds: [x - reach, y - reach, x + reach, y + reach],
    draw: (camera, plate) => [8, 6.4, 4.8, 3.2, 1.6].map(wide =>
      polygon(ring(wide).map(([px, py]) => camera.see(plate(px, py, 0.2))), shade(color, 0.9), shade(color, 0.7), 1)).join(''),
    solid: () => [8, 6.4, 4.8, 3.2, 1.6].flatMap(wide =>
      alongAll([...ring(wide), ...ring(wide).slice(0, 1)], { radius: 0.8, bottom: 0, top: 0.2 }))
  }
}

/** A block of thin upright walls in zigzags, as high as what it will carry. */
export function createLattice (random: Random, part: Part): Support {
  const radius = radiusOf(part)
  const angle = random.between(0, 6.3)
  const [x, y] = [part.x + Math.cos(angle) * radius * 0.95, part.y + Math.sin(angle) * radius * 0.95]
  const [wide, deep] = [random.between(8, 18), random.between(8, 18)]
  const pitch = random.between(2.2, 3.2)
  const run: Pixel[] = Array.from({ length: Math.ceil(2 * wide / pitch) }, (_, at): Pixel[] => {
    const px = x - wide + at * pitch
    return at % 2 === 0 ? [[px, y - deep], [px, y + deep]] : [[px, y + deep], [px, y - deep]]
  }).flat()
  const reach = part.height * random.between(0.5, 1)
  return {
    bounds: [x - wide, y - deep, x + wide, y + deep],
    draw: (camera, plate, top) => {
      const high = Math.min(top, reach)
      return Array.from({ length: Math.max(1, Math.ceil(high / 1.6)) }, (_, layer) =>
        polyline(run.map(([px, py]) => camera.see(plate(px, py, Math.min(high, layer * 1.6)))),
          shade(part.color, layer * 1.6 >= high - 1.6 ? 0.92 : 0.66), 0.9 * camera.scale(plate(x, y, 0)))).join('')
    },
    solid: top => alongAll(run, { radius: 0.45, bottom: 0, top: Math.min(top, reach) })
  }
}

/** Trunks that rise from the plate, fork, and lean towards the part. */
export function createTrees (random: Random, part: Part): Support {
  const radius = radiusOf(part)
  const trunks = Array.from({ length: random.whole(3, 6) }, () => {
    const angle = random.between(0, 6.3)
    const away = radius + random.between(3, 12)
    const lean = random.between(0.1, 0.45)
    return {
      foot: [part.x + Math.cos(angle) * away, part.y + Math.sin(angle) * away] as Pixel,
      toward: [-Math.cos(angle) * lean, -Math.sin(angle) * lean] as Pixel,
      thick: random.between(2.4, 4.6),
      forks: Array.from({ length: random.whole(1, 3) }, () =>
        ({ from: random.between(0.3, 0.8), side: random.between(-0.6, 0.6) })),
      bend: random.between(-2, 2)
    }
  })
  const reach = radius + 15
  return {
    bounds: [part.x - reach, part.y - reach, part.x + reach, part.y + reach],
    draw: (camera, plate, top) => trunks.map(({ foot: [fx, fy], toward: [tx, ty], thick, forks, bend }) => {
      const along = (z: number, side = 0, from = 0): Pixel => camera.see(plate(
        fx + tx * z + bend * Math.sin(z / 9) + side * Math.max(0, z - from) * ty,
        fy + ty * z - side * Math.max(0, z - from) * tx, z))
      const scale = camera.scale(plate(fx, fy, 0))
      const rise = (from: number, side: number, width: number) => {
        const steps = Array.from({ length: 9 }, (_, at) => from + (top - from) * at / 8)
        return polyline(steps.map(z => along(z, side, from)), shade(part.color, 0.55), (width + 0.9) * scale) +
          polyline(steps.map(z => along(z, side, from)), shade(part.color, 0.85), width * scale)
      }
      return rise(0, 0, thick) + forks.map(({ from, side }) => rise(from * top, side * 3, thick * 0.6)).join('')
    }).join(''),
    solid: top => trunks.flatMap(({ foot: [fx, fy], toward: [tx, ty], thick, forks, bend }) => {
      const rise = (from: number, side: number, width: number): Disc[] =>
        Array.from({ length: Math.max(2, Math.ceil((top - from) / 0.5)) }, (_, at) => {
          const z = from + (top - from) * at / Math.max(1, Math.ceil((top - from) / 0.5) - 1)
          const lean = side * Math.max(0, z - from)
          return {
            x: fx + tx * z + bend * Math.sin(z / 9) + lean * ty,
            y: fy + ty * z - lean * tx,
            radius: width / 2,
            bottom: Math.max(0, z - 0.5),
            top: z
          }
        })
      return [...rise(0, 0, thick), ...forks.flatMap(({ from, side }) => rise(from * top, side * 3, thick * 0.6))]
    })
  }
}
