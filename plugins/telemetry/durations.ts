import type { PrinterState } from '../../core/index.js'

/** How long a job has been in each of its states. */
export interface Durations {
  add (state: PrinterState): void
  /** Seconds by state. */
  seconds (): Readonly<Record<string, number>>
}

/** Printers have eight states; invented ones must not grow this without bound. */
const MOST_STATES = 16

/** Restarts when a job with another, non-empty name is reported. */
export function createDurations (): Durations {
  /** A typed array is updated without allocations. */
  const times = new Float64Array(MOST_STATES)
  const slots = new Map<string, number>()
  let jobName = ''
  let lastAt: number | undefined

  function begin (name: string): void {
    jobName = name
    slots.clear()
    times.fill(0)
  }

  function slotOf (gcodeState: string): number {
    const known = slots.get(gcodeState)
    if (known !== undefined) return known
    if (gcodeState === '' || slots.size === MOST_STATES) return -1
    slots.set(gcodeState, slots.size)
    return slots.size - 1
  }

  return {
    /** Adds the time since the last report to the reported state. */
    add ({ job, receivedAt }) {
      if (job.subtaskName !== '' && job.subtaskName !== jobName) begin(job.subtaskName)
      const slot = slotOf(job.gcodeState)
      if (slot >= 0 && lastAt !== undefined) times[slot] = (times[slot] ?? 0) + Math.max(0, receivedAt - lastAt) / 1000
      lastAt = receivedAt
    },
    seconds: () => Object.fromEntries([...slots].map(([state, slot]) => [state, times[slot] ?? 0]))
  }
}
