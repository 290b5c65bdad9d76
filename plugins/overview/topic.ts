import { isDeepStrictEqual } from 'node:util'
import {
  defineLiveTopic, type Dispose, type Kernel, type LiveTopic, type PrinterSession, type PrinterState
} from '../../core/index.js'
import type { PrinterSummary } from './schemas.js'
import { depsOf, summaryOf } from './summary.js'

/** The parts of a state that a summary is made of: each is the same object while nothing in it changed. */
const PARTS = ['job', 'spools', 'activeTray', 'errors', 'lights'] as const satisfies readonly (keyof PrinterState)[]

const isNews = (now: PrinterState, before: PrinterState | undefined) =>
  before === undefined || PARTS.some(part => now[part] !== before[part])

/** Tells of a session whenever its summary may have changed. */
function watchSession ({ name, events }: PrinterSession, send: (printer: string) => void): Dispose {
  const tell = () => send(name)
  const off = [
    events.on('state', (now, before) => { if (isNews(now, before)) tell() }),
    events.on('service', tell), events.on('live', tell), events.on('problem', tell)
  ]
  return () => { for (const undo of off) undo() }
}

/** An end that is told in minutes moves to and fro by one of them. */
const SAME_END_MS = 60_000

const isSameEnd = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && Math.abs(Date.parse(a) - Date.parse(b)) <= SAME_END_MS)

const withoutEnd = ({ job, ...summary }: PrinterSummary) => ({ ...summary, job: job && { ...job, ends_at: null } })

const isSame = (told: PrinterSummary, now: PrinterSummary): boolean =>
  isSameEnd(told.job?.ends_at, now.job?.ends_at) && isDeepStrictEqual(withoutEnd(told), withoutEnd(now))

export const fleetTopic: LiveTopic = defineLiveTopic({
  name: 'fleet',
  description: 'A printer in a few words, as in `/api/fleet`, when something of it changed; at most once a second',
  current: (kernel: Kernel, name) => {
    const { printers, services: { overview } } = kernel
    const session = printers.get(name)
    return session && summaryOf(session, depsOf(kernel), overview.tagsOf(session.config.serial))
  },
  isSame: (told, now) => isSame(told as PrinterSummary, now as PrinterSummary),
  watch ({ printers, events }, send) {
    const off = [printers.each(session => watchSession(session, send)), events.on('overview:tags', name => send(name)),
      events.on('queue:changed', names => { for (const name of names) send(name) })]
    return () => { for (const undo of off) undo() }
  }
})
