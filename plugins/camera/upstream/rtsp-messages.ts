import { CameraError } from './camera-error.js'

/** A request or an answer with its body, or packets of media between them. */
export type RtspPart =
  | { readonly kind: 'text', readonly start: string, readonly headers: readonly string[], readonly body: Buffer }
  | { readonly kind: 'media', readonly bytes: Buffer }

const DOLLAR = 0x24
const MEDIA_HEAD_BYTES = 4
const BLANK_LINE = Buffer.from('\r\n\r\n')
/** Longer heads and bodies are no RTSP. */
const MOST_TEXT_BYTES = 64 * 1024

export const headerOf = (headers: readonly string[], name: string): string | undefined =>
  headers.find(line => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))?.slice(name.length + 1).trim()

/** The text of a message as it goes over the wire. */
export const textOf = (start: string, headers: readonly string[], body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([start, ...headers, '', ''].join('\r\n')), body])

/**
 * Cuts one direction of an RTSP connection into messages and media packets; pieces of any size may come.
 * @returns a function that takes the next piece and throws CameraProblem for what is no RTSP
 */
export function createRtspParser (onPart: (part: RtspPart) => void): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)

  /** Packets that stand one after the other go on together. @returns their length, 0 when none is whole yet */
  function takeMedia (): number {
    let end = 0
    while (rest[end] === DOLLAR && rest.length >= end + MEDIA_HEAD_BYTES) {
      const next = end + MEDIA_HEAD_BYTES + rest.readUInt16BE(end + 2)
      if (next > rest.length) break
      end = next
    }
    if (end > 0) onPart({ kind: 'media', bytes: rest.subarray(0, end) })
    return end
  }

  function takeText (): number {
    const at = rest.indexOf(BLANK_LINE)
    if (at < 0 && rest.length > MOST_TEXT_BYTES) throw noRtsp()
    if (at < 0) return 0
    const [start = '', ...headers] = rest.toString('utf8', 0, at).split('\r\n')
    if (!/^RTSP\/1\.\d \d{3}|RTSP\/1\.\d$/.test(start)) throw noRtsp()
    const bodyLength = Number(headerOf(headers, 'Content-Length') ?? 0)
    if (!(bodyLength >= 0 && bodyLength <= MOST_TEXT_BYTES)) throw noRtsp()
    const bodyAt = at + BLANK_LINE.length
    if (rest.length < bodyAt + bodyLength) return 0
    onPart({ kind: 'text', start, headers, body: rest.subarray(bodyAt, bodyAt + bodyLength) })
    return bodyAt + bodyLength
  }

  return piece => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (;;) {
      while (rest[0] === 0x0D || rest[0] === 0x0A) rest = rest.subarray(1)
      if (rest.length === 0) return
      const taken = rest[0] === DOLLAR ? takeMedia() : takeText()
      if (taken === 0) return
      rest = rest.subarray(taken)
    }
  }
}

const noRtsp = () => new CameraError('bad_data', 'The camera port does not speak RTSP')
