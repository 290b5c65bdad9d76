import { randomUUID } from 'node:crypto'
import { isActive, jobNameKey, type Job } from '../../core/index.js'
import type { JobIdentity, Print, PrintFault, PrintTimes, Result } from './types.js'

/** The state of a printer at one moment. */
export interface Observation {
  readonly job: Job
  /** ms since the epoch, by the system clock. */
  readonly at: number
  /** Seconds since the previous observation, by the monotonic clock; undefined after a gap. */
  readonly elapsed: number | undefined
  /** After a gap: seconds since the print was last seen, by the same clock; undefined after a restart. */
  readonly missed?: number | undefined
  /** Worst first. */
  readonly faults: readonly PrintFault[]
}

/** Changed prints, oldest first; the last one is followed from now on. */
export type Changes = readonly Print[]

/** A new job is reported piece by piece: its state may come before its name. */
const SETTLING_SECONDS = 60

const idOf = ({ taskId, subtaskId }: JobIdentity): string =>
  [taskId, subtaskId].find(id => id !== '' && id !== '0') ?? ''

const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b

/** Compares what both report: ids, name and plate. Ids can be 0, and large ones are all reported as the same value. */
export const isSameJob = (a: JobIdentity, b: JobIdentity): boolean => !differ(idOf(a), idOf(b)) &&
  !differ(jobNameKey(a.subtaskName), jobNameKey(b.subtaskName)) && !(a.plate > 0 && b.plate > 0 && a.plate !== b.plate)

/** Less progress than before: the same file printed again. */
const isEarlier = (job: Job, { layer, percent }: Print): boolean => job.layer < layer && job.percent < percent

const ENDS: Readonly<Record<string, Result>> = { FINISH: 'finished', FAILED: 'failed' }

export const resultOf = ({ gcodeState, cancelled }: Pick<Job, 'gcodeState' | 'cancelled'>): Result | undefined =>
  cancelled ? 'cancelled' : ENDS[gcodeState]

/** Counts the time since the previous observation for the state it showed. */
function addTime (times: PrintTimes, state: string, seconds: number): PrintTimes {
  const kind = state === 'PAUSE' ? 'paused' : state === 'RUNNING' ? 'printing' : 'prepare'
  return { ...times, [kind]: times[kind] + seconds }
}

const timesOf = ({ times, state, seenAt }: Print, { at, elapsed, missed }: Observation): PrintTimes =>
  elapsed === undefined
    ? { ...times, unseen: times.unseen + (missed ?? Math.max(0, at - seenAt) / 1000) }
    : addTime(times, state, elapsed)

/** Seconds since the start of a print, as measured. */
export const measured = ({ prepare, printing, paused, unseen }: PrintTimes): number =>
  prepare + printing + paused + unseen

export const identityOf = ({ taskId, subtaskId, subtaskName, plate }: Job): JobIdentity =>
  ({ taskId, subtaskId, subtaskName, plate })

/** Known parts of the identity stay when a later report omits them. */
const merged = (before: JobIdentity, { taskId, subtaskId, subtaskName, plate }: Job): JobIdentity => ({
  taskId: taskId || before.taskId,
  subtaskId: subtaskId || before.subtaskId,
  subtaskName: subtaskName || before.subtaskName,
  plate: plate > 0 ? plate : before.plate
})

function begin (observation: Observation, seen: boolean): Print {
  const { job, at } = observation
  return {
    id: randomUUID(),
    job: identityOf(job),
    file: job.gcodeFile,
    printType: job.printType,
    startedAt: seen ? at : Math.min(job.startedAt ?? at, at),
    startSeen: seen,
    endedAt: undefined,
    endSeen: false,
    seenAt: at,
    result: 'running',
    startedBy: seen ? 'elsewhere' : '',
    endedBy: '',
    state: job.gcodeState,
    percent: job.percent,
    layer: job.layer,
    totalLayers: job.totalLayers,
    plannedSeconds: 0,
    times: { prepare: 0, printing: 0, paused: 0, unseen: 0 },
    interruptions: 0,
    faults: [],
    projectPath: '',
    md5: '',
    filaments: []
  }
}

/** Never decreases: some printers report zeros again when a job has ended. */
const progress = (print: Print, { percent, layer, totalLayers }: Job) => ({
  percent: Math.max(print.percent, percent),
  layer: Math.max(print.layer, layer),
  totalLayers: totalLayers > 0 ? totalLayers : print.totalLayers
})

const plannedSeconds = ({ plannedSeconds, times }: Print, { remainingMinutes }: Job): number =>
  plannedSeconds === 0 && remainingMinutes > 0 ? Math.round(measured(times) + remainingMinutes * 60) : plannedSeconds

function advance (print: Print, observation: Observation): Print {
  const { job, at } = observation
  const times = timesOf(print, observation)
  return {
    ...print,
    ...progress(print, job),
    job: merged(print.job, job),
    file: job.gcodeFile || print.file,
    printType: job.printType || print.printType,
    plannedSeconds: plannedSeconds({ ...print, times }, job),
    seenAt: at,
    state: job.gcodeState,
    times
  }
}

/** The end is never before the start, even if the clock was set back meanwhile. */
const endOf = ({ startedAt }: Print, times: PrintTimes, at: number): number =>
  at < startedAt ? Math.round(startedAt + measured(times) * 1000) : at

function end (print: Print, observation: Observation, shown: Result): Print {
  // Printers report a stopped print as failed, and the fault code of the cancellation may already be cleared.
  const result = shown === 'failed' && print.endedBy !== '' ? 'cancelled' : shown
  const times = timesOf(print, observation)
  return {
    ...print,
    ...progress(print, observation.job),
    ...(result === 'finished' && { percent: 100 }),
    times,
    result,
    state: observation.job.gcodeState,
    seenAt: observation.at,
    endedAt: endOf(print, times, observation.at),
    endSeen: observation.elapsed !== undefined,
    endedBy: result === 'cancelled' ? print.endedBy || 'elsewhere' : '',
    faults: result === 'failed' ? observation.faults : []
  }
}

/** The print ended at some time after the last observation, with an unknown result. */
export const lose = (print: Print): Print =>
  ({ ...print, result: 'unknown', endedAt: endOf(print, print.times, print.seenAt), endSeen: false })

/** The printer was off and continues the print. The time between counts as unseen. */
function resume (print: Print, observation: Observation): Print {
  const open: Print = { ...print, result: 'running', endedAt: undefined, interruptions: print.interruptions + 1 }
  return advance(open, { ...observation, elapsed: undefined })
}

/** A job that began and ended while it was not observed. */
const unseen = (observation: Observation, result: Result): Print =>
  end(begin(observation, false), { ...observation, elapsed: undefined, missed: 0 }, result)

function atWork (last: Print | undefined, observation: Observation): Changes {
  const { job, elapsed } = observation
  const afterGap = elapsed === undefined
  if (last === undefined) return [begin(observation, !afterGap)]
  const isWatched = !afterGap && last.result === 'running'
  const same = isSameJob(last.job, job) && (isWatched || !isEarlier(job, last))
  if (last.result === 'running') {
    if (same) return [advance(last, observation)]
    const isSettling = !afterGap && measured(last.times) < SETTLING_SECONDS
    if (isSettling) return [advance({ ...last, job: identityOf(job) }, observation)]
    return [lose(last), begin(observation, !afterGap)]
  }
  const continues = same && (last.result === 'unknown' || isResumed(job, last))
  return [continues ? resume(last, observation) : begin(observation, !afterGap)]
}

/** After a power loss some printers report a failure first, and then offer to resume. */
const isResumed = ({ gcodeState, layer }: Job, last: Print): boolean =>
  last.result === 'failed' && gcodeState === 'RUNNING' && last.layer > 0 && layer >= last.layer

/** Strict comparison: two jobs without a name are the same too. */
const isShown = (shown: JobIdentity, job: JobIdentity): boolean =>
  idOf(shown) === idOf(job) && jobNameKey(shown.subtaskName) === jobNameKey(job.subtaskName)

/** The code that identifies a cancellation came after the state. */
const corrected = (print: Print): Print =>
  ({ ...print, result: 'cancelled', endedBy: print.endedBy || 'elsewhere', faults: [] })

function atEnd (last: Print | undefined, observation: Observation, result: Result, shown: JobIdentity | undefined):
Changes {
  const same = last !== undefined && isSameJob(last.job, observation.job)
  if (last?.result === 'running') {
    return same ? [end(last, observation, result)] : [lose(last), unseen(observation, result)]
  }
  if (last?.result === 'failed' && same && result === 'cancelled') return [corrected(last)]
  if (last?.result === 'unknown' && same) return [end(last, { ...observation, elapsed: undefined }, result)]
  if (observation.elapsed !== undefined) return []
  // The first observation of a printer does not tell when its last job ran.
  const isOther = last === undefined ? shown !== undefined && !isShown(shown, observation.job) : !same
  return isOther ? [unseen(observation, result)] : []
}

/**
 * Applies an observation of a printer to the record of its prints. Pure but for the ids of new prints.
 * @param last the newest known print of this printer
 * @param shown the job that it showed before, if no print of it is known yet
 */
export function follow (last: Print | undefined, observation: Observation, shown?: JobIdentity): Changes {
  const { gcodeState } = observation.job
  if (isActive(gcodeState)) return atWork(last, observation)
  const result = resultOf(observation.job)
  if (result !== undefined) return atEnd(last, observation, result, shown)
  return gcodeState === 'IDLE' && last?.result === 'running' ? [lose(advance(last, observation))] : []
}
