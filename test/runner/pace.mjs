// How many processes run at once. Many tests wait more than they work: a fixed number of processes leaves the machine
// idle at one time, and is too much for it at another.
import { cpus } from 'node:os'

const TICK_MS = 1_000
/** Of the processors' time that nobody used, how much the last tick says against all before. */
const NEWEST = 0.4
/** Share of it above which there is room for one more process. */
const ROOM = 0.06

/** @returns the share since the call before */
export function createIdleMeter (read = cpus) {
  const timesNow = () => read().reduce(({ idle, all }, { times }) => ({
    idle: idle + times.idle,
    all: all + Object.values(times).reduce((sum, ms) => sum + ms, 0)
  }), { idle: 0, all: 0 })
  let before = timesNow()
  return () => {
    const now = timesNow()
    const passed = now.all - before.all
    const share = passed === 0 ? 0 : (now.idle - before.idle) / passed
    before = now
    return share
  }
}

async function tickOr (ends, ms) {
  let timer
  await Promise.race([new Promise(resolve => { timer = setTimeout(resolve, ms) }), ...ends])
  clearTimeout(timer)
}

/**
 * Runs processes until no work is left.
 * @param isLeft whether there is work that nobody has taken
 * @param run runs one at the place of that number, which nobody else has meanwhile
 */
export async function keepBusy (isLeft, run, { fewest, most, idle = createIdleMeter(), tickMs = TICK_MS }) {
  const running = new Map()
  /** Smoothed: a process costs a second before its first test, and is not begun for a moment. */
  let unused = 0
  const freePlace = () => Array.from({ length: most }, (_, place) => place).find(place => !running.has(place))
  function start () {
    unused = 0 // what it will use is not known yet
    const place = freePlace()
    running.set(place, run(place).finally(() => running.delete(place)))
  }
  while (isLeft() || running.size > 0) {
    while (isLeft() && running.size < fewest) start()
    await tickOr(running.values(), tickMs)
    unused += NEWEST * (idle() - unused)
    if (unused > ROOM && isLeft() && running.size < most) start()
  }
}
