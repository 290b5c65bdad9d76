/** Pictures per second over the last ten seconds. */
export interface FpsMeter {
  count (): void
  /** Two decimals below 2, else an integer. */
  value (): number
  clear (): void
}

const WINDOW_MS = 10_000

export function createFpsMeter (now: () => number): FpsMeter {
  let times: number[] = []
  const trim = () => {
    const since = now() - WINDOW_MS
    const first = times.findIndex(time => time > since)
    times = first < 0 ? [] : first > 0 ? times.slice(first) : times
  }
  return {
    count () {
      times.push(now())
      if (times.length > 1_000) trim()
    },
    value () {
      trim()
      const rate = times.length / (WINDOW_MS / 1_000)
      return rate < 2 ? Math.round(rate * 100) / 100 : Math.round(rate)
    },
    clear () { times = [] }
  }
}
