import type { Frame } from '../../camera/index.js'

const MOST = { width: 1920, height: 1080 } as const
/** No camera sends larger pictures. */
const MOST_PIXELS = 40_000_000

/** The JPEG of a picture, at most 1080p. */
export async function shrink ({ jpeg, width, height }: Pick<Frame, 'jpeg' | 'width' | 'height'>): Promise<Buffer> {
  if (width <= MOST.width && height <= MOST.height) return jpeg
  const { default: sharp } = await import('sharp') // loaded on first use: most pictures are not larger
  return await sharp(jpeg, { limitInputPixels: MOST_PIXELS }).resize({ ...MOST, fit: 'inside' }).jpeg().toBuffer()
}
