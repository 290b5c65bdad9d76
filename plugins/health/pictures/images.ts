import sharp from 'sharp'
import type { Picture } from '../analysis/picture.js'
import { COLORS } from './colors.js'

/** The thread serves one analysis at a time and never decodes a picture twice. */
sharp.cache(false)
sharp.concurrency(1)

/** No camera has larger pictures, and decoding them takes seconds and much memory. */
const MOST_PIXELS = 12_000_000

export interface Size { readonly width: number, readonly height: number }

export async function decodeImage (bytes: Uint8Array, size?: Size): Promise<Picture> {
  const image = sharp(bytes, {
    limitInputPixels: MOST_PIXELS,
    failOn: 'error'
  }).flatten({ background: COLORS.page }).toColourspace('srgb')
  const fitted = size ? image.resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' }) : image
  const { data, info } = await fitted.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
}

const open = ({ width, height, data }: Picture) => sharp(data, { raw: { width, height, channels: 3 } })

/** @param smoothly false for nearest neighbour, which preserves hard edges */
export async function resizeImage (picture: Picture, { width, height }: Size, smoothly = true): Promise<Picture> {
  if (picture.width === width && picture.height === height) return picture
  const data = await open(picture).resize(width, height, { fit: 'fill', kernel: smoothly ? 'lanczos3' : 'nearest' }).raw().toBuffer()
  return { width, height, data }
}

/** Fits a picture into a box with a dark background. */
export async function fitInto (bytes: Uint8Array, { width, height }: Size): Promise<Picture> {
  const data = await sharp(bytes, { limitInputPixels: MOST_PIXELS })
    .flatten({ background: '#141414' }).resize(width, height, { fit: 'contain', background: '#141414' })
    .toColourspace('srgb').removeAlpha().raw().toBuffer()
  return { width, height, data }
}

export const svg = ({ width, height }: Size, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`

export async function overlaid (picture: Picture, body: string): Promise<Picture> {
  const { width, height } = picture
  const data = await open(picture).composite([{
    input: Buffer.from(svg(picture, body)),
    top: 0,
    left: 0
  }]).removeAlpha().raw().toBuffer()
  return { width, height, data }
}

/** Draws on a black background. */
export const drawn = (size: Size, body: string): Promise<Picture> =>
  overlaid({ ...size, data: new Uint8Array(size.width * size.height * 3) }, body)

/** Arranges pictures on a black background. */
export async function arranged ({ width, height }: Size, parts: readonly {
  picture: Picture,
  left: number,
  top: number
}[], body: string): Promise<Picture> {
  const data = await sharp({ create: { width, height, channels: 3, background: COLORS.page } }).composite([
    ...parts.map(({ picture: { width, height, data }, left, top }) =>
      ({
        input: Buffer.from(data.buffer, data.byteOffset, data.length),
        raw: {
          width,
          height,
          channels: 3 as const
        },
        left,
        top
      })),
    { input: Buffer.from(svg({ width, height }, body)), left: 0, top: 0 }
  ]).removeAlpha().raw().toBuffer()
  return { width, height, data }
}

const LEVEL = 6
export const toPng = (picture: Picture): Promise<Buffer> => open(picture).png({ compressionLevel: LEVEL }).toBuffer()
export const toJpeg = (picture: Picture, quality: number): Promise<Buffer> =>
  open(picture).jpeg({ quality }).toBuffer()

/** Converts any picture to PNG without transparency. */
export const asPng = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: MOST_PIXELS }).flatten({ background: '#141414' }).png().toBuffer()
