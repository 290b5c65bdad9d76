/** The time of a virtual printer, in its own milliseconds. */
export interface Clock {
  now (): number
  /** Calls `fn` at intervals. @returns stops it */
  every (ms: number, fn: () => void): () => void
  /** Calls `fn` once. @returns cancels it */
  after (ms: number, fn: () => void): () => void
}

/** A clock that advances only by `advance`. */
export interface ManualClock extends Clock {
  /** Advances by `ms` and runs the due calls in order of time. */
  advance (ms: number): void
}

/** Longest delay of the platform's timers. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

const delay = (ms: number, speed: number): number =>
  Math.min(LONGEST_DELAY_MS, Math.max(1, Math.round(ms / speed)))

/** Real time, `speed` times as fast. Its timers do not keep the process alive. */
export function createClock (speed = 1): Clock {
  if (!(speed > 0 && speed < Infinity)) throw new RangeError(`speed must be a number above 0, not ${speed}`)
  const start = performance.now()
  return {
    now: () => (performance.now() - start) * speed,
    every (ms, fn) {
      const timer = setInterval(fn, delay(ms, speed)).unref()
      return () => clearInterval(timer)
    },
    after (ms, fn) {
      const timer = setTimeout(fn, delay(ms, speed)).unref()
      return () => clearTimeout(timer)
    }
  }
}

interface Task {
  readonly at: number
  readonly order: number
  /** Interval of a repeated task. */
  readonly again: number | undefined
  readonly fn: () => void
}

const earliest = (tasks: Iterable<[symbol, Task]>): [symbol, Task] | undefined => {
  let first: [symbol, Task] | undefined
  for (const entry of tasks) {
    const before = first === undefined || entry[1].at < first[1].at ||
      (entry[1].at === first[1].at && entry[1].order < first[1].order)
    if (before) first = entry
  }
  return first
}

/** A clock for tests: nothing happens until `advance`. */
export function createManualClock (start = 0): ManualClock {
  const tasks = new Map<symbol, Task>()
  let now = start
  let order = 0

  const plan = (id: symbol, ms: number, again: number | undefined, fn: () => void): () => void => {
    tasks.set(id, { at: now + Math.max(0, ms), order: order++, again, fn })
    return () => { tasks.delete(id) }
  }

  const run = (id: symbol, task: Task): void => {
    now = Math.max(now, task.at)
    tasks.delete(id)
    if (task.again !== undefined) plan(id, task.again, task.again, task.fn)
    task.fn()
  }

  return {
    now: () => now,
    every: (ms, fn) => plan(Symbol('every'), Math.max(1, ms), Math.max(1, ms), fn),
    after: (ms, fn) => plan(Symbol('after'), ms, undefined, fn),
    advance (ms) {
      const end = now + ms
      const due = (): [symbol, Task] | undefined => {
        const next = earliest(tasks)
        return next !== undefined && next[1].at <= end ? next : undefined
      }
      for (let next = due(); next !== undefined; next = due()) run(...next)
      now = end
    }
  }
}
