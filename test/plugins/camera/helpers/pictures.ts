import sharp from 'sharp'

const known = new Map<string, Promise<Buffer>>()

/** A whole JPEG of a size, with a text in it, large enough to count as a picture. */
export function picture (text = '1', width = 1280, height = 720): Promise<Buffer> {
  const key = `${text} ${width} ${height}`
  const made = known.get(key) ?? draw(text, width, height)
  known.set(key, made)
  return made
}

const draw = (text: string, width: number, height: number): Promise<Buffer> => {
  const shade = [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 200, 7)
  const stripes = Array.from({ length: 24 }, (_, at) =>
    `<rect x="${at * width / 24}" width="${width / 48}" height="${height}" fill="rgb(${at * 10},${shade},${200 - shade})"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="rgb(${shade},80,60)"/>${stripes.join('')}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer()
}

/** The size that another program reads in it. */
export async function measured (jpeg: Buffer): Promise<string> {
  const { width, height, format } = await sharp(jpeg).metadata()
  return `${format} ${width}x${height}`
}

/** A picture with as much in it as a camera's: some 100 kB at 1280 by 720. */
export function noisy (seed: number, width = 1280, height = 720): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  let state = seed
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 1103515245 + 12345) % 0x80000000
    pixels[at] = (at / 3 % width / 6) + (state >> 16) % 28
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } }).blur(0.8).jpeg({ quality: 70 }).toBuffer()
}
