import {
  hasCurrentState, isActive, isHolder, isStarting, wireTrayId, type Kernel, type PrinterSession, type PrinterState
} from '../../core/index.js'
import { traysOf, type Tray } from '../projects/index.js'
import type { Decision, GroupView, Hours, PrinterView, ReasonKind, View } from './decide/index.js'
import type { PlateState, Snapshot } from './types.js'

/** A group of printers as the configuration describes it. */
export interface GroupOptions {
  readonly name: string
  readonly printers: readonly string[]
  readonly hours?: Hours
  /** Seconds between the starts of two prints. */
  readonly spacingSeconds: number
  /** Its printers remove what they have finished. */
  readonly selfClearing: boolean
}

type Problem = PrinterView['problem']
const problem = (kind: ReasonKind, text: string): Problem => ({ kind, text })

/** An error of a job that has ended goes with whoever confirms that its plate is clear. */
const ENDED = new Set(['FINISH', 'FAILED'])

function faultOf ({ hms }: Kernel, { errors: { faults }, job }: PrinterState): string | undefined {
  const fault = faults.find(({ type, critical }) =>
    critical && (type === 'device_hms' || (type === 'device_error' && !ENDED.has(job.gcodeState))))
  return fault && hms.describe(fault)
}

/** Why a printer can take no job at all. */
function problemOf (kernel: Kernel, session: PrinterSession | undefined): Problem {
  const { state } = session ?? {}
  if (!session || !state || session.service !== 'CONNECTED' || !hasCurrentState(session)) {
    return problem('absent', session?.service === 'PAUSED' ? 'its session is paused' : 'not connected')
  }
  const { job } = state
  if (isActive(job.gcodeState)) {
    return problem('busy', `${job.gcodeState === 'PAUSE' ? 'paused in' : 'prints'} '${job.subtaskName}'`)
  }
  if (isStarting(session.context, kernel.now())) return problem('busy', 'a job is about to begin')
  if (state.device.signedOnly) return problem('absent', 'takes only signed commands: its Developer mode is off')
  if (state.device.storage === false) return problem('absent', 'has no SD card')
  const fault = faultOf(kernel, state)
  return fault === undefined ? undefined : problem('absent', `shows a fault: ${fault}`)
}

const loadedTray = ({ activeTray: { amsId, slot } }: PrinterState): number | undefined =>
  amsId < 0 ? undefined : isHolder(amsId) ? amsId : wireTrayId(amsId, slot)

/** The same list as long as spools and units are the same. */
const trays = new WeakMap<PrinterState['spools'], { readonly ams: PrinterState['ams'], readonly list: readonly Tray[] }>()

function cachedTrays (state: PrinterState, dual: boolean): readonly Tray[] {
  const known = trays.get(state.spools)
  if (known?.ams === state.ams) return known.list
  const list = traysOf(state, dual)
  trays.set(state.spools, { ams: state.ams, list })
  return list
}

export const pauseOfGroup = (name: string): string => `group:${name}`
export const pauseOfPrinter = (name: string): string => `printer:${name}`
export const PAUSE_OF_QUEUE = 'queue'

const groupView = ({ name, hours, spacingSeconds }: GroupOptions, { pauses, groupStarts }: Snapshot): GroupView => ({
  name,
  hours,
  isPaused: pauses.has(pauseOfGroup(name)),
  spacingMs: spacingSeconds * 1000,
  startedAt: groupStarts.get(name) ?? 0
})

export const groupsOf = (printer: string, groups: readonly GroupOptions[]): readonly GroupOptions[] =>
  groups.filter(({ printers }) => printers.includes(printer))

/** What the queue looked at, and what it made of it. */
export interface Turn { readonly snapshot: Snapshot, readonly decision: Decision }

/** What a view is made from. */
export interface Situation {
  readonly kernel: Kernel
  readonly snapshot: Snapshot
  readonly groups: readonly GroupOptions[]
  /** Of the job that a printer reports. */
  readonly identity: (session: PrinterSession) => string
}

/** A plate on which another job is reported than when it was confirmed is no clear one. */
function plateState (session: PrinterSession, { snapshot, identity }: Situation): PlateState | undefined {
  const plate = snapshot.plates.get(session.config.serial)
  return plate?.state === 'clear' && plate.job !== identity(session) ? 'used' : plate?.state
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
  const about = `'${job?.name ?? 'a job of the queue'}'`
  const busy = run && problem('busy',
    run.state === 'unknown' ? `nobody knows whether ${about} was printed` : `is at ${about}`)
  return {
    machine: { name, model, state },
    serial,
    problem: busy ?? problemOf(kernel, session),
    plate: plateState(session, situation),
    isPaused: snapshot.pauses.has(pauseOfPrinter(name)),
    groups: groupsOf(name, groups).map(group => groupView(group, snapshot)),
    trays: state ? cachedTrays(state, dual) : [],
    dual,
    loadedTray: state && loadedTray(state),
    used: snapshot.used.get(serial) ?? 0
  }
}

/** The queue and all printers at this moment. */
export function viewOf (situation: Situation, present: ReadonlySet<string>, retryMs: number): View {
  const { kernel, snapshot } = situation
  return {
    now: kernel.now(),
    isPaused: snapshot.pauses.has(PAUSE_OF_QUEUE),
    printers: kernel.printers.names.flatMap(name => printerView(name, situation) ?? []),
    jobs: snapshot.jobs.map(job => ({ job, attempts: snapshot.attempts.get(job.id) ?? [] })),
    files: snapshot.files,
    present,
    retryMs
  }
}
