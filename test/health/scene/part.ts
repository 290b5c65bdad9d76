import type { Camera, Pixel, Place } from './camera.js'
import { polygon, polyline, shade, type Rgb } from './draw.js'
import { COLORS, type Look } from './looks.js'
import type { Random } from './random.js'

export interface Part {
  readonly x: number
  readonly y: number
  readonly look: Look
  readonly color: Rgb
  /** mm when finished. */
  readonly height: number
  readonly outline: readonly Pixel[]
  /** How the outline changes with height. */
  readonly bulge: number
  /** By how much it turns with each mm, as vases do. */
  readonly twist: number
  readonly infill: 'grid' | 'zigzag' | 'gyroid' | 'rings'
  readonly lights: readonly number[]
  /** Another colour every so many mm, as a wipe tower has. */
  readonly stripe: Rgb | undefined
}

/** What has become of a part. */
export interface Condition {
  /** What was printed of it, from the plate up, mm. */
  readonly top: number
  /** From this height on the layers lie elsewhere. */
  readonly shift?: { readonly from: number, readonly x: number, readonly y: number }
  /** So many mm a corner has come up. */
  readonly lift?: number
  /** It has left the picture. */
  readonly isGone?: boolean
  /** It lies elsewhere, turned and on its side. */
  readonly away?: { readonly x: number, readonly y: number, readonly turn: number, readonly tilt: number }
}

export const LAYER_MM = 1.1
const LOBES = 5

function outlineOf (random: Random, look: Look, size: number): Pixel[] {
  if (look === 'vase') {
    return Array.from({ length: 40 }, (_, at) => {
      const angle = at / 40 * 2 * Math.PI
      const radius = size * (1 + 0.16 * Math.cos(LOBES * angle))
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    })
  }
  const corners = random.of([4, 4, 6, 12, 24, 24])
  const teeth = corners === 24 && random.chance(0.4) ? 0.15 : 0
  const turn = random.between(0, 6.3)
  return Array.from({ length: corners }, (_, at) => {
    const angle = turn + at / corners * 2 * Math.PI
    const radius = size * (at % 2 === 0 ? 1 - teeth : 1 + teeth)
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })
}

export function createPart (random: Random, look: Look, x: number, y: number, size: number, color: Rgb): Part {
  const isVase = look === 'vase'
  const outline = outlineOf(random, look, size)
  const height = isVase ? random.between(45, 75) : random.between(12, 75)
  return {
    x,
    y,
    look,
    color,
    height,
    outline,
    bulge: isVase ? random.between(-0.3, 0.3) : random.chance(0.5) ? 0 : random.between(-0.35, 0.35),
    twist: isVase ? random.between(-0.03, 0.03) : 0,
    infill: random.of(['grid', 'zigzag', 'gyroid', 'rings']),
    lights: Array.from({ length: Math.ceil(height / LAYER_MM) }, () => random.between(0.9, 1.06)),
    stripe: !isVase && random.chance(0.12) ? random.of(COLORS) : undefined
  }
}

export type OnPlate = (x: number, y: number, z?: number) => Place

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

/** Corners on one side come up, the lowest layers most. */
const lifted = (dx: number, dy: number, z: number, size: number, lift: number): number =>
  lift * Math.max(0, (dx - dy) / size - 0.4) * Math.max(0, 1 - z / 30)

/** Places of a part's own outline as it lies now. */
function layerAt (part: Part, { shift, lift = 0, away }: Condition,
  plate: OnPlate): (z: number, share?: number) => Place[] {
  const { x, y, height, outline, bulge, twist } = part
  const size = Math.max(...outline.map(([dx, dy]) => Math.hypot(dx, dy)))
  return (z, share = 1) => {
    const grow = share * (1 + bulge * Math.sin(z / height * Math.PI))
    const turn = twist * z + (away?.turn ?? 0)
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const [moveX, moveY] = shift && z > shift.from ? [shift.x, shift.y] : [0, 0]
    return outline.map(([dx, dy]) => {
      const [ax, ay] = [(dx * cos - dy * sin) * grow, (dx * sin + dy * cos) * grow]
      if (!away) return plate(x + ax + moveX, y + ay + moveY, z + lifted(dx, dy, z, size, lift))
      const [ct, st] = [Math.cos(away.tilt), Math.sin(away.tilt)]
      return plate(x + away.x + ax * ct - z * st, y + away.y + ay, Math.max(0, z * ct + (ax + size) * st))
    })
  }
}

/** Bands of light along the side that faces the lamp. */
function highlights (color: Rgb, layers: readonly Pixel[][]): string {
  const count = layers[0]?.length ?? 0
  const bright = Math.max(...color) < 90 ? 3.4 : 1.9
  return [0.12, 0.2, 0.62].map((share, at) => {
    const run = layers.map(layer => layer[Math.floor(share * count)]).filter(point => point !== undefined)
    return polyline(run, shade(color, bright - at * 0.2), at === 0 ? 5 : 2)
  }).join('')
}

/** What has been printed of a part, layer upon layer, with its open top. */
export function drawPart (part: Part, camera: Camera, plate: OnPlate, condition: Condition): string {
  if (condition.isGone === true) return ''
  const { x, y, color, height, bulge, lights, stripe, look } = part
  const top = Math.max(LAYER_MM, condition.top)
  const at = layerAt(part, condition, plate)
  const seen = (z: number, share?: number): Pixel[] => at(z, share).map(camera.see)
  const pieces: string[] = []
  const layers: Pixel[][] = []
  for (let z = 0, layer = 0; z <= top; z += LAYER_MM, layer++) {
    const paint = stripe && Math.floor(z / 6) % 2 === 1 ? stripe : color
    const light = lights[layer % lights.length] ?? 1
    const outline = seen(z)
    layers.push(outline)
    pieces.push(polygon(outline, shade(paint, 0.8 * light), shade(paint, 0.62 * light), 0.8))
  }
  if (look === 'glossy') pieces.push(highlights(color, layers))
  pieces.push(polygon(seen(top), shade(color, 1), shade(color, 1.15), 1.4))
  if (look === 'vase') pieces.push(polygon(seen(top, 0.93), shade(color, 0.45), shade(color, 0.7), 1))
  else if (!condition.away) {
    const { shift } = condition
    const [moveX, moveY] = shift && top > shift.from ? [shift.x, shift.y] : [0, 0]
    for (const line of topLines(part, 1 + bulge * Math.sin(top / height * Math.PI))) {
      pieces.push(polyline(line.map(([px, py]) => camera.see(plate(px + moveX, py + moveY, top))), shade(color, 0.72),
        0.55 * camera.scale(plate(x, y, top))))
    }
  }
  if (look === 'glossy') pieces.push(polygon(seen(top, 0.35), shade(color, 1.5)))
  return pieces.join('')
}
