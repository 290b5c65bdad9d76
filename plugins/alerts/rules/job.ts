import { elapsedMinutes, type PrinterState } from '../../../core/index.js'
import { defineAlert, defineAlertRule } from '../types.js'

const STARTS_FROM = new Set(['IDLE', 'FINISH', 'FAILED', ''])

type Detect = Parameters<typeof defineAlert>[0]['detect']

/** A transition of the job's state; no other transition raises anything. */
const transition = (isOne: (now: string, before: string) => boolean, payload: (now: PrinterState) => object): Detect =>
  (now, before) => now.job.gcodeState !== before.job.gcodeState && isOne(now.job.gcodeState, before.job.gcodeState)
    ? { ...payload(now) }
    : undefined

/** The job's known properties; unknown ones are omitted. */
const jobOf = ({ job }: PrinterState) => ({
  ...(job.subtaskName !== '' && { subtask_name: job.subtaskName }),
  ...(job.gcodeFile !== '' && { gcode_file: job.gcodeFile }),
  ...(job.plate > 0 && { plate_num: job.plate })
})

/** The alert of a failure that the cancellation number, arriving later, corrects. */
const correctionOf = ({ job }: PrinterState) => job.gcodeState === 'FAILED' ? { replaces: 'job_failed' } : {}

/** Progress of a job that was ended early. */
const progressOf = ({ job: { percent } }: PrinterState) => percent > 0 ? { percent } : {}

const outcomeOf = (now: PrinterState) => ({
  ...jobOf(now),
  ...(now.job.startedAt !== undefined && { elapsed_min: elapsedMinutes(now) }),
  ...(now.job.layer > 0 && { layer_num: now.job.layer })
})

export const jobStarted = defineAlert({
  type: 'job_started',
  severity: 'high',
  detect: transition((now, before) => now === 'RUNNING' && STARTS_FROM.has(before), jobOf)
})

const ended = transition((now, before) => now === 'FINISH' && (before === 'RUNNING' || before === 'PAUSE'), outcomeOf)

export const jobFinished = defineAlert({
  type: 'job_finished',
  severity: 'high',
  detect: (now, before) => now.job.cancelled ? undefined : ended(now, before)
})

/**
 * A cancellation is not a failure. Some printers go to `IDLE` then, and the number that reveals it may arrive after the
 * state, when a failure was already alerted.
 */
export const jobFailed = defineAlertRule<undefined>({
  name: 'job_failed',
  initial: undefined,
  detect ({ state: now }, { state: before }) {
    const { cancelled, gcodeState } = now.job
    const isNew = cancelled ? !before.job.cancelled : gcodeState === 'FAILED' && before.job.gcodeState !== 'FAILED'
    if (!isNew) return undefined
    const payload = { ...jobOf(now), ...progressOf(now), ...(cancelled && { cancelled, ...correctionOf(before) }) }
    return { findings: [{ type: 'job_failed', severity: cancelled ? 'medium' : 'high', payload }], memory: undefined }
  }
})

export const jobResumed = defineAlert({
  type: 'job_resumed',
  severity: 'low',
  detect: transition((now, before) => now === 'RUNNING' && before === 'PAUSE', jobOf)
})
