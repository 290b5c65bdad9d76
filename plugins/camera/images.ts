import type { Frame, Look } from './frame.js'
import { isNative, SIZES } from './frame.js'

/** Larger pictures are no camera's, and take seconds and much memory. */
const MOST_PIXELS = 12_000_000

type Sharp = (typeof import('sharp'))['default']
let loaded: Promise<Sharp> | undefined

/** Loaded on first use, as most take the pictures as they are. Its own cache would keep what never returns. */
async function sharpOf (): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    return sharp
  })
  return await loaded
}

const made = new WeakMap<Frame, Map<string, Promise<Buffer>>>()

/** The picture in another size and quality: made once, however many want it, and kept as long as the frame is. */
export function jpegOf (frame: Frame, look: Look): Promise<Buffer> {
  if (isNative(look)) return Promise.resolve(frame.jpeg)
  const looks = made.get(frame) ?? new Map<string, Promise<Buffer>>()
  made.set(frame, looks)
  const key = keyOf(look)
  const known = looks.get(key) ?? render(frame, look)
  looks.set(key, known)
  return known
}

export const keyOf = ({ resolution, quality }: Look): string => `${resolution} ${quality}`

/** Exactly the size that was asked for, whatever the camera's proportions. */
async function render ({ jpeg }: Frame, { resolution, quality }: Look): Promise<Buffer> {
  const sharp = await sharpOf()
  const image = sharp(jpeg, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
  if (resolution !== 'native') {
    const [width, height] = SIZES[resolution]
    image.resize(width, height, { fit: 'fill' })
  }
  return await image.jpeg({ quality }).toBuffer()
}

/** The size of the picture as delivered. */
export const sizeOf = ({ width, height }: Frame, { resolution }: Look): { width: number, height: number } => {
  if (resolution === 'native') return { width, height }
  const [wide, high] = SIZES[resolution]
  return { width: wide, height: high }
}
