/**
 * Reads lines, and counted bytes between them: so jobs and results travel between a service and a slicer elsewhere. It
 * keeps no more than one line or one piece.
 */
export class FramedReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor (source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  /**
   * @param most characters
   * @returns undefined at the end
   * @throws RangeError for a longer line, or one without its end
   */
  async line (most: number): Promise<string | undefined> {
    let seen = 0
    for (;;) {
      const end = this.#rest.indexOf('\n', seen)
      if (end > most || (end < 0 && this.#rest.length > most)) throw new RangeError(`a line has more than ${most} characters`)
      if (end >= 0) {
        const text = this.#rest.toString('utf8', 0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return text
      }
      seen = this.#rest.length
      if (await this.#readMore()) continue
      if (seen === 0) return undefined
      throw new RangeError('it ended within a line')
    }
  }

  /** The next bytes. @throws RangeError if there are fewer */
  async * bytes (count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0 && !await this.#readMore()) throw new RangeError('it ended too early')
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async #readMore (): Promise<boolean> {
    const { done = false, value } = await this.#pieces.next() as IteratorResult<Uint8Array, undefined>
    if (done || value === undefined) return false
    this.#rest = Buffer.concat([this.#rest, value])
    return true
  }
}
