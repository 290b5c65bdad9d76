import { createCanvas, type Canvas, type Colour, type Point } from './canvas.js'
import type { Material, Placed, PlateScene, Target } from './scene.js'
import { place, towerBounds } from './scene.js'

const SIDE_PX = 512
const SMALL_PX = 128
const OPAQUE = 255
const TOWER_COLOUR: Colour = [180, 180, 180, OPAQUE]

function colourOf (materials: readonly Material[], filament: number, shade = 1): Colour {
  const color = materials.find(({ id }) => id === filament)?.color ?? '#808080'
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => Math.round(parseInt(color.slice(at, at + 2), 16) * shade))
  // A black object would look like a hole.
  return [Math.max(r, 24), Math.max(g, 24), Math.max(b, 24), OPAQUE]
}

/** Top view: the bed fills the picture in one direction. */
function fromAbove (canvas: Canvas, [width, depth]: Target['bed'], bounds: Placed['bounds'], shape: Placed['shape'],
  colour: Colour): void {
  const scale = Math.min(canvas.size / width, canvas.size / depth)
  const [dx, dy] = [(canvas.size - width * scale) / 2, (canvas.size - depth * scale) / 2]
  const [x0, y0, x1, y1] = [dx + bounds[0] * scale, canvas.size - dy - bounds[3] * scale,
    dx + bounds[2] * scale, canvas.size - dy - bounds[1] * scale]
  if (shape === 'round') canvas.ellipse([(x0 + x1) / 2, (y0 + y1) / 2], [(x1 - x0) / 2, (y1 - y0) / 2], colour)
  else canvas.fill([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], colour)
}

type Drawn = Pick<Placed, 'bounds' | 'shape' | 'height'>

/** From a corner and above; `fit` keeps the whole bed in the picture. */
function fromCorner (canvas: Canvas, bed: Target['bed'], { bounds, shape, height }: Drawn, shades: readonly Colour[]): void {
  const fit = canvas.size / (bed[0] + bed[1]) * 1.05
  const at = (x: number, y: number, z: number): Point => [
    canvas.size / 2 + (x - bed[0] / 2 - (y - bed[1] / 2)) * fit * 0.86,
    canvas.size * 0.58 - (x - bed[0] / 2 + (y - bed[1] / 2)) * fit * 0.5 - z * fit
  ]
  const [x0, y0, x1, y1] = bounds
  const [top = TOWER_COLOUR, left = top, right = top] = shades
  if (shape === 'round') {
    const radii: Point = [(x1 - x0) * fit * 0.61, (x1 - x0) * fit * 0.35]
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2]
    for (let z = 0; z < height; z += 0.5) canvas.ellipse(at(cx, cy, z), radii, left)
    return canvas.ellipse(at(cx, cy, height), radii, top)
  }
  canvas.fill([at(x0, y0, 0), at(x0, y1, 0), at(x0, y1, height), at(x0, y0, height)], left)
  canvas.fill([at(x0, y0, 0), at(x1, y0, 0), at(x1, y0, height), at(x0, y0, height)], right)
  canvas.fill([at(x0, y0, height), at(x1, y0, height), at(x1, y1, height), at(x0, y1, height)], top)
}

const far = ({ bounds: [x, y] }: Placed): number => x + y

function preview (px: number, things: readonly Placed[], bed: Target['bed'], materials: readonly Material[], flat: boolean): Buffer {
  const canvas = createCanvas(px)
  for (const thing of things.toSorted((a, b) => far(b) - far(a))) {
    const shades = (flat ? [1, 1, 1] : [1, 0.62, 0.8]).map(shade => colourOf(materials, thing.filament, shade))
    fromCorner(canvas, bed, thing, shades)
  }
  return canvas.png()
}

function above (things: readonly Placed[], tower: boolean, bed: Target['bed'], colour: (thing: Placed) => Colour,
  towerColour: Colour | undefined): Buffer {
  const canvas = createCanvas(SIDE_PX)
  for (const thing of things) fromAbove(canvas, bed, thing.bounds, thing.shape, colour(thing))
  if (tower && towerColour) fromAbove(canvas, bed, towerBounds(bed), 'block', towerColour)
  return canvas.png()
}

/** The id of an object as a colour: red, green, blue from the lowest byte up. */
const colourOfId = ({ id }: Placed): Colour => [id & 255, (id >> 8) & 255, (id >> 16) & 255, OPAQUE]

/** All pictures that a slicer draws of a plate, by the prefix of their names. */
export function drawPlatePictures (scene: PlateScene, { bed }: Target, materials: readonly Material[]) {
  const things = place(scene, bed)
  const tower = scene.tower === true
  return {
    plate: preview(SIDE_PX, things, bed, materials, false),
    small: preview(SMALL_PX, things, bed, materials, false),
    unlit: preview(SIDE_PX, things, bed, materials, true),
    top: above(things, tower, bed, ({ filament }) => colourOf(materials, filament), TOWER_COLOUR),
    pick: above(things, tower, bed, colourOfId, undefined)
  }
}
