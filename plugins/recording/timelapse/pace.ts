import { createHash } from 'node:crypto'
import type { Job } from '../../../core/index.js'
import type { Settings } from '../schemas.js'

/** When a picture of a job was taken, or could not be taken. */
export interface Moment {
  /** ms since the epoch. */
  readonly at: number
  readonly layer: number
}

const MS_PER_SECOND = 1_000

/**
 * Whether the next picture is to be taken now.
 * @param step every so manieth layer or interval, once a job has had too many
 */
export function isDue ({ timelapse, interval_s: everyS }: Settings, now: Moment, last: Moment | undefined,
  step: number): boolean {
  if (timelapse === 'off') return false
  if (last === undefined) return timelapse === 'interval' || now.layer > 0
  if (timelapse === 'interval') return now.at - last.at >= everyS * step * MS_PER_SECOND
  return now.layer >= last.layer + step || now.layer < last.layer
}

type Identity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName' | 'gcodeFile'>

/** The same for the same job after a restart; safe as the name of a folder. */
export const jobKey = ({ taskId, subtaskId, subtaskName, gcodeFile }: Identity): string =>
  createHash('sha256').update(JSON.stringify([taskId, subtaskId, subtaskName, gcodeFile])).digest('hex').slice(0, 16)

const OVER: ReadonlySet<string> = new Set(['FINISH', 'FAILED', 'IDLE'])

/** Whether the job of a key has ended; a printer that says nothing of its state leaves it open. */
export const hasEnded = (job: Identity & Pick<Job, 'gcodeState'>, key: string): boolean =>
  OVER.has(job.gcodeState) || (job.gcodeState === 'RUNNING' && jobKey(job) !== key)
