/** Spans of time, each with a least and a greatest value: two points. */
const SPANS = 1_000
export const MOST_POINTS = 2 * SPANS

/** Seconds since the start of the print, and the value. */
export type Point = readonly [seconds: number, value: number]
export type Points = Readonly<Record<string, readonly Point[]>>

interface Series { readonly low: Float32Array, readonly high: Float32Array }

/** One decimal is enough, as printers measure no finer. */
const rounded = (value: number): number => Math.round(value * 10) / 10

/** NaN stands for a span without a value. */
const least = (a: number, b: number): number => Number.isNaN(a) || b < a ? b : a
const greatest = (a: number, b: number): number => Number.isNaN(a) || b > a ? b : a

function halve ({ low, high }: Series): void {
  for (let at = 0; at < SPANS / 2; at++) {
    low[at] = least(low[2 * at] ?? NaN, low[2 * at + 1] ?? NaN)
    high[at] = greatest(high[2 * at] ?? NaN, high[2 * at + 1] ?? NaN)
  }
  low.fill(NaN, SPANS / 2)
  high.fill(NaN, SPANS / 2)
}

/**
 * Values over time in bounded memory: spans of a second at first, which are merged in pairs whenever the print outgrows
 * them. Each span retains its least and greatest value, so that no peak is lost. Values may arrive in any order.
 */
export function createThinned () {
  const series = new Map<string, Series>()
  let spanS = 1

  function make (name: string): Series {
    const made = { low: new Float32Array(SPANS).fill(NaN), high: new Float32Array(SPANS).fill(NaN) }
    series.set(name, made)
    return made
  }

  function pointsOf ({ low, high }: Series): Point[] {
    const points: Point[] = []
    for (let at = 0; at < SPANS; at++) {
      const [from, to] = [rounded(low[at] ?? NaN), rounded(high[at] ?? NaN)]
      if (Number.isNaN(from)) continue
      points.push([at * spanS, from])
      if (to !== from) points.push([(at + 0.5) * spanS, to])
    }
    return points
  }

  return {
    /** @param seconds since the start; values that are not finite are ignored */
    add (name: string, seconds: number, value: number): void {
      if (!(seconds >= 0 && seconds < Infinity) || !Number.isFinite(value)) return
      while (seconds >= SPANS * spanS) {
        for (const one of series.values()) halve(one)
        spanS *= 2
      }
      const { low, high } = series.get(name) ?? make(name)
      const at = Math.floor(seconds / spanS)
      low[at] = least(low[at] ?? NaN, value)
      high[at] = greatest(high[at] ?? NaN, value)
    },
    points: (): Points => Object.fromEntries([...series].map(([name, one]) => [name, pointsOf(one)]))
  }
}

export type Thinned = ReturnType<typeof createThinned>
