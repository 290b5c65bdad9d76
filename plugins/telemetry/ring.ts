/** Points of a rolling window: one column of times, and a column of values for each collection. */
export interface Ring {
  readonly length: number
  /** A copy, oldest first, s since the epoch. */
  times (): Float64Array
  /** A copy in the order of the times; NaN where the column has no value. */
  values (column: number): Float32Array
  /**
   * Adds a point without values. Drops points from a later time, which exist after the clock was set back.
   * @returns the index that `put` takes
   */
  push (time: number): number
  put (column: number, place: number, value: number): void
  /** Drops everything before this time. */
  prune (before: number): void
}

const FIRST_CAPACITY = 256

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** Typed columns that grow up to a bound, then drop the oldest points. Adding a point allocates nothing else. */
export function createRing (columns: number, maxPoints: number): Ring {
  let capacity = Math.min(FIRST_CAPACITY, maxPoints)
  let times = new Float64Array(capacity)
  let values = Array.from({ length: columns }, () => new Float32Array(capacity))
  let start = 0
  let length = 0

  function place (at: number): number {
    const index = start + at
    return index < capacity ? index : index - capacity
  }

  /** Copies the points of a column in order. */
  function unrolled<T extends Numbers> (from: T, to: T): T {
    const first = Math.min(length, capacity - start)
    to.set(from.subarray(start, start + first))
    to.set(from.subarray(0, length - first), first)
    return to
  }

  /** Must be called only when full. */
  function grow (): void {
    const larger = Math.min(capacity * 2, maxPoints)
    times = unrolled(times, new Float64Array(larger))
    values = values.map(column => unrolled(column, new Float32Array(larger)))
    start = 0
    capacity = larger
  }

  function dropOldest (): void {
    start = place(1)
    length--
  }

  return {
    get length () { return length },
    times: () => unrolled(times, new Float64Array(length)),
    values: column => unrolled(values[column] as Float32Array<ArrayBuffer>, new Float32Array(length)),
    push (time) {
      while (length > 0 && (times[place(length - 1)] ?? 0) > time) length--
      if (length === capacity && capacity < maxPoints) grow()
      if (length === capacity) dropOldest()
      const at = place(length++)
      times[at] = time
      for (const column of values) column[at] = NaN
      return at
    },
    put (column, at, value) {
      const numbers = values[column]
      if (numbers) numbers[at] = value
    },
    prune (before) {
      while (length > 0 && (times[start] ?? 0) < before) dropOldest()
    }
  }
}
