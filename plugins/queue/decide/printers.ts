import { misfitOf } from '../../projects/index.js'
import { plateIn } from './fits.js'
import { minutesLeft, opensAt } from './hours.js'
import { jobReason } from './job-reason.js'
import type { Attempt, Job } from '../types.js'
import { why, type ReasonCode, type Why } from './reasons.js'
import type { GroupView, PrinterView, Problem, ReasonKind, View, WaitingJob } from './types.js'

export const problem = (kind: ReasonKind, code: ReasonCode, values?: Why['values']): Problem =>
  ({ kind, why: why(code, values) })

const LONGEST_RETRY_MS = 3_600_000

const MINUTE_MS = 60_000

/** Why a group takes no job at this time of the week. */
export function hoursProblem ({ name, hours }: Pick<GroupView, 'name' | 'hours'>, now: number): Problem | undefined {
  if (!hours || minutesLeft(hours, now) > 0) return undefined
  const opens = opensAt(hours, now)
  return problem('time', 'group_hours', {
    group: name,
    from: hours.from,
    to: hours.to,
    ...opens !== undefined && { from_at: opens, to_at: opens + minutesLeft(hours, opens) * MINUTE_MS }
  })
}

function groupProblem ({ name, isPaused, hours, spacingMs, startedAt }: GroupView, now: number): Problem | undefined {
  if (isPaused) return problem('paused', 'group_paused', { group: name })
  const closed = hoursProblem({ name, hours }, now)
  if (closed) return closed
  const wait = startedAt + spacingMs - now
  return spacingMs > 0 && wait > 0
    ? problem('time', 'group_spacing', { group: name, seconds: Math.ceil(wait / 1000) })
    : undefined
}

/** Why a printer takes no job at all now. */
export function printerProblem (printer: PrinterView, now: number): Problem | undefined {
  if (printer.problem) return printer.problem
  if (printer.plate !== 'clear') return problem('plate', printer.plate === 'taken' ? 'plate_taken' : 'plate_used')
  if (printer.isPaused) return problem('paused', 'paused')
  for (const group of printer.groups) {
    const found = groupProblem(group, now)
    if (found) return found
  }
  return undefined
}

type WithHours = { readonly groups: readonly Pick<GroupView, 'hours'>[] }

const hoursOf = ({ groups }: WithHours) => groups.flatMap(({ hours }) => hours ?? [])

/** Whether a printer has working hours. */
export const hasHours = (printer: WithHours): boolean => hoursOf(printer).length > 0

/** Whether a print would end after the working hours of a printer. */
export const endsLate = (seconds: number, printer: WithHours, now: number): boolean =>
  hoursOf(printer).some(hours => minutesLeft(hours, now) * 60 < seconds)

/** Whether a job that must end within the working hours would end after them. */
export const isTooLate = ({ needs }: Job, seconds: number, printer: WithHours, now: number): boolean =>
  needs.endInHours && endsLate(seconds, printer, now)

/** What keeps a job from a printer regardless of its spools. */
export function jobProblem ({ job: { needs }, attempts }: WaitingJob, printer: PrinterView, view: View):
Problem | undefined {
  const { name } = printer.machine
  const wanted = needs.printers
  if (wanted.length > 0 && !wanted.includes(name) && !printer.groups.some(group => wanted.includes(group.name))) {
    return problem('fit', 'not_wanted')
  }
  if (attempts.length === 0) return undefined
  return attemptProblem(attempts.filter(({ serial }) => serial === printer.serial), view)
}

function attemptProblem (attempts: readonly Attempt[], { now, retryMs }: View): Problem | undefined {
  const failed = attempts.find(({ state }) => state === 'failed')
  if (failed?.reason === '') return problem('failed', 'failed_here')
  if (failed) return problem('failed', 'failed_here_by', { fault: failed.reason })
  const last = attempts.at(-1)
  if (last === undefined) return undefined
  const wait = last.endedAt + Math.min(retryMs * 2 ** (attempts.length - 1), LONGEST_RETRY_MS) - now
  return wait > 0
    ? problem('time', 'try_again', { fault: last.reason, seconds: Math.ceil(wait / 1000) })
    : undefined
}

/** Whether a waiting copy could start on a printer as soon as it is connected, as far as that is known before. */
export function isWanted (printer: PrinterView, view: View): boolean {
  const code = printer.problem?.why.code
  const isAbsent = code === 'not_connected' || code === 'powered_off'
  const held = printer.held?.find(({ why }) => why.code !== 'powered_off')
  const present = isAbsent ? { ...printer, problem: held } : printer
  if (view.isPaused || printerProblem(present, view.now)) return false
  return view.jobs.some(waiting => jobReason(waiting, view) === undefined && !jobProblem(waiting, printer, view) &&
    waiting.job.alternatives.some(alternative => {
      const plate = plateIn(view.files.get(alternative.file), alternative)
      return plate !== undefined && misfitOf(plate, printer.machine)?.code !== 'other_model'
    }))
}
