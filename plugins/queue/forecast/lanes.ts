import { isActive } from '../../../core/index.js'
import { plateIn, WARMING, type Hours, type PrinterView, type View } from '../decide/index.js'
import { warmingLeftS, warmingS } from '../soak/warming-time.js'
import { soakFor } from '../soak/usual.js'
import type { Run, Snapshot } from '../types.js'

/** What a person has to do before a printer can begin its next print. */
export const WAITS_FOR = ['plate', 'printer', 'resume'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

/** A print in progress. Times are ms since the epoch. */
export interface Running {
  /** Id of the queue's job; empty for a print that the queue did not start. */
  readonly job: string
  readonly name: string
  readonly startsAt: number
  readonly endsAt: number
  readonly percent: number
  readonly state: Run['state']
}

/** When a printer can take its next prints. */
export interface Lane {
  readonly printer: string
  /** When it is free, ms since the epoch; with `waitsFor`: if that was done now. */
  readonly freeAt: number
  readonly waitsFor: WaitsFor | undefined
  readonly running: Running | undefined
  readonly hours: readonly Hours[]
  /** Groups with a least time between two starts. */
  readonly spaced: readonly { readonly name: string, readonly spacingMs: number, readonly startedAt: number }[]
  /** It takes no commands, is not connected, or nothing is known about it. */
  readonly isAbsent: boolean
}

const MS_PER_MIN = 60_000

type Heats = Snapshot['heats']

/** When a run that was not sent yet is expected to be, ms since the epoch. */
function sentAt (run: Run, { machine: { model, state }, serial }: PrinterView, view: View, heats: Heats): number {
  const heat = heats.get(serial)
  if (heat?.run === run.id) return view.now + warmingLeftS(heat, model, state, view.now) * 1_000
  const job = view.jobs.find(({ job }) => job.id === run.job)?.job
  const soak = job && soakFor(job, plateIn(view.files.get(run.file), run), view.warming, model)
  return run.createdAt + warmingS(soak, model) * 1_000
}

function runningOn (printer: PrinterView, run: Run | undefined, view: View, heats: Heats): Running | undefined {
  const { machine: { state } } = printer
  const job = state?.job
  const isRunning = job !== undefined && isActive(job.gcodeState)
  if (!isRunning && !run) return undefined
  const beganAt = run ? run.sentAt ?? run.createdAt : view.now
  const printsAt = run?.state === 'preparing' ? sentAt(run, printer, view, heats) : beganAt
  const endsAt = state && isRunning && job.remainingMinutes > 0
    ? state.receivedAt + job.remainingMinutes * MS_PER_MIN
    : printsAt + (run?.seconds ?? 0) * 1_000
  const percent = isRunning && (!run || run.state === 'printing') ? job.percent : 0
  const past = percent > 0 && percent < 100 ? (endsAt - view.now) * percent / (100 - percent) : 0
  return {
    job: run?.job ?? '',
    name: view.jobs.find(({ job }) => job.id === run?.job)?.job.name ?? job?.subtaskName ?? '',
    startsAt: run ? beganAt : view.now - past,
    endsAt: Math.max(endsAt, view.now),
    percent,
    state: run?.state ?? 'printing'
  }
}

/** Faults and pauses of a printer are settled at the printer itself; these reasons pass when its print ends. */
const PASSES = new Set(['prints', 'at_job', 'start_pending', ...WARMING])

function waitsFor (printer: PrinterView, { isPaused }: View): WaitsFor | undefined {
  const code = printer.problem?.why.code
  if (code === 'outcome_unknown') return 'plate'
  const isHalted = printer.machine.state?.job.gcodeState === 'PAUSE'
  if (isHalted || (code !== undefined && !PASSES.has(code))) return 'printer'
  if (isPaused || printer.isPaused || printer.groups.some(group => group.isPaused)) return 'resume'
  return code === undefined && printer.plate !== 'clear' && printer.plate !== 'taken' ? 'plate' : undefined
}

/** When each printer can begin its next print, by serial. @param runs active ones @param heats for them */
export function lanesOf (view: View, runs: readonly Run[], heats: Heats): Map<string, Lane> {
  const runOf = new Map(runs.map(run => [run.serial, run]))
  return new Map(view.printers.map(printer => {
    const running = runningOn(printer, runOf.get(printer.serial), view, heats)
    return [printer.serial, {
      printer: printer.machine.name,
      freeAt: running?.endsAt ?? view.now,
      waitsFor: waitsFor(printer, view),
      running,
      hours: printer.groups.flatMap(({ hours }) => hours ?? []),
      spaced: printer.groups.filter(({ spacingMs }) => spacingMs > 0),
      isAbsent: printer.problem?.kind === 'absent' && printer.problem.why.code !== 'fault'
    }]
  }))
}
