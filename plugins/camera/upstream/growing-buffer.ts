const NOTHING = Buffer.alloc(0)

/** Collects bytes in one piece of memory, which at least doubles when it is full. */
export class GrowingBuffer {
  readonly #firstBytes: number
  #memory = NOTHING
  #length = 0

  /** @param firstBytes size of the memory when it is first needed */
  constructor (firstBytes: number) { this.#firstBytes = firstBytes }

  get length (): number { return this.#length }

  /** The memory, collected bytes first; valid until the next change. */
  get memory (): Buffer { return this.#memory }

  append (bytes: Buffer, from = 0, end = bytes.length): void {
    this.#reserve(this.#length + end - from)
    bytes.copy(this.#memory, this.#length, from, end)
    this.#length += end - from
  }

  appendByte (byte: number): void {
    this.#reserve(this.#length + 1)
    this.#memory[this.#length++] = byte
  }

  /** Drops the bytes. @param mostBytes memory that is larger is not used again */
  clear (mostBytes = Infinity): void {
    this.#length = 0
    if (this.#memory.length > mostBytes) this.#memory = NOTHING
  }

  #reserve (needed: number): void {
    if (needed <= this.#memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#firstBytes, this.#memory.length * 2, needed))
    this.#memory.copy(larger, 0, 0, this.#length)
    this.#memory = larger
  }
}
