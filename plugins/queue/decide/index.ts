import type { Job } from '../types.js'
import type { SpoolFinder } from './spool-finder.js'
import { createJudge, NO_FILE, plateIn, type Fit } from './fits.js'
import { localTime, minutesLeft } from './hours.js'
import { jobProblem, printerProblem, problem } from './printers.js'
import { why, type Why } from './reasons.js'
import type { Decision, PrinterView, Problem, Start, View, Waiting, WaitingJob } from './types.js'

export { plateIn } from './fits.js'
export { createSpoolFinder, type Low, type SpoolFinder } from './spool-finder.js'
export type { Hours } from './hours.js'
export { printerProblem, problem } from './printers.js'
export { textOf, why, type Why } from './reasons.js'
export type { Decision, GroupView, PrinterView, Problem, Start, View, Waiting, WaitingJob } from './types.js'

const waitingCopies = ({ copies, taken }: Job): number => copies - taken

/** Chooses a printer for every waiting copy, or explains why there is none. Pure; the time is part of the view. */
export function decide (view: View, finder: SpoolFinder): Decision {
  const { now, printers, files } = view
  const started = new Map<string, Start>()
  const startedGroups = new Set<string>()
  const { requirementsKey, bestFit, whyUnfit, shortlist } = createJudge(files, finder)
  /** Requirements for which no printer is left. */
  const hopeless = new Set<string>()

  const hoursOf = ({ groups }: PrinterView) => groups.flatMap(({ hours }) => hours ?? [])

  /** The print would end after the working hours of this printer. */
  const endsLate = (seconds: number, printer: PrinterView): boolean =>
    hoursOf(printer).some(hours => minutesLeft(hours, localTime(now)) * 60 < seconds)

  const secondsOf = ({ alternatives: [first] }: Job): number =>
    (first && plateIn(files.get(first.file), first)?.seconds) ?? 0

  const timed = printers.filter(printer => hoursOf(printer).length > 0)
  /** Jobs that end within some printer's working hours come before those that end within none. */
  const isLate = (job: Job): boolean => timed.length > 0 && timed.every(printer => endsLate(secondsOf(job), printer))

  const absentOf = ({ alternatives }: Job): string | undefined =>
    alternatives.find(({ file }) => !view.present.has(file))?.file

  function reasonOf ({ job, attempts }: WaitingJob): Why | undefined {
    if (job.held) return why('held')
    if (job.notBefore !== undefined && job.notBefore > now) {
      return why('not_before', { time: `${new Date(job.notBefore).toISOString().slice(0, 16).replace('T', ' ')} UTC` })
    }
    const absent = absentOf(job)
    if (absent !== undefined) return why('file_gone', { file: files.get(absent)?.name ?? absent })
    if (waitingCopies(job) <= 0) return why(attempts.length > 0 ? 'none_left' : 'all_under_way')
    return view.isPaused ? why('queue_paused') : undefined
  }

  const isFree = (printer: PrinterView): boolean => !started.has(printer.serial) &&
    !printer.groups.some(({ name, spacingMs }) => spacingMs > 0 && startedGroups.has(name))

  const lateFor = ({ needs }: Job, seconds: number, printer: PrinterView): boolean =>
    needs.endInHours && hoursOf(printer).length > 0 && endsLate(seconds, printer)

  function isBetter (a: Fit, printer: PrinterView, b: Fit, other: PrinterView): boolean {
    if (a.low.length !== b.low.length) return a.low.length < b.low.length
    if (a.changes !== b.changes) return a.changes < b.changes
    if (printer.used !== other.used) return printer.used < other.used
    return printer.machine.name < other.machine.name
  }

  const ready = printers.filter(printer => printerProblem(printer, now) === undefined)
  const mayFit = shortlist(ready)

  /** Printers by requirements key, the best first. */
  const candidates = new Map<string, { readonly printer: PrinterView, readonly fit: Fit }[]>()

  function candidatesFor ({ job }: WaitingJob): { readonly printer: PrinterView, readonly fit: Fit }[] {
    const key = requirementsKey(job)
    const known = candidates.get(key)
    if (known) return known
    const found = [...mayFit(job)].flatMap(printer => {
      // A printer assigned in this turn does not become free again in it.
      if (!isFree(printer) || jobProblem({ job, attempts: [] }, printer, view)) return []
      const fit = bestFit(job, printer)
      return fit && !lateFor(job, fit.plate.seconds ?? 0, printer) ? { printer, fit } : []
    }).sort((a, b) => isBetter(a.fit, a.printer, b.fit, b.printer) ? -1 : 1)
    candidates.set(key, found)
    return found
  }

  const choosePrinter = (waiting: WaitingJob): { readonly printer: PrinterView, readonly fit: Fit } | undefined =>
    candidatesFor(waiting).find(({ printer }) => isFree(printer) && !jobProblem(waiting, printer, view))

  const order = view.jobs.map(waiting => ({ waiting, late: isLate(waiting.job) })).sort((a, b) =>
    b.waiting.job.priority - a.waiting.job.priority || Number(a.late) - Number(b.late) ||
    a.waiting.job.position - b.waiting.job.position || (a.waiting.job.id < b.waiting.job.id ? -1 : 1))

  for (const { waiting } of order) {
    if (started.size === ready.length) break
    const key = requirementsKey(waiting.job)
    if (hopeless.has(key) || reasonOf(waiting) !== undefined) continue
    for (let copies = waitingCopies(waiting.job); copies > 0; copies--) {
      const chosen = choosePrinter(waiting)
      if (!chosen) {
        // After failed attempts printers were excluded for this job alone, not for others with its requirements.
        if (waiting.attempts.length === 0) hopeless.add(key)
        break
      }
      const { printer, fit: { file, plate, mapping, low } } = chosen
      started.set(printer.serial,
        { job: waiting.job, printer, file, plate: plate.number, seconds: plate.seconds ?? 0, mapping, low })
      for (const { name } of printer.groups) startedGroups.add(name)
    }
  }

  function printerReason (waiting: WaitingJob, printer: PrinterView): Problem {
    if (absentOf(waiting.job) !== undefined) return { kind: 'fit', why: NO_FILE }
    const own = jobProblem(waiting, printer, view)
    if (own) return own
    const isKnown = printer.machine.state !== undefined
    const unfit = isKnown ? whyUnfit(waiting.job, printer) : undefined
    if (unfit) return { kind: 'fit', why: unfit }
    const general = printerProblem(printer, now)
    if (general) return general
    const seconds = isKnown ? bestFit(waiting.job, printer)?.plate.seconds : undefined
    if (lateFor(waiting.job, seconds ?? 0, printer)) return problem('time', 'ends_late')
    const next = started.get(printer.serial)
    if (next === undefined) return problem('time', 'group_first')
    return next.job.id === waiting.job.id
      ? problem('next', 'next')
      : problem('next', 'other_next', { job: next.job.name })
  }

  return {
    starts: [...started.values()],
    explain (waiting): Waiting {
      const reasons = printers.map(printer => ({ printer: printer.machine.name, ...printerReason(waiting, printer) }))
      const reason = reasonOf(waiting)
      const needsHelp = reasons.every(({ kind }) => kind === 'fit' || kind === 'failed')
      return {
        reason: reason ?? (printers.length === 0 ? why('no_printers') : undefined),
        printers: reasons,
        isBlocked: waitingCopies(waiting.job) > 0 && !waiting.job.held && needsHelp
      }
    }
  }
}
