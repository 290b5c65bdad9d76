import { createHash } from 'node:crypto'
import type { Job } from '../../../core/index.js'
import type { Settings } from '../schemas.js'

/** Progress of a job at the time of a picture, taken or failed. */
export interface JobProgress {
  /** ms since the epoch. */
  readonly at: number
  readonly layer: number
}

const MS_PER_SECOND = 1_000

/**
 * Whether the next picture is due.
 * @param step takes only every `step`th layer or interval, for jobs with too many
 */
export function isDue ({ timelapse, interval_s: everyS }: Settings, now: JobProgress, last: JobProgress | undefined,
  step: number): boolean {
  if (timelapse === 'off') return false
  if (last === undefined) return timelapse === 'interval' || now.layer > 0
  if (timelapse === 'interval') return now.at - last.at >= everyS * step * MS_PER_SECOND
  return now.layer >= last.layer + step || now.layer < last.layer
}

type Identity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName' | 'gcodeFile'>

/** Stable across restarts, and safe as a folder name. */
export const jobKey = ({ taskId, subtaskId, subtaskName, gcodeFile }: Identity): string =>
  createHash('sha256').update(JSON.stringify([taskId, subtaskId, subtaskName, gcodeFile])).digest('hex').slice(0, 16)

const OVER: ReadonlySet<string> = new Set(['FINISH', 'FAILED', 'IDLE'])

/** Whether the job with this key has ended; an unknown state does not end it. */
export const hasEnded = (job: Identity & Pick<Job, 'gcodeState'>, key: string): boolean =>
  OVER.has(job.gcodeState) || (job.gcodeState === 'RUNNING' && jobKey(job) !== key)
