import { crc32, deflateSync } from 'node:zlib'

/** Red, green, blue, opacity. */
export type Colour = readonly [number, number, number, number]
export type Point = readonly [x: number, y: number]

export interface Canvas {
  readonly size: number
  /** Fills a convex shape, given by its corners in either direction. */
  fill (corners: readonly Point[], colour: Colour): void
  ellipse (centre: Point, radii: Point, colour: Colour): void
  png (): Buffer
}

/** Where a row at height `y` enters and leaves a convex shape; undefined if they do not intersect. */
function spanOf (corners: readonly Point[], y: number): Point | undefined {
  let [from, to] = [Infinity, -Infinity]
  for (const [at, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(at + 1) % corners.length] ?? [ax, ay]
    if ((ay <= y) === (by <= y)) continue
    const x = ax + (y - ay) / (by - ay) * (bx - ax)
    from = Math.min(from, x)
    to = Math.max(to, x)
  }
  return from < to ? [from, to] : undefined
}

function ellipseSpan ([cx, cy]: Point, [rx, ry]: Point, y: number): Point | undefined {
  const rest = 1 - ((y - cy) / ry) ** 2
  return rest > 0 ? [cx - rx * Math.sqrt(rest), cx + rx * Math.sqrt(rest)] : undefined
}

/** A square, transparent picture without anti-aliasing, so that colours can encode numbers. */
export function createCanvas (size: number): Canvas {
  const pixels = Buffer.alloc(size * size * 4)
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, size * size)

  function paint (top: number, bottom: number, colour: Colour, span: (y: number) => Point | undefined): void {
    const word = (colour[0] | colour[1] << 8 | colour[2] << 16 | colour[3] << 24) >>> 0
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(size, Math.ceil(bottom)); y++) {
      // A pixel belongs to the shape that covers its centre.
      const [from, to] = span(y + 0.5) ?? [0, 0]
      const [first, end] = [Math.max(0, Math.ceil(from - 0.5)), Math.min(size, Math.ceil(to - 0.5))]
      if (first < end) words.fill(word, y * size + first, y * size + end)
    }
  }

  return {
    size,
    fill (corners, colour) {
      const ys = corners.map(([, y]) => y)
      paint(Math.min(...ys), Math.max(...ys), colour, y => spanOf(corners, y))
    },
    ellipse: (centre, radii, colour) =>
      paint(centre[1] - radii[1], centre[1] + radii[1], colour, y => ellipseSpan(centre, radii, y)),
    png: () => encode(pixels, size)
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

function chunk (type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Eight bits a channel, four channels, no filter. */
function encode (pixels: Buffer, size: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6], 8)
  const row = size * 4
  const rows = Array.from({ length: size }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * row, (y + 1) * row)]))
  return Buffer.concat([
    SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))
  ])
}
