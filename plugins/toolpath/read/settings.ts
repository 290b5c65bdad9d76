const COLON = 58
const EQUALS = 61
const SPACE = 32
/** A key ends before it. */
const KEY_BYTES = 80
const MAX_BYTES = 1_048_576
const MAX_KEYS = 4_000
const KEY = /^[A-Za-z][\w \-()[\]^]*$/

/**
 * Collects what slicers say of a whole file in comments `key = value` and `key: value`, wherever they stand: some write
 * them at the beginning, others at the end. The first value of a key counts.
 */
export class Settings {
  readonly #values = new Map<string, string>()
  #bytes = 0

  /** Takes a comment; most are none of these, which their first bytes show. */
  comment (bytes: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end && bytes[at] === SPACE) at++
    const last = Math.min(end, at + KEY_BYTES)
    for (let mark = at; mark < last; mark++) {
      if (bytes[mark] === EQUALS || bytes[mark] === COLON) return this.#add(bytes, at, mark, end)
    }
  }

  get (key: string): string | undefined { return this.#values.get(key) }

  #add (bytes: Uint8Array, start: number, mark: number, end: number): void {
    if (this.#values.size >= MAX_KEYS || this.#bytes + end - start > MAX_BYTES) return
    const text = (from: number, to: number) =>
      Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString().trim()
    const key = text(start, mark)
    if (!KEY.test(key) || this.#values.has(key)) return
    this.#bytes += end - start
    this.#values.set(key, text(mark + 1, end))
  }
}
