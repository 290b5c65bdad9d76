/** Least and greatest value of each span of time: two points each. */
const SPANS = 1_000
export const MOST_POINTS = 2 * SPANS

/** Seconds since the start of the print, and the value. */
export type Point = readonly [seconds: number, value: number]
export type Points = Readonly<Record<string, readonly Point[]>>

interface Series { readonly low: Float32Array, readonly high: Float32Array }

/** Values have one decimal; what the printer measures is no finer. */
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
 * Values over time in a bounded amount of memory: spans of a second at first, which are joined two by two whenever the
 * time outgrows them. The least and the greatest value of each stay, so that no peak is lost. Values may come in any
 * order of time.
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
    /** @param seconds since the start; what is no finite number is left out */
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
