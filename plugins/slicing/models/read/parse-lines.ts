const [TAB, LINE_FEED, RETURN, SPACE] = [9, 10, 13, 32]
const [PLUS, MINUS, POINT, ZERO, NINE] = [43, 45, 46, 48, 57]
const LOWER = 0x20
const EXPONENT = 'e'.charCodeAt(0)
/** Digits that a number holds exactly; further ones only shift it. */
const MOST_MANTISSA = 2 ** 53 / 10 - 1

const POWERS = Float64Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`))

export const isSpace = (byte: number): boolean => byte === SPACE || (byte >= TAB && byte <= RETURN)

function scaled (mantissa: number, exponent: number): number {
  if (exponent === 0 || mantissa === 0) return mantissa
  if (exponent > 0) return exponent > 308 ? Infinity : mantissa * POWERS[exponent]!
  return exponent < -308 ? 0 : mantissa / POWERS[-exponent]!
}

/** A decimal number in text, exact to the precision of a mesh. @returns NaN for anything else */
export function parseNumber (bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const isNegative = bytes[at] === MINUS
  if (isNegative || bytes[at] === PLUS) at++
  let mantissa = 0
  let exponent = 0
  let digits = 0
  let isFraction = false
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO && byte <= NINE) {
      digits++
      if (mantissa < MOST_MANTISSA) {
        mantissa = mantissa * 10 + byte - ZERO
        if (isFraction) exponent--
      } else if (!isFraction) {
        exponent++
      }
    } else if (byte === POINT && !isFraction) {
      isFraction = true
    } else {
      break
    }
  }
  if (digits === 0) return NaN
  if (at < end) {
    if ((bytes[at]! | LOWER) !== EXPONENT) return NaN
    const further = parseWhole(bytes, at + 1, end)
    if (Number.isNaN(further)) return NaN
    exponent += further
  }
  const value = scaled(mantissa, exponent)
  return isNegative ? -value : value
}

/** A whole number of up to nine digits. @returns NaN for anything else */
export function parseWhole (bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const isNegative = bytes[at] === MINUS
  if (isNegative || bytes[at] === PLUS) at++
  if (at >= end || end - at > 9) return NaN
  let value = 0
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte < ZERO || byte > NINE) return NaN
    value = value * 10 + byte - ZERO
  }
  return isNegative ? -value : value
}

/** Finds the words of a line: their starts and ends, by turns. @returns how many words there are */
export function findWords (bytes: Uint8Array, start: number, end: number, words: Int32Array): number {
  let count = 0
  let at = start
  while (count < words.length / 2) {
    while (at < end && isSpace(bytes[at]!)) at++
    if (at >= end) break
    words[count * 2] = at
    while (at < end && !isSpace(bytes[at]!)) at++
    words[count * 2 + 1] = at
    count++
  }
  return count
}

/** Compares without regard to case. @param word in lower case */
export function isWord (bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) if ((bytes[start + i]! | LOWER) !== word.charCodeAt(i)) return false
  return true
}

export interface LineHandler {
  /** Without its end; valid during the call. */
  line (bytes: Uint8Array, start: number, end: number): void
  tooLong (): never
}

/** Splits a text that comes in pieces into lines. */
export class LineSplitter {
  readonly #handler: LineHandler
  readonly #most: number
  #rest = new Uint8Array(0)
  /** Of the line that the handler gets, from 1. */
  number = 0

  constructor (handler: LineHandler, most: number) {
    this.#handler = handler
    this.#most = most
  }

  write (piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let start = 0
    for (let at = this.#rest.length; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte !== LINE_FEED && byte !== RETURN) continue
      if (at > start || byte === LINE_FEED) this.#line(bytes, start, at)
      start = at + 1
      if (byte === RETURN && bytes[start] === LINE_FEED) { start++; at++ }
    }
    if (bytes.length - start > this.#most) this.#handler.tooLong()
    this.#rest = new Uint8Array(bytes.subarray(start))
  }

  end (): void {
    if (this.#rest.length > 0) this.#line(this.#rest, 0, this.#rest.length)
  }

  #line (bytes: Uint8Array, start: number, end: number): void {
    this.number++
    if (end - start > this.#most) this.#handler.tooLong()
    this.#handler.line(bytes, start, end)
  }
}
