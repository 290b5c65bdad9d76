import type { Box } from './types.js'

const FAILURE = '#ff2d2d'
const OTHER = '#2d8cff'

/** A picture with its boxes, JPEG: failures red, others blue. */
export async function drawBoxes (picture: Uint8Array, boxes: readonly Box[],
  failing: readonly string[]): Promise<Buffer> {
  const { default: sharp } = await import('sharp') // on first use, as most commands draw nothing
  const { width, height } = await sharp(picture).metadata()
  const thick = Math.max(2, Math.round(width / 400))
  const frames = boxes.map(({ left, top, right, bottom, label }) =>
    `<rect x="${left * width}" y="${top * height}" width="${(right - left) * width}" height="${(bottom - top) * height}" ` +
    `fill="none" stroke="${failing.includes(label) ? FAILURE : OTHER}" stroke-width="${thick}"/>`)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${frames.join('')}</svg>`
  return await sharp(picture).composite([{ input: Buffer.from(drawing) }]).jpeg({ quality: 90 }).toBuffer()
}
