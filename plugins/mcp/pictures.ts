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

interface Small { readonly uri: string, readonly size?: { readonly width: number, readonly height: number } }

/** Scales a picture down, in its own format, until its data URI has at most `mostChars` characters. */
async function shrunk (uri: string, mostChars: number): Promise<Small> {
  if (uri.length <= mostChars) return { uri }
  const isPng = uri.startsWith('data:image/png')
  const image = await open(pictureOf(uri).bytes)
  const whole = await image.metadata()
  let smaller: Small = { uri }
  let side = Math.max(whole.width, whole.height) * STEP
  for (; smaller.uri.length > mostChars && side >= SMALLEST_SIDE; side *= STEP) {
    const resized = image.clone().resize({ width: Math.round(side), height: Math.round(side), fit: 'inside' })
    const encoded = isPng ? resized.png({ palette: true }) : resized.jpeg({ quality: QUALITY })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    const { format, width, height } = info
    smaller = { uri: `data:image/${format};base64,${data.toString('base64')}`, size: { width, height } }
  }
  return smaller
}

/**
 * A copy of the answer with its pictures scaled down, and with their new size where `width` and `height` stand beside
 * `data_uri`. Pictures that cannot be decoded are left out.
 * @param mostChars of each
 */
export async function withShrunk (value: unknown, found: readonly string[], mostChars: number): Promise<unknown> {
  const small = new Map(await Promise.all(found.map(async uri =>
    [uri, await shrunk(uri, mostChars).catch((): Small => ({ uri: '' }))] as const)))
  const sized = (part: object): object => {
    const { data_uri: uri, width } = part as { data_uri?: unknown, width?: unknown }
    return typeof width === 'number' && isPicture(uri) ? { ...part, ...small.get(uri)?.size } : part
  }
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => {
    if (isPicture(part)) return small.get(part)?.uri ?? part
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? sized(part) : part
  }))
}
