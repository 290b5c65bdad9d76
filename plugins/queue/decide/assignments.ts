import { lastsS, type Fit, type Judge } from './fits.js'
import { inOrder } from './order.js'
import { isTooLate, jobProblem, printerProblem } from './printers.js'
import { jobReason, waitingCopies } from './job-reason.js'
import type { Job } from '../types.js'
import type { PrinterView, Start, View, WaitingJob } from './types.js'

/** A printer that can print a job, and how. */
interface Candidate { readonly printer: PrinterView, readonly fit: Fit }

function isBetter (a: Candidate, b: Candidate): boolean {
  if (a.fit.low.length !== b.fit.low.length) return a.fit.low.length < b.fit.low.length
  if (a.fit.changes !== b.fit.changes) return a.fit.changes < b.fit.changes
  if (a.printer.used !== b.printer.used) return a.printer.used < b.printer.used
  return a.printer.machine.name < b.printer.machine.name
}

/** The copies that one turn assigns to printers: one to each printer, and to each group with a spacing. */
export class Assignments {
  readonly #view: View
  readonly #judge: Judge
  readonly #ready: readonly PrinterView[]
  readonly #mayFit: (job: Job) => ReadonlySet<PrinterView>
  /** By serial of the printer. */
  readonly #started = new Map<string, Start>()
  readonly #startedGroups = new Set<string>()
  /** Printers by requirements key, the best first. */
  readonly #candidates = new Map<string, readonly Candidate[]>()
  /** Requirements for which no printer is left. */
  readonly #hopeless = new Set<string>()

  constructor (view: View, judge: Judge) {
    this.#view = view
    this.#judge = judge
    this.#ready = view.printers.filter(printer => printerProblem(printer, view.now) === undefined)
    this.#mayFit = judge.shortlist(this.#ready)
    for (const waiting of inOrder(view)) {
      if (this.#started.size === this.#ready.length) break
      if (jobReason(waiting, view) === undefined) this.#assign(waiting)
    }
  }

  get starts (): readonly Start[] { return [...this.#started.values()] }

  /** The copy that was assigned to a printer. */
  startOn ({ serial }: PrinterView): Start | undefined { return this.#started.get(serial) }

  #assign (waiting: WaitingJob): void {
    const key = this.#judge.requirementsKey(waiting.job)
    if (this.#hopeless.has(key)) return
    for (let copies = waitingCopies(waiting.job); copies > 0; copies--) {
      const chosen = this.#choose(waiting)
      if (chosen) {
        this.#start(waiting.job, chosen)
        continue
      }
      // After failed attempts printers were excluded for this job alone, not for others with its requirements.
      if (waiting.attempts.length === 0) this.#hopeless.add(key)
      return
    }
  }

  #start (job: Job, { printer, fit: { file, plate, mapping, low, soak } }: Candidate): void {
    this.#started.set(printer.serial,
      { job, printer, file, plate: plate.number, seconds: plate.seconds ?? 0, mapping, low, soak })
    for (const { name } of printer.groups) this.#startedGroups.add(name)
  }

  #choose (waiting: WaitingJob): Candidate | undefined {
    return this.#candidatesFor(waiting)
      .find(({ printer }) => this.#isFree(printer) && !jobProblem(waiting, printer, this.#view))
  }

  #candidatesFor ({ job }: WaitingJob): readonly Candidate[] {
    const key = this.#judge.requirementsKey(job)
    const known = this.#candidates.get(key)
    if (known) return known
    const found = [...this.#mayFit(job)].flatMap(printer => {
      // A printer assigned in this turn does not become free again in it.
      if (!this.#isFree(printer) || jobProblem({ job, attempts: [] }, printer, this.#view)) return []
      const fit = this.#judge.bestFit(job, printer)
      return fit && !isTooLate(job, lastsS(fit), printer, this.#view.now) ? { printer, fit } : []
    }).sort((a, b) => isBetter(a, b) ? -1 : 1)
    this.#candidates.set(key, found)
    return found
  }

  #isFree ({ serial, groups }: PrinterView): boolean {
    return !this.#started.has(serial) &&
      !groups.some(({ name, spacingMs }) => spacingMs > 0 && this.#startedGroups.has(name))
  }
}
