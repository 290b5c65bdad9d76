/** Pictures per second over the last ten seconds. */
export interface FpsMeter {
  count (): void
  /** Two decimals below 2, else an integer. */
  value (): number
  clear (): void
}

const WINDOW_MS = 10_000
/** Pictures. */
const TRIMMED_FROM = 1_000

export function createFpsMeter (now: () => number): FpsMeter {
  let times: number[] = []
  let most = TRIMMED_FROM
  const trim = () => {
    const until = now()
    // A clock that was set back leaves times that are still to come.
    times = times.filter(time => time > until - WINDOW_MS && time <= until)
    // However many pictures come, trimming costs each of them the same.
    most = Math.max(TRIMMED_FROM, 2 * times.length)
  }
  return {
    count () {
      times.push(now())
      if (times.length > most) trim()
    },
    value () {
      trim()
      const rate = times.length / (WINDOW_MS / 1_000)
      return rate < 2 ? Math.round(rate * 100) / 100 : Math.round(rate)
    },
    clear () { times = [] }
  }
}
