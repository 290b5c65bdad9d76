import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../core/index.js'
import type { CardCleaner } from './card-cleaner.js'
import { settleJob } from './job-cost.js'
import type { PrinterObserver } from './printer-observer.js'
import type { End, Store } from './store/index.js'
import type { Run } from './types.js'

export interface RunChangesDeps {
  readonly kernel: Kernel
  readonly store: Store
  readonly cleaner: Pick<CardCleaner, 'remove'>
  readonly observer: Pick<PrinterObserver, 'identity'>
  readonly log: Pick<FastifyBaseLogger, 'info'>
  /** So many failures in a row stop a printer, unless a person has set another number. */
  readonly mostFailuresOf: (printer: string) => number
  /** Called with each new state of a run. */
  readonly runChanged: (run: Run) => void
}

export const sessionOf = ({ printers }: Kernel, serial: string): PrinterSession | undefined =>
  printers.sessions.find(({ config }) => config.serial === serial)

/** Stores each new state of a run and publishes it, unless another service has already changed the run. */
export class RunChanges {
  readonly #deps: RunChangesDeps

  constructor (deps: RunChangesDeps) { this.#deps = deps }

  async end (run: Run, how: Omit<End, 'identity' | 'now' | 'by' | 'mostFailures'>): Promise<void> {
    const { kernel, store, cleaner, observer, log, runChanged, mostFailuresOf } = this.#deps
    const session = sessionOf(kernel, run.serial)
    const identity = session ? observer.identity(session) : ''
    const mostFailures = mostFailuresOf(session?.name ?? '') // another printer may have its name by now
    const done = await store.end(run, { ...how, identity, by: 'queue', now: kernel.now(), mostFailures })
    if (!done) return
    log.info({ printer: run.printer, job: run.job, state: how.state, reason: how.reason }, 'a copy has ended')
    runChanged({ ...run, state: how.state, reason: how.reason, endedAt: kernel.now() })
    await settleJob(kernel.events, store, run.job)
    // A start that was not refused for certain may still begin, and needs its file.
    if (session && (how.state !== 'not_started' || how.plate === 'as_before')) {
      await cleaner.remove(session, run.path)
    }
  }

  /** @param from the states in which the run may be */
  async transition (run: Run, from: readonly Run['state'][], to: 'printing' | 'unknown', reason = ''): Promise<void> {
    if (await this.#deps.store.change(run, from, to, reason)) this.#deps.runChanged({ ...run, state: to, reason })
  }
}
