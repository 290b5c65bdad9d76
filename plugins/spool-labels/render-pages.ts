import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Shape } from './draw-label.js'

const MM_PER_INCH = 25.4
const POINTS_PER_INCH = 72

type Size = readonly [width: number, height: number]

/** A document with a page for each list of shapes. @param size of the pages, mm */
export async function renderPdf (size: Size, pages: Iterable<readonly Shape[]>): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit') // on first use, as most services print no labels
  const scale = POINTS_PER_INCH / MM_PER_INCH
  const document = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: 'Labels', Creator: 'prnd' } })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => document.once('end', resolve).once('error', reject))
  for (const shapes of pages) {
    document.addPage({ size: [size[0] * scale, size[1] * scale], margin: 0 }).scale(scale)
    for (const { path, fill } of shapes) document.path(path).fill(fill)
    await afterOthers()
  }
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** A picture of one page. @param dpi pixels per inch */
export async function renderPng ([width, height]: Size, shapes: readonly Shape[], dpi: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const pixels = (length: number) => Math.round(length / MM_PER_INCH * dpi)
  const paths = shapes.map(({ path, fill }) => `<path fill="${fill}" d="${path}"/>`).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels(width)}" height="${pixels(height)}" ` +
    `viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><rect width="100%" height="100%" fill="#ffffff"/>${paths}</svg>`
  return await sharp(Buffer.from(svg), { unlimited: true }).removeAlpha()
    .withMetadata({ density: dpi }).png({ compressionLevel: 6, palette: false }).toBuffer()
}
