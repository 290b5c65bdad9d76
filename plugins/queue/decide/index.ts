import type { SpoolFinder } from './spool-finder.js'
import { Assignments } from './assignments.js'
import { createJudge, lastsS, NO_FILE, type Judge } from './fits.js'
import { absentFile, jobReason, waitingCopies } from './job-reason.js'
import { isTooLate, jobProblem, printerProblem, problem } from './printers.js'
import { why } from './reasons.js'
import type { Decision, PrinterView, Problem, Suitable, View, Waiting, WaitingJob } from './types.js'

export { plateIn } from './fits.js'
export { SpoolFinder, type Low } from './spool-finder.js'
export type { Hours } from './hours.js'
export { jobReason, waitingCopies } from './job-reason.js'
export { minutesLeft, opensAt } from './hours.js'
export { inOrder } from './order.js'
export { hoursProblem, isTooLate, isWanted, printerProblem, problem } from './printers.js'
export { textOf, WARMING, why, type ReasonCode, type Why } from './reasons.js'
export type { Decision, GroupView, PrinterView, Problem, Start, Suitable, View, Waiting, WaitingJob } from './types.js'

/** Chooses a printer for every waiting copy, or explains why there is none. Pure; the time is part of the view. */
export function decide (view: View, finder: SpoolFinder): Decision {
  const judge = createJudge(view.files, { finder, warming: view.warming })
  const assignments = new Assignments(view, judge)
  return {
    starts: assignments.starts,
    explain: waiting => explain(waiting, { view, judge, assignments }),
    suitable: createSuitable(view, judge),
    requirementsKey: judge.requirementsKey
  }
}

/** @returns a lookup of the printers that suit a job, free or not; jobs with equal requirements share the result */
function createSuitable (view: View, judge: Judge): (waiting: WaitingJob) => readonly Suitable[] {
  const known = new Map<string, readonly Suitable[]>()
  let shortlist: ReturnType<Judge['shortlist']> | undefined

  function all (waiting: WaitingJob): readonly Suitable[] {
    const job = { job: waiting.job, attempts: [] }
    shortlist ??= judge.shortlist(view.printers)
    return [...shortlist(waiting.job)].flatMap(printer => {
      const fit = jobProblem(job, printer, view) ? undefined : judge.bestFit(waiting.job, printer)
      return fit ? [{ printer, plate: fit.plate, warmingS: fit.warmingS }] : []
    })
  }

  return waiting => {
    const key = judge.requirementsKey(waiting.job)
    const found = known.get(key) ?? all(waiting)
    known.set(key, found)
    if (waiting.attempts.length === 0) return found
    return found.filter(({ printer }) => jobProblem(waiting, printer, view)?.kind !== 'failed')
  }
}

interface Decided {
  readonly view: View
  readonly judge: Judge
  readonly assignments: Assignments
}

function explain (waiting: WaitingJob, decided: Decided): Waiting {
  const { view } = decided
  const reasons = view.printers.map(printer =>
    ({ printer: printer.machine.name, ...printerReason(waiting, printer, decided) }))
  const needsHelp = reasons.every(({ kind }) => kind === 'fit' || kind === 'failed')
  return {
    reason: jobReason(waiting, view) ?? (reasons.length === 0 ? why('no_printers') : undefined),
    printers: reasons,
    isBlocked: waitingCopies(waiting.job) > 0 && !waiting.job.held && needsHelp
  }
}

/** What keeps a job from one printer. */
function printerReason (waiting: WaitingJob, printer: PrinterView, { view, judge, assignments }: Decided): Problem {
  const { job } = waiting
  if (absentFile(job, view) !== undefined) return { kind: 'fit', why: NO_FILE }
  const own = jobProblem(waiting, printer, view)
  if (own) return own
  const isKnown = printer.machine.state !== undefined
  const unfit = isKnown ? judge.whyUnfit(job, printer) : undefined
  if (unfit) return { kind: 'fit', why: unfit }
  const general = printerProblem(printer, view.now)
  if (general) return general
  const fit = isKnown ? judge.bestFit(job, printer) : undefined
  if (isTooLate(job, fit ? lastsS(fit) : 0, printer, view.now)) return problem('time', 'ends_late')
  const next = assignments.startOn(printer)
  if (next === undefined) return problem('time', 'group_first')
  return next.job.id === job.id ? problem('next', 'next') : problem('next', 'other_next', { job: next.job.name })
}
