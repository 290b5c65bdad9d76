import type { Camera, Pixel, Place } from './camera.js'
import { polygon, polyline, shade, type Rgb } from './draw.js'
import type { Random } from './random.js'

export const COLORS: readonly Rgb[] =
  [[40, 90, 200], [235, 120, 30], [228, 228, 224], [32, 32, 34], [200, 40, 36], [50, 160, 70], [140, 140, 144]]

export interface Part {
  readonly x: number
  readonly y: number
  readonly color: Rgb
  /** mm when finished. */
  readonly height: number
  readonly outline: readonly Pixel[]
  /** How the outline changes with height. */
  readonly bulge: number
  readonly infill: 'grid' | 'zigzag' | 'gyroid' | 'rings'
  readonly lights: readonly number[]
  /** Another colour every so many mm, as a wipe tower has. */
  readonly stripe: Rgb | undefined
}

const LAYER_MM = 1.1

export function createPart (random: Random, x: number, y: number, size: number, color: Rgb): Part {
  const corners = random.of([4, 4, 6, 12, 24, 24])
  const teeth = corners === 24 && random.chance(0.4) ? 0.15 : 0
  const turn = random.between(0, 6.3)
  const height = random.between(12, 75)
  return {
    x,
    y,
    color,
    height,
    outline: Array.from({ length: corners }, (_, at) => {
      const angle = turn + at / corners * 2 * Math.PI
      const radius = size * (at % 2 === 0 ? 1 - teeth : 1 + teeth)
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    }),
    bulge: random.chance(0.5) ? 0 : random.between(-0.35, 0.35),
    infill: random.of(['grid', 'zigzag', 'gyroid', 'rings']),
    lights: Array.from({ length: Math.ceil(height / LAYER_MM) }, () => random.between(0.9, 1.06)),
    stripe: random.chance(0.12) ? random.of(COLORS) : undefined
  }
}

type OnPlate = (x: number, y: number, z?: number) => Place

function topLines ({ x, y, outline, infill }: Part, grow: number): Pixel[][] {
  const reach = 0.7 * grow * Math.max(...outline.map(([dx]) => Math.abs(dx)))
  const steps = Array.from({ length: 9 }, (_, at) => -reach + at / 8 * 2 * reach)
  if (infill === 'rings') {
    return [0.35, 0.6, 0.85].map(share => [...outline, ...outline.slice(0, 1)].map(([dx,
      dy]): Pixel => [x + dx * share * grow, y + dy * share * grow]))
  }
  if (infill === 'zigzag') return [steps.map((off, at): Pixel => [x + off, y + (at % 2 === 0 ? reach : -reach)])]
  const wave = infill === 'gyroid' ? reach * 0.11 : 0
  const run = (off: number) => Array.from({ length: 25 }, (_, at): Pixel =>
    [x - reach + at / 24 * 2 * reach, y + off + wave * Math.sin(at * 0.9 + off)])
  return [...steps.map(run), ...(infill === 'grid'
    ? steps.map(off => [[x + off, y - reach] as Pixel, [x + off,
      y + reach] as Pixel])
    : [])]
}

/** What has been printed of a part, layer upon layer, with its open top. */
export function drawPart (part: Part, camera: Camera, plate: OnPlate, share: number): string {
  const { x, y, color, height, outline, bulge, lights, stripe } = part
  const top = Math.max(LAYER_MM, height * share)
  const growAt = (z: number) => 1 + bulge * Math.sin(z / height * Math.PI)
  const pieces: string[] = []
  for (let z = 0, layer = 0; z <= top; z += LAYER_MM, layer++) {
    const paint = stripe && Math.floor(z / 6) % 2 === 1 ? stripe : color
    const grow = growAt(z)
    const light = lights[layer % lights.length] ?? 1
    pieces.push(polygon(outline.map(([dx, dy]) => camera.see(plate(x + dx * grow, y + dy * grow, z))),
      shade(paint, 0.8 * light), shade(paint, 0.62 * light), 0.8))
  }
  const grow = growAt(top)
  pieces.push(polygon(outline.map(([dx, dy]) => camera.see(plate(x + dx * grow, y + dy * grow, top))),
    shade(color, 1), shade(color, 1.15), 1.4))
  for (const line of topLines(part, grow)) {
    pieces.push(polyline(line.map(([px, py]) => camera.see(plate(px, py, top))), shade(color, 0.72),
      0.55 * camera.scale(plate(x, y, top))))
  }
  return pieces.join('')
}

/** Thin trunks with branches under a part, as tree supports are. */
export function drawSupports (random: Random, part: Part, camera: Camera, plate: OnPlate, share: number): string {
  const top = part.height * share
  return Array.from({ length: 5 }, () => {
    const [fromX, fromY] = [part.x + random.between(-45, 45), part.y + random.between(-45, 45)]
    const lean = random.between(-0.35, 0.35)
    const trunk = [0, 0.25, 0.5, 0.75, 1].map(step => camera.see(plate(fromX + lean * top * step, fromY, top * step)))
    return polyline(trunk, shade(part.color, 0.85), 3.2 * camera.scale(plate(fromX, fromY, 0)))
  }).join('')
}
