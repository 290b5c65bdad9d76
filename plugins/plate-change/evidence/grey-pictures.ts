import type { PictureRow } from '../tables.js'
import { BLOCK, type Difference, type GreyPicture } from './compare-pictures.js'

/** px: a part of a few millimetres is some pixels wide, and a comparison takes milliseconds. */
const WIDTH = 160
const HEIGHT = 90
/** px, of pictures that are stored and shown. */
const SHOWN_WIDTH = 640
const MOST_PIXELS = 40_000_000
const QUALITY = 80
const MOST_CACHED = 400

/** Loaded on first use: most services compare no pictures. */
const library = async () => (await import('sharp')).default

/** All pictures get one shape, whatever the camera's resolution was then. */
export async function greyPicture (jpeg: Buffer): Promise<GreyPicture> {
  const sharp = await library()
  const { data, info } = await sharp(jpeg, { limitInputPixels: MOST_PIXELS })
    .resize(WIDTH, HEIGHT, { fit: 'fill' }).greyscale().raw().toBuffer({ resolveWithObject: true })
  if (info.channels === 1) return { width: WIDTH, height: HEIGHT, grey: data }
  return { width: WIDTH, height: HEIGHT, grey: data.filter((_, at) => at % info.channels === 0) }
}

/** Small enough to be stored. */
export async function storedPicture (jpeg: Buffer): Promise<Buffer> {
  const sharp = await library()
  return await sharp(jpeg, { limitInputPixels: MOST_PIXELS })
    .resize(SHOWN_WIDTH, undefined, { withoutEnlargement: true }).jpeg({ quality: QUALITY }).toBuffer()
}

/** The picture with the blocks that differ from the empty plate. @param limit from which a block is marked */
export async function markedPicture (
  jpeg: Buffer, { blocks, columns }: Difference, limit: number
): Promise<Buffer> {
  const sharp = await library()
  const { data, info: { width, height } } = await sharp(jpeg, { limitInputPixels: MOST_PIXELS })
    .resize(SHOWN_WIDTH, undefined, { withoutEnlargement: true }).toBuffer({ resolveWithObject: true })
  const [stepX, stepY] = [width / WIDTH * BLOCK, height / HEIGHT * BLOCK]
  const marks = [...blocks].flatMap((score, at) => score > limit
    ? [`<rect x="${at % columns * stepX}" y="${Math.floor(at / columns) * stepY}" width="${stepX}" height="${stepY}"/>`]
    : [])
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#ff2d55" fill-opacity=".5">${marks.join('')}</svg>`
  return await sharp(data).composite([{ input: Buffer.from(svg) }]).jpeg({ quality: QUALITY }).toBuffer()
}

/** Grey levels of stored pictures, by their id. */
export class GreyCache {
  readonly #known = new Map<string, GreyPicture>()

  async of ({ id, jpeg }: Pick<PictureRow, 'id' | 'jpeg'>): Promise<GreyPicture> {
    const grey = this.#known.get(id) ?? await greyPicture(Buffer.from(jpeg, 'base64'))
    this.#known.set(id, grey)
    for (const old of this.#known.keys()) if (this.#known.size > MOST_CACHED) this.#known.delete(old)
    return grey
  }
}
