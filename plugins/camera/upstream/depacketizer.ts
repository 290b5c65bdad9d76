import { GrowingBuffer } from './growing-buffer.js'

export interface DepacketizerOptions {
  /** Takes a unit without start code, in memory of its own. */
  readonly onNal: (nal: Buffer) => void
  /**
   * A unit was truncated or is invalid, so its picture is incomplete. Called before anything that follows is delivered.
   */
  readonly onDamage: () => void
}

/** Extracts NAL units from RTP payloads (RFC 6184, packetization modes 0 and 1). */
export interface Depacketizer {
  /** A fragmented NAL unit is in progress. */
  readonly isInside: boolean
  /** Takes the payload at `from` to `end` of these bytes, which are not retained. */
  take (bytes: Buffer, from?: number, end?: number): void
  /** Drops the unit in progress. */
  reset (): void
}

export const LARGEST_NAL_BYTES = 4 * 1024 * 1024
/** A larger buffer is not reused for the next unit. */
const REUSED_BYTES = 512 * 1024
const FIRST_BYTES = 32 * 1024
const LAST_SINGLE = 23
const STAP_A = 24
const FU_A = 28
const FIRST = 0x80
const LAST = 0x40

export function createDepacketizer ({ onNal, onDamage }: DepacketizerOptions): Depacketizer {
  /** The fragments of a unit. */
  const buffer = new GrowingBuffer(FIRST_BYTES)
  let type = 0

  const reset = (): void => buffer.clear(REUSED_BYTES)

  function damage (): void {
    reset()
    onDamage()
  }

  function append (bytes: Buffer, from: number, end: number): void {
    if (buffer.length + end - from > LARGEST_NAL_BYTES) return damage()
    buffer.append(bytes, from, end)
  }

  function begin (head: number): void {
    if (buffer.length > 0) damage()
    type = head & 0x1F
    buffer.appendByte(head)
  }

  function takeFragment (bytes: Buffer, from: number, end: number): void {
    const indicator = bytes[from] ?? 0
    const head = bytes[from + 1] ?? 0
    if ((head & FIRST) !== 0) begin((indicator & 0xE0) | (head & 0x1F))
    if (buffer.length === 0 || type !== (head & 0x1F)) return damage()
    append(bytes, from + 2, end)
    if ((head & LAST) === 0 || buffer.length === 0) return
    give(buffer.memory, 0, buffer.length)
    reset()
  }

  function takeWhole (kind: number, bytes: Buffer, from: number, end: number): void {
    if (buffer.length > 0) damage()
    if (kind === STAP_A) takeAggregate(bytes, from + 1, end)
    else if (kind > LAST_SINGLE) damage()
    else if (kind > 0) give(bytes, from, end)
  }

  /** An aggregation packet: units preceded by their length. */
  function takeAggregate (bytes: Buffer, from: number, end: number): void {
    let at = from
    while (at + 2 <= end) {
      const next = at + 2 + bytes.readUInt16BE(at)
      if (next > end) return damage()
      if (next > at + 2) give(bytes, at + 2, next)
      at = next
    }
  }

  /** Copies the unit, so that it does not keep the whole chunk in memory. */
  function give (bytes: Buffer, from: number, end: number): void {
    const nal = Buffer.allocUnsafe(end - from)
    bytes.copy(nal, 0, from, end)
    onNal(nal)
  }

  return {
    get isInside () { return buffer.length > 0 },
    reset,
    take (bytes, from = 0, end = bytes.length) {
      if (from >= end) return
      const kind = (bytes[from] ?? 0) & 0x1F
      if (kind !== FU_A) takeWhole(kind, bytes, from, end)
      else if (end - from > 2) takeFragment(bytes, from, end)
      else damage()
    }
  }
}
