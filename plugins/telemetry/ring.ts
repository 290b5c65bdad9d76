/** Points of a rolling window: one column of times, and a column of values for each collection. */
export interface Ring {
  readonly length: number
  /** Times in s since the epoch, ascending. */
  time (at: number): number
  value (column: number, at: number): number
  push (time: number, values: readonly number[]): void
  /** Forgets everything before this time. */
  prune (before: number): void
}

const FIRST_CAPACITY = 256

/**
 * Typed columns that grow up to a bound; past it the oldest points go. A column that has no value at a point
 * holds NaN there.
 */
export function createRing (columns: number, maxPoints: number): Ring {
  let capacity = Math.min(FIRST_CAPACITY, maxPoints)
  let times = new Float64Array(capacity)
  let values = Array.from({ length: columns }, () => new Float32Array(capacity))
  let start = 0
  let length = 0

  const place = (at: number) => (start + at) % capacity

  function grow (): void {
    const larger = Math.min(capacity * 2, maxPoints)
    const moved = (from: Float64Array | Float32Array, to: Float64Array | Float32Array) => {
      for (let at = 0; at < length; at++) to[at] = from[place(at)] ?? NaN
      return to
    }
    times = moved(times, new Float64Array(larger)) as Float64Array<ArrayBuffer>
    values = values.map(column => moved(column, new Float32Array(larger)) as Float32Array<ArrayBuffer>)
    start = 0
    capacity = larger
  }

  return {
    get length () { return length },
    time: at => times[place(at)] ?? NaN,
    value: (column, at) => values[column]?.[place(at)] ?? NaN,
    push (time, point) {
      if (length === capacity && capacity < maxPoints) grow()
      if (length === capacity) {
        start = place(1)
        length--
      }
      const at = place(length++)
      times[at] = time
      values.forEach((column, index) => { column[at] = point[index] ?? NaN })
    },
    prune (before) {
      while (length > 0 && (times[start] ?? 0) < before) {
        start = place(1)
        length--
      }
    }
  }
}
