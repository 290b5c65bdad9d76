import { localTime, minutesLeft } from './hours.js'
import type { Attempt } from '../types.js'
import type { GroupView, PrinterView, Reason, ReasonKind, View, WaitingJob } from './types.js'

type Problem = Pick<Reason, 'kind' | 'text'>

const problem = (kind: ReasonKind, text: string): Problem => ({ kind, text })

const LONGEST_RETRY_MS = 3_600_000

const PLATES: Readonly<Record<string, string>> = {
  used: 'plate not confirmed clear',
  taken: 'a print is being started'
}

function groupProblem ({ name, isPaused, hours, spacingMs, startedAt }: GroupView, now: number): Problem | undefined {
  if (isPaused) return problem('paused', `group '${name}' is paused`)
  if (hours && minutesLeft(hours, localTime(now)) === 0) {
    return problem('time', `outside the working hours of group '${name}' (${hours.from} to ${hours.to})`)
  }
  const wait = startedAt + spacingMs - now
  return spacingMs > 0 && wait > 0
    ? problem('time', `group '${name}' starts its next print in ${Math.ceil(wait / 1000)} s`)
    : undefined
}

/** Why a printer takes no job now, whichever it is. */
export function printerProblem (printer: PrinterView, now: number): Problem | undefined {
  if (printer.problem) return printer.problem
  if (printer.plate !== 'clear') return problem('plate', PLATES[printer.plate ?? 'used'] ?? 'plate not confirmed clear')
  if (printer.isPaused) return problem('paused', 'paused')
  for (const group of printer.groups) {
    const found = groupProblem(group, now)
    if (found) return found
  }
  return undefined
}

/** What keeps this very job from a printer, whatever it is loaded with. */
export function jobProblem ({ job: { needs }, attempts }: WaitingJob, printer: PrinterView, view: View):
Problem | undefined {
  const { name } = printer.machine
  const wanted = needs.printers
  if (wanted.length > 0 && !wanted.includes(name) && !printer.groups.some(group => wanted.includes(group.name))) {
    return problem('fit', 'not among the printers of the job')
  }
  if (attempts.length === 0) return undefined
  return attemptProblem(attempts.filter(({ serial }) => serial === printer.serial), view)
}

function attemptProblem (attempts: readonly Attempt[], { now, retryMs }: View): Problem | undefined {
  const failed = attempts.find(({ state }) => state === 'failed')
  if (failed) return problem('failed', `a copy failed here${failed.reason === '' ? '' : `: ${failed.reason}`}`)
  const last = attempts.at(-1)
  if (last === undefined) return undefined
  const wait = last.endedAt + Math.min(retryMs * 2 ** (attempts.length - 1), LONGEST_RETRY_MS) - now
  return wait > 0
    ? problem('time', `could not be started: ${last.reason}; next try in ${Math.ceil(wait / 1000)} s`)
    : undefined
}
