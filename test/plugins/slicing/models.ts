import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import type { PlacedInstance, Placement } from '../../../plugins/slicing/models/index.js'

type Corner = readonly [x: number, y: number, z: number]

/** A box as a binary STL. */
export function boxStl ([width, depth, height]: Corner, [x0, y0, z0]: Corner = [0, 0, 0]): Buffer {
  const at = (x: number, y: number, z: number): Corner => [x0 + x * width, y0 + y * depth, z0 + z * height]
  const sides: readonly (readonly Corner[])[] = [
    [at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)], [at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)],
    [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)], [at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)],
    [at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)], [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)]
  ]
  const triangles = sides.flatMap(([a, b, c, d]) => [[a!, b!, c!], [a!, c!, d!]])
  const stl = Buffer.alloc(84 + triangles.length * 50)
  stl.writeUInt32LE(triangles.length, 80)
  stl.writeUInt16LE(0x8080, 84 + 48) // PrusaSlicer takes a file without a byte above 127 at its beginning for text
  for (const [index, corners] of triangles.entries()) {
    const at = 84 + index * 50 + 12
    for (const [place, value] of corners.flat().entries()) stl.writeFloatLE(value, at + place * 4)
  }
  return stl
}

/** A box that lies on the bed, as the models' thread would have written it. */
export function placedBox (
  folder: string, id: number, size: Corner, [x, y]: readonly [number, number]
): PlacedInstance {
  const file = join(folder, `part-${id}.stl`)
  writeFileSync(file, boxStl(size, [x, y, 0]))
  return { id, name: basename(file), file, box: [x, y, x + size[0], y + size[1]], heightMm: size[2], triangles: 12 }
}

/** Pictures of nothing. */
export async function emptyPictures (folder: string): Promise<Placement['pictures']> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } }).png().toBuffer()
  const write = (name: string) => {
    const path = join(folder, `${name}.png`)
    writeFileSync(path, png)
    return path
  }
  return { plate: write('plate'), small: write('small'), top: write('top'), pick: write('pick') }
}
