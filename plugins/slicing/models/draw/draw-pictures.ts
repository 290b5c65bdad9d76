import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { Box, Matrix, Mesh, Vector } from '../mesh/mesh.js'
import type { CheckAborted } from '../refusal.js'
import type { BedArea, PlatePictures } from '../types.js'
import { Raster, type Shade } from './raster.js'
import { bedPoint, sideView, TO_CAMERA, topView } from './views.js'

/** A part on the bed, as it is drawn. */
export interface DrawnPart {
  readonly id: number
  readonly mesh: Mesh
  /** Moves the mesh onto the bed. */
  readonly place: Matrix
  readonly box: Box
  readonly color?: string | undefined
}

export interface DrawnBed {
  readonly bedMm: Vector
  readonly excluded: readonly BedArea[]
}

type Color = readonly [number, number, number]

const [LARGE, SMALL] = [512, 128]
/** Drawn larger and made smaller, so that edges are smooth. */
const OVERSAMPLING = 2
const NEUTRAL: Color = [0x8d, 0x99, 0xa6]
/** Where light comes from, for a person in front of the printer, and how strong it is. */
const LIGHTS: readonly (readonly [Vector, number])[] = [[[-0.4, -0.55, 0.73], 0.6], [[0.8, -0.4, 0.45], 0.25]]
const AMBIENT = 0.38
const BED: Color = [0x80, 0x88, 0x90]
const [BED_ALPHA, LINE_ALPHA, EXCLUDED_ALPHA] = [26, 64, 80]
/** Lines on the bed: how far apart, and how wide, mm. */
const [GRID_MM, LINE_MM] = [20, 0.5]

const colorOf = (color: string | undefined): Color => {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color ?? '') ?? []
  return red === undefined || green === undefined || blue === undefined
    ? NEUTRAL
    : [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)]
}

/** Surfaces that are inside out are lit as well: what is seen of them is their outside. */
function lit (color: Color, [cx, cy, cz]: Vector): Shade {
  return (x, y, z) => {
    const side = x * cx + y * cy + z * cz < 0 ? -1 : 1
    let light = AMBIENT
    for (const [to, strength] of LIGHTS) light += strength * Math.max(0, side * (x * to[0] + y * to[1] + z * to[2]))
    return [Math.min(255, color[0] * light), Math.min(255, color[1] * light), Math.min(255, color[2] * light)]
  }
}

/** Draws the bed where no part is seen. */
function drawBed (raster: Raster, view: Matrix, { bedMm: [width, depth], excluded }: DrawnBed): void {
  const pointAt = bedPoint(view)
  const isLine = (mm: number): boolean => Math.abs(mm - Math.round(mm / GRID_MM) * GRID_MM) < LINE_MM / 2
  for (let pixel = 0; pixel < raster.width * raster.height; pixel++) {
    if (raster.pixels[pixel * 4 + 3] !== 0) continue
    const [x, y] = pointAt(pixel % raster.width + 0.5, Math.floor(pixel / raster.width) + 0.5)
    if (!(x >= 0 && x <= width && y >= 0 && y <= depth)) continue
    const isExcluded = excluded.some(({ minX, minY, maxX, maxY }) => x >= minX && x <= maxX && y >= minY && y <= maxY)
    raster.set(pixel, BED, isExcluded ? EXCLUDED_ALPHA : isLine(x) || isLine(y) ? LINE_ALPHA : BED_ALPHA)
  }
}

/** Colours that are numbers: a part that is smaller than a pixel gets the one at its middle. */
function drawPick (parts: readonly DrawnPart[], view: Matrix, checkAborted: CheckAborted): Raster {
  const raster = new Raster(LARGE)
  const isSeen = new Set<number>()
  for (const { id, mesh, place } of parts) {
    checkAborted()
    raster.draw(mesh, place, view, () => [id & 0xff, (id >> 8) & 0xff, (id >> 16) & 0xff])
  }
  for (let at = 0; at < raster.pixels.length; at += 4) {
    isSeen.add(raster.pixels[at]! | raster.pixels[at + 1]! << 8 | raster.pixels[at + 2]! << 16)
  }
  for (const { id, box: { min, max } } of parts) {
    if (isSeen.has(id)) continue
    const x = Math.floor(view[0] * (min[0] + max[0]) / 2 + view[3])
    const y = Math.floor(view[5] * (min[1] + max[1]) / 2 + view[7])
    raster.set(y * raster.width + x, [id & 0xff, (id >> 8) & 0xff, (id >> 16) & 0xff])
  }
  return raster
}

const png = (raster: Raster, size: number): Sharp => {
  const image = sharp(raster.pixels, { raw: { width: raster.width, height: raster.height, channels: 4 } })
  return (raster.width === size ? image : image.resize(size, size)).png()
}

/** Draws what lies on a bed. @returns the names of the files in the folder */
export async function drawPictures (
  parts: readonly DrawnPart[], bed: DrawnBed, folder: string, checkAborted: CheckAborted
): Promise<PlatePictures> {
  const pictures = { plate: 'plate.png', small: 'plate-small.png', top: 'top.png', pick: 'pick.png' }
  const large = LARGE * OVERSAMPLING
  const draw = (view: Matrix, camera: Vector): Raster => {
    const raster = new Raster(large)
    for (const { mesh, place, color } of parts) {
      checkAborted()
      raster.draw(mesh, place, view, lit(colorOf(color), camera))
    }
    return raster
  }
  const side = sideView(large, parts.map(({ box }) => box))
  const plate = draw(side, TO_CAMERA)
  drawBed(plate, side, bed)
  await png(plate, LARGE).toFile(join(folder, pictures.plate))
  await png(plate, SMALL).toFile(join(folder, pictures.small))
  const top = draw(topView({ pixels: large, bedMm: bed.bedMm }), [0, 0, 1])
  await png(top, LARGE).toFile(join(folder, pictures.top))
  const pick = drawPick(parts, topView({ pixels: LARGE, bedMm: bed.bedMm }), checkAborted)
  await png(pick, LARGE).toFile(join(folder, pictures.pick))
  return pictures
}
