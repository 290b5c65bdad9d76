import type { Frame } from '../frame.js'

export const BOUNDARY = 'frame'
const TAIL = Buffer.from('\r\n')
const MS_PER_S = 1_000

/** One picture as sent to every viewer: three buffers that all of them share. */
export type MultipartFrame = readonly [head: Buffer, jpeg: Buffer, tail: Buffer]

/** @param jpeg the rendered picture @param capturedAt ms since the epoch */
export const multipartFrame = (jpeg: Buffer, { capturedAt }: Pick<Frame, 'capturedAt'>): MultipartFrame => [
  Buffer.from(`--${BOUNDARY}\r\nContent-Type: image/jpeg\r\nX-Timestamp: ${(capturedAt / MS_PER_S).toFixed(6)}\r\n` +
    `Content-Length: ${jpeg.length}\r\n\r\n`, 'latin1'),
  jpeg,
  TAIL
]
