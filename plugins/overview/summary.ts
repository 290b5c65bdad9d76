import {
  isActive, isHolder, isStartPending, jobNameKey, spoolColors, type HmsCatalogue, type Kernel, type PrinterSession,
  type PrinterState, type Spool, type Temperature
} from '../../core/index.js'
import { CONDITIONS, conditionOf, limitsOf, standingFaults, type Condition } from '../state/index.js'
import type { QueueStatus } from '../queue/index.js'
import type { Fleet, PrinterSummary } from './schemas.js'

const MS_PER_MIN = 60_000
const NEEDS: Readonly<Partial<Record<Condition, PrinterSummary['need']>>> =
  { error: 'fault', failed: 'failed', paused: 'paused' }
const OFFLINE: ReadonlySet<Condition> = new Set(['offline', 'stale'])
const BUSY: ReadonlySet<Condition> = new Set(['printing', 'preparing'])
export const isBusy = (condition: Condition): boolean => BUSY.has(condition)
const FREE: ReadonlySet<Condition> = new Set(['idle', 'finished', 'cancelled'])

/** After these, the part is still on the plate. */
const ENDED: ReadonlySet<Condition> = new Set(['finished', 'cancelled'])

/** Rounded to minutes, so that an unchanged estimate is not sent again. */
const minuteOf = (ms: number) => new Date(Math.round(ms / MS_PER_MIN) * MS_PER_MIN).toISOString()

function jobOf (state: PrinterState, condition: Condition): PrinterSummary['job'] {
  const { job, receivedAt } = state
  const name = job.subtaskName || jobNameKey(job.gcodeFile)
  if (name === '') return null
  const runs = BUSY.has(condition) && isActive(job.gcodeState) && job.remainingMinutes > 0
  return {
    name,
    percent: job.percent,
    layer: job.layer,
    layers: job.totalLayers,
    ends_at: runs ? minuteOf(receivedAt + job.remainingMinutes * MS_PER_MIN) : null
  }
}

/** Empty if unknown. */
const coloursOf = (spool: Spool) => spoolColors(spool).colors.map(color => `#${color}`)

function spoolOf ({ activeTray, spools }: PrinterState): PrinterSummary['spool'] {
  const unit = activeTray.external ? -1 : activeTray.amsId
  const feeding = spools.find(({ amsId, slot }) => amsId === unit && slot === activeTray.slot)
  const spool = activeTray.id < 0 ? undefined : feeding
  return spool === undefined || spool.type === ''
    ? null
    : { type: spool.type, color: coloursOf(spool)[0]?.slice(0, 7) ?? '', colors: coloursOf(spool), remaining_percent: Math.round(spool.remainingPercent) }
}

function problemOf (session: PrinterSession, condition: Condition, texts: HmsCatalogue): string | null {
  if (OFFLINE.has(condition)) return session.problem?.message ?? null
  const [fault] = session.state === undefined || condition === 'unwatched' ? [] : standingFaults(session.state)
  return fault === undefined ? session.problem?.message ?? null : texts.sentence(fault)
}

const spoolsOf = ({ spools }: PrinterState): PrinterSummary['spools'] => spools.map(spool => ({
  ams_id: isHolder(spool.id) ? spool.id : spool.amsId,
  slot: spool.slot,
  type: spool.present ? spool.type : '',
  colors: spool.present && spool.type !== '' ? coloursOf(spool) : [],
  remaining_percent: Math.round(spool.remainingPercent)
}))

const REACHED_C = 4
const STEP_C = 10

/** Below this a heater that is off counts as cold. */
const COLD_C = 40

/** Coarse, so that a heater which holds its temperature, or is cold, changes nothing. */
function coarse ({ actual, target }: Temperature): number | null {
  if (target === 0 && actual < COLD_C) return null
  return Math.abs(actual - target) <= REACHED_C ? Math.round(target) : Math.round(actual / STEP_C) * STEP_C
}

export const temperaturesOf = ({ heat: { nozzle, bed, chamber } }: PrinterState): PrinterSummary['temperatures'] =>
  ({ nozzle: coarse(nozzle), bed: coarse(bed), chamber: chamber.sensor ? coarse(chamber) : null })

const NO_STATE = { job: null, spool: null, spools: [], temperatures: null, filaments: [], light: false }

const ofState = (state: PrinterState, condition: Condition) => ({
  job: jobOf(state, condition),
  spool: spoolOf(state),
  spools: spoolsOf(state),
  temperatures: OFFLINE.has(condition) ? null : temperaturesOf(state),
  filaments: [...new Set(state.spools.filter(({ present, type }) => present && type !== '').map(({ type }) => type))],
  light: state.lights.mode === 'on'
})

/** The plate holds a part, or jobs wait for it. */
function plateNeedsPerson (condition: Condition, queue: QueueStatus | undefined): boolean {
  if (!FREE.has(condition) || queue?.plate === 'clear' || (queue?.state ?? '') !== '') return false
  return ENDED.has(condition) || queue?.copies_wait === true
}

/** @param state undefined while the printer is offline or not watched */
function needOf (condition: Condition, state: PrinterState | undefined, queue: QueueStatus | undefined):
PrinterSummary['need'] {
  const need = NEEDS[condition]
  if (need !== undefined || state === undefined) return need ?? null
  if (standingFaults(state).length > 0) return 'fault'
  if (queue?.state === 'unknown') return 'start'
  if (queue && queue.stopped !== null) return 'held'
  return plateNeedsPerson(condition, queue) ? 'plate' : null
}

export interface SummaryDeps {
  readonly hms: HmsCatalogue
  readonly now: () => number
  /** @returns undefined without a queue */
  readonly queueOf: (printer: string) => QueueStatus | undefined
}

export const depsOf = ({ hms, now, optional }: Kernel): SummaryDeps =>
  ({ hms, now, queueOf: printer => optional.queue?.statusOf(printer) })

/** Summary of one printer; deeply equal while nothing changed. */
export function summaryOf (session: PrinterSession, { hms, now, queueOf }: SummaryDeps, tags: readonly string[]):
PrinterSummary {
  const { name, model, state, lastMessageAt } = session
  const condition = conditionOf(session)
  const isHere = state !== undefined && !OFFLINE.has(condition) && condition !== 'unwatched'
  const { bed_max_c: bedMaxC, nozzle_max_c: nozzleMaxC } = limitsOf(model)
  const queue = queueOf(name)
  const need = needOf(condition, isHere ? state : undefined, queue)
  const isAtJob = isStartPending(session.context.start, now()) || (queue?.state ?? '') !== ''
  return {
    name,
    model: model.model,
    tags: [...tags],
    condition,
    needs_person: need !== null,
    need,
    is_free: FREE.has(condition) && need === null && !isAtJob,
    ...(state === undefined ? NO_STATE : ofState(state, condition)),
    has_light: model.lights.length > 0,
    bed_max_c: bedMaxC,
    nozzle_max_c: nozzleMaxC,
    video: model.camera === 'rtsps',
    problem: problemOf(session, condition, hms),
    since: OFFLINE.has(condition) && lastMessageAt !== undefined ? minuteOf(lastMessageAt) : null
  }
}

/** Summary of a configured printer without a session. */
export const absent = (name: string, tags: readonly string[]): PrinterSummary => ({
  name,
  model: '',
  tags: [...tags],
  condition: 'offline',
  needs_person: false,
  need: null,
  is_free: false,
  ...NO_STATE,
  has_light: false,
  bed_max_c: null,
  nozzle_max_c: null,
  video: false,
  problem: null,
  since: null
})

const byNeed = (a: PrinterSummary, b: PrinterSummary) =>
  Number(b.needs_person) - Number(a.needs_person) ||
  CONDITIONS[a.condition].rank - CONDITIONS[b.condition].rank || a.name.localeCompare(b.name, 'en', { numeric: true })

/** All printers, the most urgent first, with counts. */
export function fleetOf (printers: readonly PrinterSummary[]): Fleet {
  const count = (among: ReadonlySet<Condition>) => printers.filter(({ condition }) => among.has(condition)).length
  const ends = printers.flatMap(({ job }) => job?.ends_at ?? []).sort()
  return {
    printers: [...printers].sort(byNeed),
    counts: {
      total: printers.length,
      printing: count(BUSY),
      needs_person: printers.filter(({ needs_person: needs }) => needs).length,
      offline: count(OFFLINE),
      idle: count(FREE),
      free: printers.filter(({ is_free: isFree }) => isFree).length
    },
    next_free_at: ends[0] ?? null
  }
}
