import type { Frame, Rendition } from './frame.js'
import { isNative, SIZES } from './frame.js'

/** No camera sends larger pictures; they would take seconds and much memory. */
const MOST_PIXELS = 12_000_000

type Sharp = (typeof import('sharp'))['default']
let loaded: Promise<Sharp> | undefined

/** Loaded on first use, as most viewers take the original pictures. sharp's cache is off: no picture comes twice. */
async function sharpOf (): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    return sharp
  })
  return await loaded
}

const made = new WeakMap<Frame, Map<string, Promise<Buffer>>>()

/** The picture in another size and quality: rendered once for all viewers, and cached as long as the frame exists. */
export function jpegOf (frame: Frame, rendition: Rendition): Promise<Buffer> {
  if (isNative(rendition)) return Promise.resolve(frame.jpeg)
  const renderings = made.get(frame) ?? new Map<string, Promise<Buffer>>()
  made.set(frame, renderings)
  const key = renditionKey(rendition)
  const known = renderings.get(key) ?? render(frame, rendition)
  renderings.set(key, known)
  return known
}

export const renditionKey = ({ resolution, quality }: Rendition): string => `${resolution} ${quality}`

/** Exactly the requested size, whatever the camera's aspect ratio. */
async function render ({ jpeg }: Frame, { resolution, quality }: Rendition): Promise<Buffer> {
  const sharp = await sharpOf()
  const image = sharp(jpeg, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
  if (resolution !== 'native') {
    const [width, height] = SIZES[resolution]
    image.resize(width, height, { fit: 'fill' })
  }
  return await image.jpeg({ quality }).toBuffer()
}

/** The size of the delivered picture. */
export const sizeOf = ({ width, height }: Frame, { resolution }: Rendition): { width: number, height: number } => {
  if (resolution === 'native') return { width, height }
  const [wide, high] = SIZES[resolution]
  return { width: wide, height: high }
}
