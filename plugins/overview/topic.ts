import { isDeepStrictEqual } from 'node:util'
import {
  defineLiveTopic, type Dispose, type Kernel, type LiveTopic, type PrinterSession, type PrinterState
} from '../../core/index.js'
import type { PrinterSummary } from './schemas.js'
import { depsOf, summaryOf, temperaturesOf } from './summary.js'

/** The parts of the state used in a summary; each is the same object while unchanged. */
const PARTS = ['job', 'spools', 'activeTray', 'errors', 'lights'] as const satisfies readonly (keyof PrinterState)[]

const isNews = (now: PrinterState, before: PrinterState | undefined) =>
  before === undefined || PARTS.some(part => now[part] !== before[part]) ||
  (now.heat !== before.heat && !isDeepStrictEqual(temperaturesOf(now), temperaturesOf(before)))

/** Calls `send` whenever the summary of a session may have changed. */
function watchSession ({ name, events }: PrinterSession, send: (printer: string) => void): Dispose {
  const notify = () => send(name)
  const off = [
    events.on('state', (now, before) => { if (isNews(now, before)) notify() }),
    events.on('service', notify), events.on('live', notify), events.on('problem', notify)
  ]
  return () => { for (const undo of off) undo() }
}

/** The rounded end of a print may alternate between two minutes. */
const SAME_END_MS = 60_000

const isSameEnd = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && Math.abs(Date.parse(a) - Date.parse(b)) <= SAME_END_MS)

const withoutEnd = ({ job, ...summary }: PrinterSummary) => ({ ...summary, job: job && { ...job, ends_at: null } })

const isSame = (lastSent: PrinterSummary, now: PrinterSummary): boolean =>
  isSameEnd(lastSent.job?.ends_at, now.job?.ends_at) && isDeepStrictEqual(withoutEnd(lastSent), withoutEnd(now))

export const fleetTopic: LiveTopic = defineLiveTopic({
  name: 'fleet',
  description: 'Summary of a printer, as in `/api/fleet`, when it changes; at most once a second',
  current: (kernel: Kernel, name) => {
    const { printers, services: { overview } } = kernel
    const session = printers.get(name)
    return session && summaryOf(session, depsOf(kernel), overview.tagsOf(session.config.serial))
  },
  isSame: (lastSent, now) => isSame(lastSent as PrinterSummary, now as PrinterSummary),
  watch ({ printers, events }, send) {
    const off = [printers.each(session => watchSession(session, send)), events.on('overview:tags', name => send(name)),
      events.on('queue:changed', names => { for (const name of names) send(name) })]
    return () => { for (const undo of off) undo() }
  }
})
