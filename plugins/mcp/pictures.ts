import type { ImageContent } from '@modelcontextprotocol/sdk/types.js'

/** An encoded picture: JPEG or PNG. */
export interface ToolPicture { readonly bytes: Uint8Array }

/** Longest side of a picture for an agent, px. */
export const LONG_SIDE = 1_024

type Sharp = (typeof import('sharp'))['default']

/** Loaded on first use, since most installations never need it. */
const library = async (): Promise<Sharp> => (await import('sharp')).default

/** Printers have no larger pictures, and decoding them would take seconds and much memory. */
const MOST_PIXELS = 12_000_000
const open = async (bytes: Uint8Array) => (await library())(bytes, { limitInputPixels: MOST_PIXELS })

const QUALITY = 80
/** Replaces transparency, which JPEG lacks. */
const BACKGROUND = '#FFFFFF'

/**
 * The same picture as a JPEG in base64.
 * @param longSide px at most; a picture is never enlarged
 */
export async function asJpeg ({ bytes }: ToolPicture, longSide = LONG_SIDE): Promise<string> {
  const jpeg = await (await open(bytes))
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: BACKGROUND })
    .jpeg({ quality: QUALITY })
    .toBuffer()
  return jpeg.toString('base64')
}

export const asBlock = async (picture: ToolPicture, longSide: number): Promise<ImageContent> =>
  ({ type: 'image', mimeType: 'image/jpeg', data: await asJpeg(picture, longSide) })

const DATA_URI = /^data:image\/(png|jpeg);base64,/

export const isPicture = (value: unknown): value is string => typeof value === 'string' && DATA_URI.test(value)

export const pictureOf = (uri: string): ToolPicture =>
  ({ bytes: Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64') })

/** The distinct data URIs in an answer, in order of appearance. */
export function picturesIn (value: unknown): string[] {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    if (isPicture(part)) found.add(part)
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner)
  }
  visit(value)
  return [...found]
}

/** A copy of the answer with its pictures replaced by text. */
export const withPictures = (value: unknown, textOf: (uri: string) => string): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => isPicture(part) ? textOf(part) : part))

/** Scale factor of each attempt, and the smallest useful side, px. */
const STEP = 0.7
const SMALLEST_SIDE = 32

/** Scales a picture down, in its own format, until its data URI has at most `mostChars` characters. */
export async function shrunk (uri: string, mostChars: number): Promise<string> {
  if (uri.length <= mostChars) return uri
  const isPng = uri.startsWith('data:image/png')
  const image = await open(pictureOf(uri).bytes)
  const { width = 0, height = 0 } = await image.metadata()
  let smaller = uri
  for (let side = Math.max(width, height) * STEP; smaller.length > mostChars && side >= SMALLEST_SIDE; side *= STEP) {
    const resized = image.clone().resize({ width: Math.round(side), height: Math.round(side), fit: 'inside' })
    const bytes = await (isPng ? resized.png({ palette: true }) : resized.jpeg({ quality: QUALITY })).toBuffer()
    smaller = `data:image/${isPng ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`
  }
  return smaller
}
