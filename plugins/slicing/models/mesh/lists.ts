const FIRST = 3 * 256

/** Numbers of which nobody knows how many there will be. */
class GrowingList<T extends Float32Array | Uint32Array> {
  readonly #make: (length: number) => T
  #values: T
  #length = 0

  constructor (make: (length: number) => T) {
    this.#make = make
    this.#values = make(FIRST)
  }

  get length (): number { return this.#length }

  /** Longer than the list. Replaced when it grows. */
  get values (): T { return this.#values }

  push3 (a: number, b: number, c: number): void {
    if (this.#length + 3 > this.#values.length) this.#grow()
    const at = this.#length
    this.#values[at] = a
    this.#values[at + 1] = b
    this.#values[at + 2] = c
    this.#length = at + 3
  }

  push (value: number): void {
    if (this.#length === this.#values.length) this.#grow()
    this.#values[this.#length++] = value
  }

  at (index: number): number { return this.#values[index] as number }

  /** A copy of its length. */
  toArray (): T { return this.#values.slice(0, this.#length) as T }

  #grow (): void {
    const larger = this.#make(this.#values.length * 2)
    larger.set(this.#values)
    this.#values = larger
  }
}

export class FloatList extends GrowingList<Float32Array> {
  constructor () { super(length => new Float32Array(length)) }
}

export class IndexList extends GrowingList<Uint32Array> {
  constructor () { super(length => new Uint32Array(length)) }
}
