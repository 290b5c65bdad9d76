import { MOST_DEPTH, MOST_LINE_BYTES } from '../limits.js'
import { isSpace, parseNumber, parseWhole } from './parse-lines.js'

const [LESS, GREATER, SLASH, BANG, QUESTION, EQUALS, COLON, QUOTE, APOSTROPHE] =
  Array.from('<>/!?=:"\'', character => character.charCodeAt(0)) as [
    number, number, number, number, number, number, number, number, number]
const MOST_ATTRIBUTES = 64

/** Sections that are skipped, by how they begin and end. */
const SKIPPED = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>']] as const
const LONGEST_OPENING = 9

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Only the five of XML itself and numbers: a document cannot define its own. */
const decoded = (text: string): string => text.replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,4});/gi, (whole, entity: string) => {
  if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole
  const code = entity[1] === 'x' ? parseInt(entity.slice(2), 16) : parseInt(entity.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
})

/** An element that begins. Valid during the call of the handler. Names are compared without their prefix. */
export class XmlTag {
  #bytes: Uint8Array = new Uint8Array(0)
  #nameStart = 0
  #nameEnd = 0
  /** Start and end of name and value. */
  readonly #attributes = new Int32Array(MOST_ATTRIBUTES * 4)
  attributes = 0

  /** @returns false when it is not well-formed */
  read (bytes: Uint8Array, start: number, end: number): boolean {
    this.#bytes = bytes
    let at = start
    while (at < end && !isSpace(bytes[at]!) && bytes[at] !== SLASH) at++
    this.#nameStart = this.#local(start, at)
    this.#nameEnd = at
    this.attributes = 0
    for (;;) {
      while (at < end && isSpace(bytes[at]!)) at++
      if (at >= end || bytes[at] === SLASH) return true
      at = this.#attribute(at, end)
      if (at < 0) return false
    }
  }

  is (name: string): boolean { return this.#equals(this.#nameStart, this.#nameEnd, name) }

  /** @returns NaN when it is missing, or no number */
  number (name: string): number {
    const at = this.#find(name)
    return at < 0 ? NaN : parseNumber(this.#bytes, this.#attributes[at + 2]!, this.#attributes[at + 3]!)
  }

  /** @returns NaN when it is missing, or no whole number */
  whole (name: string): number {
    const at = this.#find(name)
    return at < 0 ? NaN : parseWhole(this.#bytes, this.#attributes[at + 2]!, this.#attributes[at + 3]!)
  }

  text (name: string): string | undefined {
    const at = this.#find(name)
    if (at < 0) return undefined
    return decoded(Buffer.from(this.#bytes.subarray(this.#attributes[at + 2], this.#attributes[at + 3])).toString('utf8'))
  }

  has (name: string): boolean { return this.#find(name) >= 0 }

  /** @returns the place behind it, or -1 */
  #attribute (start: number, end: number): number {
    const bytes = this.#bytes
    let at = start
    while (at < end && bytes[at] !== EQUALS && !isSpace(bytes[at]!)) at++
    const nameEnd = at
    while (at < end && isSpace(bytes[at]!)) at++
    if (bytes[at] !== EQUALS || at >= end || nameEnd === start || this.attributes === MOST_ATTRIBUTES) return -1
    at++
    while (at < end && isSpace(bytes[at]!)) at++
    const quote = bytes[at]
    if (at >= end || (quote !== QUOTE && quote !== APOSTROPHE)) return -1
    const from = ++at
    while (at < end && bytes[at] !== quote) at++
    if (at >= end) return -1
    this.#attributes.set([this.#local(start, nameEnd), nameEnd, from, at], this.attributes++ * 4)
    return at + 1
  }

  #local (start: number, end: number): number {
    for (let at = start; at < end; at++) if (this.#bytes[at] === COLON) return at + 1
    return start
  }

  #find (name: string): number {
    for (let at = 0; at < this.attributes * 4; at += 4) {
      if (this.#equals(this.#attributes[at]!, this.#attributes[at + 1]!, name)) return at
    }
    return -1
  }

  #equals (start: number, end: number, name: string): boolean {
    if (end - start !== name.length) return false
    for (let i = 0; i < name.length; i++) if (this.#bytes[start + i] !== name.charCodeAt(i)) return false
    return true
  }
}

export interface XmlHandler {
  open (tag: XmlTag): void
  /** Also after an element without content. */
  close (depth: number): void
  /** @param why continues "its XML …" */
  broken (why: string): never
}

/** Reads elements and attributes of XML that comes in pieces; text between elements is of no use. */
export class XmlScanner {
  readonly #handler: XmlHandler
  readonly #tag = new XmlTag()
  #rest = new Uint8Array(0)
  /** How the section that is skipped ends. */
  #skipTo: string | undefined
  #depth = 0
  #elements = 0

  constructor (handler: XmlHandler) { this.#handler = handler }

  write (piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const used = this.#scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    if (bytes.length - used > MOST_LINE_BYTES) this.#handler.broken('has an element that is too long')
    this.#rest = new Uint8Array(bytes.subarray(used))
  }

  end (): void {
    if (this.#elements === 0) this.#handler.broken('holds no elements')
    if (this.#depth > 0 || this.#skipTo !== undefined || this.#rest.includes(LESS)) this.#handler.broken('is cut off')
  }

  /** @returns how many bytes were used; the rest waits for the next piece */
  #scan (bytes: Buffer): number {
    let at = 0
    for (;;) {
      if (this.#skipTo !== undefined) {
        const end = bytes.indexOf(this.#skipTo, at, 'latin1')
        if (end < 0) return Math.max(at, bytes.length - this.#skipTo.length)
        at = end + this.#skipTo.length
        this.#skipTo = undefined
      }
      const start = bytes.indexOf(LESS, at)
      if (start < 0) return bytes.length
      at = start
      const second = bytes[start + 1]
      if (second === BANG || second === QUESTION) {
        if (bytes.length - start < LONGEST_OPENING) return start
        at = this.#skip(bytes, start)
        continue
      }
      const end = endOfTag(bytes, start + 1)
      if (end < 0) return start
      this.#element(bytes, start + 1, end)
      at = end + 1
    }
  }

  #skip (bytes: Buffer, start: number): number {
    const opening = bytes.toString('latin1', start, start + LONGEST_OPENING)
    const section = SKIPPED.find(([begin]) => opening.startsWith(begin))
    if (section === undefined) this.#handler.broken('defines a document type, which a model never needs')
    this.#skipTo = section[1]
    return start + section[0].length
  }

  #element (bytes: Uint8Array, start: number, end: number): void {
    if (bytes[start] === SLASH) return this.#close()
    if (++this.#depth > MOST_DEPTH) this.#handler.broken('is nested too deeply')
    this.#elements++
    if (!this.#tag.read(bytes, start, end)) this.#handler.broken('is not well-formed')
    this.#handler.open(this.#tag)
    if (bytes[end - 1] === SLASH) this.#close()
  }

  #close (): void {
    if (--this.#depth < 0) this.#handler.broken('is not well-formed')
    this.#handler.close(this.#depth)
  }
}

/** A `>` may stand in a value. @returns -1 when the tag does not end in these bytes */
function endOfTag (bytes: Uint8Array, start: number): number {
  let quote = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (quote !== 0) {
      if (byte === quote) quote = 0
    } else if (byte === GREATER) {
      return at
    } else if (byte === QUOTE || byte === APOSTROPHE) {
      quote = byte
    }
  }
  return -1
}
