// How many processes run at once. Many tests wait more than they work: a fixed number of processes leaves the machine
// idle at one time, and is too much for it at another.
import { cpus } from 'node:os'

const TICK_MS = 1_000
/** Of the processors' time that nobody used, how much the last tick says against all before. */
const NEWEST = 0.4
/** Share of it above which there is room for one more process. */
const ROOM = 0.06
/** Below it one process less would do. */
const CROWDED = 0.01

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
 * Runs processes until no work is left. One that is too many waits, and goes on when there is room again.
 * @param isLeft whether there is work that nobody has taken
 * @param run runs one at the place of that number, which nobody else has meanwhile; awaits `room` before it goes on
 */
export async function keepBusy (isLeft, run, { fewest, most, idle = createIdleMeter(), tickMs = TICK_MS }) {
  const running = new Map()
  const waiting = []
  /** Smoothed: a process costs a second before its first test, and is not begun for a moment. */
  let unused = (ROOM + CROWDED) / 2
  const busy = () => running.size - waiting.length
  const freePlace = () => Array.from({ length: most }, (_, place) => place).find(place => !running.has(place))
  async function room () {
    if (unused < CROWDED && busy() > fewest && isLeft()) await new Promise(resolve => waiting.push(resolve))
  }
  function more () {
    unused = (ROOM + CROWDED) / 2 // what it will use is not known yet
    const goOn = waiting.pop()
    if (goOn) return goOn()
    const place = freePlace()
    running.set(place, run(place, room).finally(() => running.delete(place)))
  }
  while (isLeft() || running.size > 0) {
    while (isLeft() && busy() < fewest) more()
    if (!isLeft()) for (const goOn of waiting.splice(0)) goOn()
    await tickOr(running.values(), tickMs)
    unused += NEWEST * (idle() - unused)
    if (unused > ROOM && isLeft() && busy() < most) more()
  }
}
