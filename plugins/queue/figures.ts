import type { Kernel } from '../../core/index.js'
import type { GaugeSpec } from '../metrics/index.js'
import { printerProblem } from './decide/printers.js'
import { stateOf } from './service.js'
import type { Turn } from './view.js'

type Figures = Readonly<Record<string, number>>

const JOB_STATES = ['waiting', 'blocked', 'starting', 'printing'] as const
/** `ready`, or the kind of what keeps a printer from jobs. */
const PRINTER_STATES = ['ready', 'busy', 'plate', 'absent', 'paused', 'time'] as const

/** Every state is told, so that one that has become empty goes to 0. */
function count (states: readonly string[], found: readonly string[]): Figures {
  const counts = Object.fromEntries(states.map(state => [state, 0]))
  for (const state of found) if (counts[state] !== undefined) counts[state]++
  return counts
}

/** One look at a turn is enough, however often somebody asks. */
const seen = new WeakMap<Turn, { readonly jobs: Figures, readonly printers: Figures }>()

function figuresOf (turn: Turn) {
  const known = seen.get(turn)
  if (known) return known
  const { snapshot: { jobs, runs, attempts }, view, decision } = turn
  const figures = {
    jobs: count(JOB_STATES, jobs.map(job => stateOf(job, runs.filter(run => run.job === job.id),
      { isBlocked: decision.isBlocked({ job, attempts: attempts.get(job.id) ?? [] }) }))),
    printers: count(PRINTER_STATES, view.printers.map(printer => printerProblem(printer, view.now)?.kind ?? 'ready'))
  }
  seen.set(turn, figures)
  return figures
}

const lastOf = ({ services }: Kernel): Turn | undefined => services.queue.runner.last

function oldestSeconds (kernel: Kernel): number {
  const waiting = (lastOf(kernel)?.snapshot.jobs ?? []).filter(({ copies, taken }) => copies > taken)
  if (waiting.length === 0) return 0
  return Math.max(0, kernel.now() - Math.min(...waiting.map(({ createdAt }) => createdAt))) / 1000
}

/** What `/metrics` tells of the queue, as it was at its last turn. */
export const gauges: readonly GaugeSpec[] = [
  {
    name: 'prn_queue_jobs',
    help: 'Open jobs of the queue by state',
    label: 'state',
    read: kernel => { const last = lastOf(kernel); return last ? figuresOf(last).jobs : {} }
  },
  {
    name: 'prn_queue_printers',
    help: 'Printers by what keeps them from the next job: ready, busy, plate, absent, paused, time',
    label: 'state',
    read: kernel => { const last = lastOf(kernel); return last ? figuresOf(last).printers : {} }
  },
  {
    name: 'prn_queue_copies_waiting',
    help: 'Copies that wait',
    read: kernel => (lastOf(kernel)?.snapshot.jobs ?? []).reduce((sum, { copies, taken }) => sum + copies - taken, 0)
  },
  { name: 'prn_queue_oldest_waiting_seconds', help: 'Age of the oldest job with a copy that waits', read: oldestSeconds }
]
