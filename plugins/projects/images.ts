import { LARGEST_SIDE } from './limits.js'

export const QUALITIES = ['preview', 'standard', 'full'] as const
export type Quality = (typeof QUALITIES)[number]

interface Tier { readonly width: number, readonly height: number, readonly jpegQuality: number }

const TIERS: Readonly<Record<Quality, Tier>> = {
  preview: { width: 320, height: 180, jpegQuality: 65 },
  standard: { width: 640, height: 360, jpegQuality: 75 },
  full: { width: LARGEST_SIDE, height: LARGEST_SIDE, jpegQuality: 85 }
}

/** Replaces transparency. */
const BACKGROUND = '#FFFFFF'

export const qualityOf = (text: string | undefined): Quality => QUALITIES.find(name => name === text?.trim().toLowerCase()) ?? 'standard'

const SIGNATURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HEADER_LENGTH = 24

/** True for a PNG whose declared sides are small enough to decode safely. */
export function isPlainPng (bytes: Buffer): boolean {
  if (bytes.length < HEADER_LENGTH || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false
  return [16, 20].every(at => {
    const side = bytes.readUInt32BE(at)
    return side > 0 && side <= LARGEST_SIDE
  })
}

const library = async () => (await import('sharp')).default // loaded on first use: most services never need it

const decoder = async (bytes: Buffer) => (await library())(bytes, { limitInputPixels: LARGEST_SIDE ** 2, failOn: 'error' })

export interface Jpeg { readonly bytes: Buffer, readonly width: number, readonly height: number }

/**
 * The picture as JPEG in one of three sizes: never enlarged, in its own proportions.
 * @returns undefined when it cannot be decoded
 */
export async function toJpeg (bytes: Buffer, quality: Quality): Promise<Jpeg | undefined> {
  const { width, height, jpegQuality } = TIERS[quality]
  return await (await decoder(bytes))
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: BACKGROUND })
    .jpeg({ quality: jpegQuality })
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info }) => ({ bytes: data, width: info.width, height: info.height }), () => undefined)
}

/** Pixels of four bytes: red, green, blue, opacity. */
export interface Pixels { readonly data: Buffer, readonly width: number, readonly height: number }

const MOST_PIXELS = 1024 ** 2

/** @returns undefined for a picture that cannot be decoded or is larger than any slicer's */
export async function toPixels (bytes: Buffer): Promise<Pixels | undefined> {
  if (bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > MOST_PIXELS) return undefined
  return await (await decoder(bytes)).ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    .then(({ data, info }) => info.channels === 4 ? { data, width: info.width, height: info.height } : undefined,
      () => undefined)
}

/** Size of a picture, px. */
export interface Place { readonly width: number, readonly height: number }

/** Composes a drawing, a picture and another drawing from bottom to top; the drawings give the size of the result. */
export async function composeImage (ground: string, picture: Buffer, { width, height }: Place, above: string):
Promise<Buffer> {
  const sharp = await library()
  const resized = await (await decoder(picture)).ensureAlpha().resize({ width, height, fit: 'fill' }).png().toBuffer()
  return await sharp(Buffer.from(ground))
    .composite([{ input: resized, top: 0, left: 0 }, { input: Buffer.from(above), top: 0, left: 0 }])
    .png()
    .toBuffer()
}

/** Width and height declared in a PNG's header. */
export const sidesOf = (png: Buffer): Place => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

export const dataUri = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`
