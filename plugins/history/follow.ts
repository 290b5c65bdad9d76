import { randomUUID } from 'node:crypto'
import { isActive, jobNameKey, type Job } from '../../core/index.js'
import type { JobIdentity, Print, PrintFault, PrintTimes, Result } from './types.js'

/** One look at a printer. */
export interface Sight {
  readonly job: Job
  /** ms since the epoch, by a clock that may be set. */
  readonly at: number
  /** Seconds since the look before, by one that may not; undefined after a gap. */
  readonly elapsed: number | undefined
  /** After a gap: seconds since the print was last seen, by the same clock; undefined when the service began since. */
  readonly missed?: number | undefined
  /** In words, worst first. */
  readonly faults: readonly PrintFault[]
}

/** Prints that changed, oldest first; the last of them is the one that is followed from now on. */
export type Changes = readonly Print[]

/** Reports bring a new job piece by piece: its state may come before its name. */
const SETTLING_SECONDS = 60

const idOf = ({ taskId, subtaskId }: JobIdentity): string =>
  [taskId, subtaskId].find(id => id !== '' && id !== '0') ?? ''

const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b

/** By all that both tell: numbers, name and plate. Numbers can be zeros, and large ones are all reported alike. */
export const isSameJob = (a: JobIdentity, b: JobIdentity): boolean => !differ(idOf(a), idOf(b)) &&
  !differ(jobNameKey(a.subtaskName), jobNameKey(b.subtaskName)) && !(a.plate > 0 && b.plate > 0 && a.plate !== b.plate)

/** Further back than it was: the same file once more. */
const isEarlier = (job: Job, { layer, percent }: Print): boolean => job.layer < layer && job.percent < percent

const ENDS: Readonly<Record<string, Result>> = { FINISH: 'finished', FAILED: 'failed' }

export const resultOf = ({ gcodeState, cancelled }: Pick<Job, 'gcodeState' | 'cancelled'>): Result | undefined =>
  cancelled ? 'cancelled' : ENDS[gcodeState]

/** What the printer did since the look before is what it was seen doing then. */
function addTime (times: PrintTimes, state: string, seconds: number): PrintTimes {
  const kind = state === 'PAUSE' ? 'paused' : state === 'RUNNING' ? 'printing' : 'prepare'
  return { ...times, [kind]: times[kind] + seconds }
}

const timesOf = ({ times, state, seenAt }: Print, { at, elapsed, missed }: Sight): PrintTimes => elapsed === undefined
  ? { ...times, unseen: times.unseen + (missed ?? Math.max(0, at - seenAt) / 1000) }
  : addTime(times, state, elapsed)

/** Seconds since the start of a print, as far as it was followed. */
export const measured = ({ prepare, printing, paused, unseen }: PrintTimes): number =>
  prepare + printing + paused + unseen

export const identityOf = ({ taskId, subtaskId, subtaskName, plate }: Job): JobIdentity =>
  ({ taskId, subtaskId, subtaskName, plate })

/** What is known piece by piece stays known when a later report leaves it out. */
const merged = (before: JobIdentity, { taskId, subtaskId, subtaskName, plate }: Job): JobIdentity => ({
  taskId: taskId || before.taskId,
  subtaskId: subtaskId || before.subtaskId,
  subtaskName: subtaskName || before.subtaskName,
  plate: plate > 0 ? plate : before.plate
})

function begin (sight: Sight, seen: boolean): Print {
  const { job, at } = sight
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

/** Some printers report zeros again when a job has ended. */
const progress = (print: Print, { percent, layer, totalLayers }: Job) => ({
  percent: Math.max(print.percent, percent),
  layer: Math.max(print.layer, layer),
  totalLayers: totalLayers > 0 ? totalLayers : print.totalLayers
})

const plannedSeconds = ({ plannedSeconds, times }: Print, { remainingMinutes }: Job): number =>
  plannedSeconds === 0 && remainingMinutes > 0 ? Math.round(measured(times) + remainingMinutes * 60) : plannedSeconds

function goOn (print: Print, sight: Sight): Print {
  const { job, at } = sight
  const times = timesOf(print, sight)
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

/** The end is never before the start, wherever the clock was set meanwhile. */
const endOf = ({ startedAt }: Print, times: PrintTimes, at: number): number =>
  at < startedAt ? Math.round(startedAt + measured(times) * 1000) : at

function end (print: Print, sight: Sight, shown: Result): Print {
  // Printers report what somebody stopped as failed; its number for a cancellation may be cleared by now.
  const result = shown === 'failed' && print.endedBy !== '' ? 'cancelled' : shown
  const times = timesOf(print, sight)
  return {
    ...print,
    ...(result === 'finished' ? { ...progress(print, sight.job), percent: 100 } : progress(print, sight.job)),
    times,
    result,
    state: sight.job.gcodeState,
    seenAt: sight.at,
    endedAt: endOf(print, times, sight.at),
    endSeen: sight.elapsed !== undefined,
    endedBy: result === 'cancelled' ? print.endedBy || 'elsewhere' : '',
    faults: result === 'failed' ? sight.faults : []
  }
}

/** It was over at some time after the last look, nobody knows how. */
export const lose = (print: Print): Print =>
  ({ ...print, result: 'unknown', endedAt: endOf(print, print.times, print.seenAt), endSeen: false })

/** The printer was off, and goes on with what it did. The time between counts as unseen. */
function takeUp (print: Print, sight: Sight): Print {
  const open: Print = { ...print, result: 'running', endedAt: undefined, interruptions: print.interruptions + 1 }
  return goOn(open, { ...sight, elapsed: undefined })
}

/** A job that began and ended while nobody looked. */
const unseen = (sight: Sight, result: Result): Print =>
  end(begin(sight, false), { ...sight, elapsed: undefined, missed: 0 }, result)

function atWork (last: Print | undefined, sight: Sight): Changes {
  const { job, elapsed } = sight
  const afterGap = elapsed === undefined
  if (last === undefined) return [begin(sight, !afterGap)]
  const isWatched = !afterGap && last.result === 'running'
  const same = isSameJob(last.job, job) && (isWatched || !isEarlier(job, last))
  if (last.result === 'running') {
    if (same) return [goOn(last, sight)]
    if (!afterGap && measured(last.times) < SETTLING_SECONDS) return [goOn({ ...last, job: identityOf(job) }, sight)]
    return [lose(last), begin(sight, !afterGap)]
  }
  const goesOn = same && (last.result === 'unknown' || isResumed(job, last))
  return [goesOn ? takeUp(last, sight) : begin(sight, !afterGap)]
}

/** After a loss of power some printers report a failure first, and then offer to go on where they were. */
const isResumed = ({ gcodeState, layer }: Job, last: Print): boolean =>
  last.result === 'failed' && gcodeState === 'RUNNING' && last.layer > 0 && layer >= last.layer

/** Both tell the same, also when neither tells anything. */
const isShown = (shown: JobIdentity, job: JobIdentity): boolean =>
  idOf(shown) === idOf(job) && jobNameKey(shown.subtaskName) === jobNameKey(job.subtaskName)

/** The number that names a cancellation came after the state. */
const corrected = (print: Print): Print =>
  ({ ...print, result: 'cancelled', endedBy: print.endedBy || 'elsewhere', faults: [] })

function atEnd (last: Print | undefined, sight: Sight, result: Result, shown: JobIdentity | undefined): Changes {
  const same = last !== undefined && isSameJob(last.job, sight.job)
  if (last?.result === 'running') return same ? [end(last, sight, result)] : [lose(last), unseen(sight, result)]
  if (last?.result === 'failed' && same && result === 'cancelled') return [corrected(last)]
  if (last?.result === 'unknown' && same) return [end(last, { ...sight, elapsed: undefined }, result)]
  if (sight.elapsed !== undefined) return []
  // The very first look at a printer says nothing of when its last job was.
  const isOther = last === undefined ? shown !== undefined && !isShown(shown, sight.job) : !same
  return isOther ? [unseen(sight, result)] : []
}

/**
 * What a look at a printer changes in the record of its prints. Pure but for the ids of new prints.
 * @param last the newest print known of this printer
 * @param shown the job that it showed at the look before, where no print of it is known yet
 */
export function follow (last: Print | undefined, sight: Sight, shown?: JobIdentity): Changes {
  const { gcodeState } = sight.job
  if (isActive(gcodeState)) return atWork(last, sight)
  const result = resultOf(sight.job)
  if (result !== undefined) return atEnd(last, sight, result, shown)
  return gcodeState === 'IDLE' && last?.result === 'running' ? [lose(goOn(last, sight))] : []
}
