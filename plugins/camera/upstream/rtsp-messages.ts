import { CameraError } from './camera-error.js'
import { GrowingBuffer } from './growing-buffer.js'

/** A request or a response with its body. */
export interface RtspMessage {
  readonly start: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

export interface RtspParts {
  onMessage (message: RtspMessage): void
  /**
   * A packet of an interleaved channel (RFC 2326, 10.12) at `from` to `end` of these bytes, valid during the call only:
   * creating a view of each packet would dominate the cost.
   */
  onPacket (channel: number, bytes: Buffer, from: number, end: number): void
}

const DOLLAR = 0x24
const PACKET_HEAD_BYTES = 4
const BLANK_LINE = Buffer.from('\r\n\r\n')
/** Longer headers and bodies are not RTSP. */
const MOST_TEXT_BYTES = 64 * 1024
const FIRST_BYTES = 4 * 1024

export const headerOf = (headers: readonly string[], name: string): string | undefined =>
  headersOf(headers, name)[0]

export function headersOf (headers: readonly string[], name: string): string[] {
  const start = `${name.toLowerCase()}:`
  return headers.filter(line => line.toLowerCase().startsWith(start)).map(line => line.slice(start.length).trim())
}

/** The text of a message as sent. */
export const textOf = (start: string, headers: readonly string[]): string => [start, ...headers, '', ''].join('\r\n')

/**
 * Splits one direction of an RTSP connection into messages and packets; chunks may have any size. Only what spans two
 * chunks is copied, once.
 * @returns a function that takes the next chunk and throws CameraError for anything but RTSP
 */
export function createRtspParser ({ onMessage, onPacket }: RtspParts): (piece: Buffer) => void {
  /** The beginning of an incomplete part. */
  const held = new GrowingBuffer(FIRST_BYTES)
  /** Bytes needed before that part is parsed again; undefined while its length is not known. */
  let needed: number | undefined
  let isRtsp = false

  /**
   * @param bytes with the beginning of a part at `from`
   * @param seen how many bytes of it were searched before
   * @returns its length; undefined while it is not known
   */
  function lengthOf (bytes: Buffer, from: number, seen: number): number | undefined {
    const first = bytes[from] ?? 0
    const length = bytes.length - from
    if (first === DOLLAR) {
      return length < PACKET_HEAD_BYTES ? undefined : PACKET_HEAD_BYTES + bytes.readUInt16BE(from + 2)
    }
    if (first < 0x41 || first > 0x5A) throw noRtsp(isRtsp) // a method, or the word RTSP itself
    const end = bytes.indexOf(BLANK_LINE, from + Math.max(0, seen - BLANK_LINE.length))
    if ((end < 0 ? length : end - from) > MOST_TEXT_BYTES) throw noRtsp(isRtsp)
    return end < 0 ? undefined : end - from + BLANK_LINE.length + bodyLengthOf(linesOf(bytes, from, end))
  }

  function bodyLengthOf ([start = '', ...headers]: readonly string[]): number {
    if (!/^RTSP\/1\.\d \d{3}|RTSP\/1\.\d$/.test(start)) throw noRtsp(isRtsp)
    isRtsp = true
    const length = Number(headerOf(headers, 'Content-Length') ?? 0)
    if (!Number.isInteger(length) || length < 0 || length > MOST_TEXT_BYTES) throw noRtsp(isRtsp)
    return length
  }

  function give (bytes: Buffer, from: number, end: number): void {
    if (bytes[from] === DOLLAR) return onPacket(bytes[from + 1] ?? 0, bytes, from + PACKET_HEAD_BYTES, end)
    const headEnd = bytes.indexOf(BLANK_LINE, from)
    const [start = '', ...headers] = linesOf(bytes, from, headEnd)
    onMessage({ start, headers, body: Buffer.from(bytes.subarray(headEnd + BLANK_LINE.length, end)) })
  }

  /** Delivers the complete parts. @returns where the first incomplete one begins */
  function takeWhole (bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (bytes[at] === 0x0D || bytes[at] === 0x0A) {
        at++
        continue
      }
      needed = lengthOf(bytes, at, 0)
      if (needed === undefined || at + needed > bytes.length) break
      at += needed
      give(bytes, at - needed, at)
    }
    return at
  }

  /** Completes the held part. @returns where the rest of the chunk begins */
  function complete (piece: Buffer): number {
    const before = held.length
    const wanted = needed ?? (held.memory[0] === DOLLAR ? PACKET_HEAD_BYTES : Infinity)
    held.append(piece.subarray(0, wanted - before))
    const { memory, length } = held
    needed ??= lengthOf(memory.subarray(0, length), 0, before)
    if (needed === undefined || needed > length) return length - before
    held.clear()
    give(memory, 0, needed)
    return needed - before
  }

  return piece => {
    let at = 0
    while (held.length > 0 && at < piece.length) at += complete(piece.subarray(at))
    if (held.length > 0) return
    at = takeWhole(piece, at)
    held.append(piece, at)
  }
}

const linesOf = (bytes: Buffer, from: number, end: number): string[] => bytes.toString('utf8', from, end).split('\r\n')

const noRtsp = (isRtsp: boolean) => new CameraError('bad_data', isRtsp
  ? 'The camera sends data that is not RTSP'
  : 'The camera port does not speak RTSP')
