import type { Camera, Pixel, Place } from './camera.js'
import { polyline, shade, type Rgb } from './draw.js'
import type { Random } from './random.js'

interface Strand { readonly places: readonly Place[], readonly light: number, readonly thick: number }

/** Filament that was laid into the air: strands in the order in which they came. */
export interface Tangle { readonly strands: readonly Strand[], readonly color: Rgb }

/** Where a strand begins and how far it strays, in mm. */
export interface TangleShape {
  readonly x: number,
  readonly y: number,
  readonly radius: number,
  readonly height: number
}

const STEP_MM = 2.5

function strandOf (random: Random, { x, y, radius, height }: TangleShape): Strand {
  let place: [number, number, number] = [x + random.bell() * radius * 0.3, y + random.bell() * radius * 0.3,
    random.between(0, height)]
  let heading = random.between(0, 6.3)
  let curl = random.bell() * 0.3
  const places: Place[] = []
  for (let step = random.whole(25, 90); step > 0; step--) {
    curl = 0.9 * curl + 0.18 * random.bell()
    heading += curl
    const [dx, dy] = [x - place[0], y - place[1]]
    if (Math.hypot(dx, dy) > radius) heading += 0.35 * Math.sign(Math.cos(heading) * dy - Math.sin(heading) * dx)
    place = [
      place[0] + STEP_MM * Math.cos(heading),
      place[1] + STEP_MM * Math.sin(heading),
      Math.max(0.5, Math.min(height, place[2] + random.bell() * 1.6))
    ]
    places.push(place)
  }
  return { places, light: random.between(0.55, 1.05), thick: random.between(0.5, 1) }
}

export const createTangle = (random: Random, shape: TangleShape, color: Rgb, count: number): Tangle =>
  ({ strands: Array.from({ length: count }, () => strandOf(random, shape)), color })

/** The first so many strands; what hangs in the air trembles a little. */
export function drawTangle ({ strands, color }: Tangle, camera: Camera, plate: (x: number, y: number,
  z?: number) => Place,
share: number, random: Random): string {
  return strands.slice(0, Math.round(strands.length * share)).map(({ places, light, thick }) => {
    const [first = [0, 0, 0]] = places
    const tremble = random.bell() * 0.3
    return polyline(places.map(([x, y, z]) => camera.see(plate(x + tremble, y, z))), shade(color, light),
      Math.max(0.9, thick * camera.scale(plate(first[0], first[1], first[2]))))
  }).join('')
}

/** Where the strands of that share are, in pixels of the picture. */
export const pixelsOf = ({ strands }: Tangle, camera: Camera, plate: (x: number, y: number, z?: number) => Place,
  share: number): Pixel[] =>
  strands.slice(0, Math.round(strands.length * share)).flatMap(({ places }) =>
    places.map(([x, y, z]) => camera.see(plate(x, y, z))))
