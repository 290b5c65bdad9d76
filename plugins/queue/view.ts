import {
  activeFaults, hasCurrentState, isActive, isHolder, isStartPending, wireTrayId, type Kernel, type PrinterSession,
  type PrinterState
} from '../../core/index.js'
import { traysOf, type Tray, type Weigh } from '../projects/index.js'
import { hoursProblem, isTooLate, problem, why, type Decision, type GroupView, type Hours, type PrinterView, type Problem, type View, type Why } from './decide/index.js'
import { lastStart } from './spacings.js'
import { whyWarming } from './soak/temperatures.js'
import type { Warming } from './soak/usual.js'
import { pausesOfPrinter, type PrinterNames } from './store/pauses.js'
import type { FailureRecord, Job, PlateState, Run, Snapshot } from './types.js'

/** A configured group of printers. */
export interface GroupOptions {
  readonly name: string
  readonly printers: readonly string[]
  readonly hours?: Hours
  /** Least time between the starts of two prints, s. */
  readonly spacingSeconds: number
  /** Its printers remove finished prints by themselves. */
  readonly selfClearing: boolean
  /** So many failures in a row stop its printers; 0 never, undefined: the number of the queue. */
  readonly stopAfterFailures?: number
  /** Of its printers: those that only have the name of one that was put in. */
  readonly strangers?: readonly string[]
}

/** After these states an error of the job no longer counts: the person who confirms the plate has seen it. */
const ENDED = new Set(['FINISH', 'FAILED'])

function faultOf ({ hms }: Kernel, { errors: { faults }, job }: PrinterState): string | undefined {
  const fault = activeFaults(faults).find(({ type, critical }) =>
    critical && (type === 'device_hms' || !ENDED.has(job.gcodeState)))
  return fault && hms.sentence(fault)
}

/** Why a printer can take no job at all. */
export function problemOf (kernel: Kernel, session: PrinterSession | undefined): PrinterView['problem'] {
  const { state } = session ?? {}
  if (!session || !state || session.service !== 'CONNECTED' || !hasCurrentState(session)) {
    return problem('absent', session?.service === 'PAUSED' ? 'session_paused' : 'not_connected')
  }
  const { job } = state
  if (isActive(job.gcodeState)) {
    return problem('busy', job.gcodeState === 'PAUSE' ? 'paused_in' : 'prints', { job: job.subtaskName })
  }
  const { start } = session.context
  if (isStartPending(start, kernel.now())) return problem('busy', 'start_pending', { job: start.subtaskName })
  if (session.problem?.code === 'takes_no_commands') return problem('absent', 'takes_no_commands')
  if (state.device.signedOnly) return problem('absent', 'signed_only')
  if (state.device.storage === false) return problem('absent', 'no_card')
  const fault = faultOf(kernel, state)
  return fault === undefined ? undefined : problem('absent', 'fault', { fault })
}

const loadedTray = ({ activeTray: { amsId, slot } }: PrinterState): number | undefined =>
  amsId < 0 ? undefined : isHolder(amsId) ? amsId : wireTrayId(amsId, slot)

interface KnownTrays {
  readonly ams: PrinterState['ams']
  readonly weighing: number
  readonly list: readonly Tray[]
}

/** Reads the loaded spools and how much is left on them. */
export interface TrayReader {
  /** Returns the same list while spools, units and remaining weights are unchanged. */
  traysOf (session: PrinterSession, state: PrinterState): readonly Tray[]
  /** Call when remaining weights may have changed. */
  weighAgain (): void
}

const isSameWeight = (one: readonly Tray[], other: readonly Tray[]): boolean =>
  one.every(({ remainingG }, at) => remainingG === other[at]?.remainingG)

/** @param weigh the remaining weight where another plugin knows it better than the printer */
export function createTrayReader (weigh: Weigh): TrayReader {
  const known = new WeakMap<PrinterState['spools'], KnownTrays>()
  let weighing = 0
  return {
    traysOf (session, state) {
      const { spools, ams } = state
      const before = known.get(spools)
      if (before?.ams === ams && before.weighing === weighing) return before.list
      const now = traysOf(state, session.model.extruders > 1)
        .map(tray => ({ ...tray, remainingG: weigh(session, tray) ?? tray.remainingG }))
      const list = before?.ams === ams && isSameWeight(before.list, now) ? before.list : now
      known.set(spools, { ams, weighing, list })
      return list
    },
    weighAgain () { weighing++ }
  }
}

export const pauseOfGroup = (name: string): string => `group:${name}`
export const PAUSE_OF_QUEUE = 'queue'

/** Whether something is paused, and until when if that ends by itself. @param ids of all its pauses */
function pauseOf (ids: readonly string[], { pauses }: Pick<Snapshot, 'pauses'>, now: number): Pick<View, 'isPaused' | 'pausedUntil'> {
  const until = Math.max(...ids.map(id => pauses.get(id) ?? 0))
  return { isPaused: until > now, ...until > now && until < Infinity && { pausedUntil: until } }
}

function groupView (group: GroupOptions, { snapshot, kernel: { now, printers } }: Pick<Situation, 'snapshot' | 'kernel'>): GroupView {
  const { name, hours, spacingSeconds } = group
  return {
    name,
    hours,
    isPaused: pauseOf([pauseOfGroup(name)], snapshot, now()).isPaused,
    spacingMs: spacingSeconds * 1000,
    startedAt: lastStart(group, snapshot, printers, now())
  }
}

export const groupsOf = (printer: string, groups: readonly GroupOptions[]): readonly GroupOptions[] =>
  groups.filter(({ printers }) => printers.includes(printer))

/** One turn of the queue: the state it read, and its decision. */
export interface Turn { readonly snapshot: Snapshot, readonly decision: Decision }

/** Why a printer must take no job now, whatever it reports; undefined: it may. Asked every turn, so be quick. */
export type HoldBack = (session: PrinterSession) => Why | undefined

/** The input of a view. */
export interface Situation {
  readonly kernel: Kernel
  readonly snapshot: Snapshot
  readonly groups: readonly GroupOptions[]
  /** Identity of the job that a printer reports. */
  readonly identity: (session: PrinterSession) => string
  readonly trays: TrayReader
  readonly holdBacks: Iterable<HoldBack>
  /** What is warmed before jobs that say nothing of it. */
  readonly warming: { readonly table: Warming }
}

/** A check that fails holds the printer back: what it knows is not known then. */
function askHoldBack (check: HoldBack, session: PrinterSession): Why | undefined {
  try {
    return check(session)
  } catch {
    return why('check_failed')
  }
}

/** All that holds a printer back besides its own reports. */
export const heldBack = (session: PrinterSession, { holdBacks }: Pick<Situation, 'holdBacks'>): readonly Problem[] =>
  [...holdBacks].flatMap(check => {
    const found = askHoldBack(check, session)
    return found === undefined ? [] : [{ kind: 'time', why: found }]
  })

/** All pauses that concern a printer. */
export const pausesOf = (printer: PrinterNames, groups: readonly GroupOptions[]): readonly string[] =>
  [PAUSE_OF_QUEUE, ...pausesOfPrinter(printer), ...groupsOf(printer.name, groups).map(({ name }) => pauseOfGroup(name))]

/** Why a start that was decided before must not be sent now, apart from pauses, which the store checks. */
export function whyNotNow (
  session: PrinterSession, { job, run }: { readonly job: Job, readonly run: Pick<Run, 'seconds'> },
  { kernel, groups: all, holdBacks }: Pick<Situation, 'kernel' | 'groups' | 'holdBacks'>
): Why | undefined {
  const [held] = heldBack(session, { holdBacks })
  if (held) return held.why
  const now = kernel.now()
  const groups = groupsOf(session.name, all).map(({ name, hours }) => ({ name, hours }))
  const closed = groups.flatMap(group => hoursProblem(group, now) ?? [])[0]
  return closed?.why ?? (isTooLate(job, run.seconds, { groups }, now) ? why('ends_late') : undefined)
}

/** Why a printer is not used until a person releases it. */
export function whyStopped (record: FailureRecord | undefined): Why | undefined {
  if (record?.stoppedAt === undefined) return undefined
  const { failures, reason: fault } = record
  return fault === '' ? why('failed_often', { failures }) : why('failed_often_by', { failures, fault })
}

/** A plate confirmed clear counts as used once the printer reports another job. */
function plateState (session: PrinterSession, { snapshot, identity }: Situation): PlateState | undefined {
  const plate = snapshot.plates.get(session.config.serial)
  return plate?.state === 'clear' && plate.job !== identity(session) ? 'used' : plate?.state
}

const BUSY_WITH: Readonly<Partial<Record<Run['state'], 'outcome_unknown' | 'start_pending'>>> =
  { unknown: 'outcome_unknown', sending: 'start_pending' }

/** What a printer is doing for a run. */
function busyWith (run: Run, job: string, { state }: PrinterSession, { snapshot, kernel }: Situation): Problem {
  const heat = snapshot.heats.get(run.serial)
  if (run.state !== 'preparing' || heat?.run !== run.id) return problem('busy', BUSY_WITH[run.state] ?? 'at_job', { job })
  return { kind: 'busy', why: whyWarming(heat, job, state, kernel.now()) }
}

function printerView (name: string, situation: Situation): PrinterView | undefined {
  const { kernel, snapshot, groups } = situation
  const session = kernel.printers.get(name)
  const serial = kernel.printers.config(name)?.serial
  if (serial === undefined || !session) return undefined
  const { state, model } = session
  const dual = model.extruders > 1
  const run = snapshot.runs.find(run => run.serial === serial)
  const job = run && snapshot.jobs.find(({ id }) => id === run.job)
  const stopped = whyStopped(snapshot.failures.get(serial))
  const held: readonly Problem[] = [...stopped ? [{ kind: 'paused', why: stopped } as const] : [], ...heldBack(session, situation)]
  const busy = run && busyWith(run, job?.name ?? '?', session, situation)
  return {
    machine: { name, model, state },
    serial,
    problem: busy ?? problemOf(kernel, session) ?? held[0],
    held,
    plate: plateState(session, situation),
    ...pauseOf(pausesOfPrinter({ name, serial }), snapshot, kernel.now()),
    groups: groupsOf(name, groups).map(group => groupView(group, situation)),
    trays: state ? situation.trays.traysOf(session, state) : [],
    dual,
    loadedTray: state && loadedTray(state),
    used: snapshot.used.get(serial) ?? 0
  }
}

/** The queue and all printers now. @param here files whose content is on this host */
export function viewOf (situation: Situation, here: ReadonlySet<string>, retryMs: number): View {
  const { kernel, snapshot, warming } = situation
  const files = [...snapshot.files.values()]
  const present = new Set(files.filter(({ id, isStored }) => isStored === true || here.has(id)).map(({ id }) => id))
  return {
    now: kernel.now(),
    ...pauseOf([PAUSE_OF_QUEUE], snapshot, kernel.now()),
    printers: kernel.printers.names.flatMap(name => printerView(name, situation) ?? []),
    jobs: snapshot.jobs.map(job => ({ job, attempts: snapshot.attempts.get(job.id) ?? [] })),
    files: snapshot.files,
    warming: warming.table,
    present,
    retryMs
  }
}
