/** A command as it stands in the file. It is reused for the next one, so copy what you need later. */
export interface Command {
  /** `G`, `M` or `T`, as a character code. */
  letter: number
  /** Number after the letter: 1 for `G1`. */
  code: number
  /** Digits after the point: 2 for `G29.2`, 0 without a point. */
  subcode: number
  /** Bit n is set if the word with the nth letter of the alphabet is there. */
  words: number
  /** Values by letter; NaN for a letter without a number. */
  readonly values: Float64Array
}

export interface ScannerListener {
  command (command: Command, line: number): void
  /** The bytes after the semicolon, up to the end of the line. */
  comment (bytes: Uint8Array, start: number, end: number, line: number): void
  /** A line longer than `MAX_LINE_BYTES`; what follows its beginning is not read. */
  tooLong (line: number): void
  /** A line that is no text, where a command should be. */
  unreadable (line: number): void
  /** A line of text that is neither a command nor a comment. */
  unknown (line: number): void
}

/** Longer lines are no G-code; the longest that slicers write hold custom G-code in their settings. */
export const MAX_LINE_BYTES = 262_144

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const TAB = 9
const PAREN = 40
const PAREN_END = 41
const STAR = 42
const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const SEMICOLON = 59
const A = 65
const G = 71
const M = 77
const N = 78
const T = 84
const Z = 90
const LOWER_CASE = 32
/** 10 to the minus nth; more digits do not change a position. */
const FRACTIONS = Array.from({ length: 19 }, (_, digits) => 10 ** -digits)
const MAX_DIGITS = 18
/** No number of a printer has more digits, point or not. */
const LARGEST = 1e30

/** Text has no control characters but tabs, and slicers write names in UTF-8, which has no byte 254 or 255. */
function isBinary (bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if ((byte < SPACE && byte !== TAB && byte !== RETURN) || byte >= 254) return true
  }
  return false
}

function endOfLine (bytes: Uint8Array, start: number, limit: number): number {
  const end = bytes.indexOf(NEWLINE, start)
  return end === -1 || end > limit ? limit : end
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

export const wordBit = (letter: string): number => 1 << (letter.charCodeAt(0) - A)
export const wordIndex = (letter: string): number => letter.charCodeAt(0) - A

/** Finds commands and comments in G-code that comes in pieces of any size, without making a string of any line. */
export class Scanner {
  readonly #listener: ScannerListener
  readonly #command: Command = { letter: 0, code: 0, subcode: 0, words: 0, values: new Float64Array(26) }
  /** The beginning of a line whose end has not come. */
  #rest = new Uint8Array(4_096)
  #restLength = 0
  #isSkipping = false
  #line = 0
  /** Where the last number ended. */
  #at = 0

  constructor (listener: ScannerListener) { this.#listener = listener }

  /** Number of lines read; the first is 1. */
  get line (): number { return this.#line }

  write (bytes: Uint8Array): void {
    let start = 0
    if (this.#restLength > 0 || this.#isSkipping) {
      const end = bytes.indexOf(NEWLINE)
      this.#keep(bytes.subarray(0, end === -1 ? bytes.length : end))
      if (end === -1) return
      this.#endRest()
      start = end + 1
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1
    while (start < end) start = this.#readWholeLine(bytes, start) + 1
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  /** @returns the place of its newline */
  #readWholeLine (bytes: Uint8Array, start: number): number {
    const limit = Math.min(bytes.length, start + MAX_LINE_BYTES)
    const stop = this.#readLine(bytes, start, limit)
    if (bytes[stop] === NEWLINE) return stop
    this.#listener.tooLong(this.#line)
    return bytes.indexOf(NEWLINE, stop)
  }

  /** The last line may have no newline. */
  end (): void {
    if (this.#restLength > 0 || this.#isSkipping) this.#endRest()
  }

  #keep (part: Uint8Array): void {
    if (this.#isSkipping) return
    const length = this.#restLength + part.length
    if (length > MAX_LINE_BYTES) {
      this.#isSkipping = true
      return
    }
    if (length > this.#rest.length) {
      const larger = new Uint8Array(Math.min(MAX_LINE_BYTES, length * 2))
      larger.set(this.#rest.subarray(0, this.#restLength))
      this.#rest = larger
    }
    this.#rest.set(part, this.#restLength)
    this.#restLength = length
  }

  #endRest (): void {
    const isTooLong = this.#isSkipping
    this.#readLine(this.#rest, 0, this.#restLength)
    this.#restLength = 0
    this.#isSkipping = false
    if (isTooLong) this.#listener.tooLong(this.#line)
  }

  /**
   * The newline is looked for while the line is read, as millions of lines are short.
   * @returns where it ends: at its newline, or at the limit
   */
  #readLine (bytes: Uint8Array, start: number, limit: number): number {
    this.#line++
    let at = start
    while (at < limit && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === RETURN)) at++
    if (at === limit || bytes[at] === NEWLINE) return at
    return bytes[at] === SEMICOLON ? this.#readComment(bytes, at + 1, limit) : this.#readCommand(bytes, at, limit)
  }

  #readComment (bytes: Uint8Array, start: number, limit: number): number {
    const end = endOfLine(bytes, start, limit)
    this.#listener.comment(bytes, start, end > start && bytes[end - 1] === RETURN ? end - 1 : end, this.#line)
    return end
  }

  #readCommand (bytes: Uint8Array, start: number, end: number): number {
    let at = start
    let letter = bytes[at]! & ~LOWER_CASE
    if (letter === N) { // a line number, as printers get them over a cable
      this.#number(bytes, at + 1, end)
      at = this.#at
      while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at++
      letter = at < end ? bytes[at]! & ~LOWER_CASE : 0
    }
    const code = letter === G || letter === M || letter === T ? this.#number(bytes, at + 1, end) : NaN
    if (Number.isNaN(code)) {
      const last = endOfLine(bytes, start, end)
      this.#listener[isBinary(bytes, start, last) ? 'unreadable' : 'unknown'](this.#line)
      return last
    }
    const command = this.#command
    command.letter = letter
    command.code = Math.trunc(code)
    command.subcode = command.code === code ? 0 : Math.round((code - command.code) * 10)
    const last = this.#readWords(bytes, this.#at, end)
    this.#listener.command(command, this.#line)
    return last
  }

  #readWords (bytes: Uint8Array, start: number, end: number): number {
    const { values } = this.#command
    let at = start
    let words = 0
    while (at < end) {
      const byte = bytes[at]!
      const letter = byte & ~LOWER_CASE
      if (letter >= A && letter <= Z && byte >= A) {
        values[letter - A] = this.#number(bytes, at + 1, end)
        words |= 1 << (letter - A)
        at = this.#at
      } else if (byte === SEMICOLON) {
        at = this.#readComment(bytes, at + 1, end)
        break
      } else if (byte === NEWLINE) break
      else if (byte === STAR) { // a checksum ends the command
        at = endOfLine(bytes, at, end)
        break
      } else if (byte === PAREN) {
        const last = endOfLine(bytes, at, end)
        const close = bytes.indexOf(PAREN_END, at)
        at = close === -1 || close >= last ? last : close + 1
      } else at++
    }
    this.#command.words = words
    return at
  }

  /** The number at a place, which may have spaces before it; `#at` is then where it ends. */
  #number (bytes: Uint8Array, start: number, end: number): number {
    let at = start
    while (at < end && bytes[at] === SPACE) at++
    const first = bytes[at]
    const isNegative = first === MINUS
    if (isNegative || first === PLUS) at++
    const begin = at
    let value = 0
    while (at < end && isDigit(bytes[at]!)) value = value * 10 + (bytes[at++]! - ZERO)
    let digits = at - begin
    let fraction = 0
    if (at < end && bytes[at] === POINT) {
      const point = ++at
      const most = Math.min(end, point + MAX_DIGITS)
      while (at < most && isDigit(bytes[at]!)) value = value * 10 + (bytes[at++]! - ZERO)
      fraction = at - point
      while (at < end && isDigit(bytes[at]!)) at++
      digits += at - point
    }
    if (digits === 0) {
      this.#at = start
      return NaN
    }
    this.#at = at
    if (value > LARGEST) return NaN
    const sized = value * FRACTIONS[fraction]!
    return isNegative ? -sized : sized
  }
}
