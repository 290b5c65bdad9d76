import { isDeepStrictEqual } from 'node:util'
import type { JobIdentity } from './types.js'

/** The job that each printer showed before its first recorded print, by serial; a different job later is new. */
export type Shown = Readonly<Record<string, JobIdentity>>

/** Jobs that printers show without a print in the record, as after the first start of the service. */
export class ShownJobs {
  readonly #jobs: Map<string, JobIdentity>
  readonly #persist: (shown: Shown) => void

  /** @param persist stores them for the next start */
  constructor (shown: Shown, persist: (shown: Shown) => void) {
    this.#jobs = new Map(Object.entries(shown))
    this.#persist = persist
  }

  get (serial: string): JobIdentity | undefined { return this.#jobs.get(serial) }

  /** @param hasPrint the printer has a recorded print, which supersedes the job it showed before */
  note (serial: string, job: JobIdentity, hasPrint: boolean): void {
    const before = this.#jobs.get(serial)
    if (hasPrint ? before === undefined : isDeepStrictEqual(before, job)) return
    if (hasPrint) this.#jobs.delete(serial)
    else this.#jobs.set(serial, job)
    this.#persist(Object.fromEntries(this.#jobs))
  }
}
