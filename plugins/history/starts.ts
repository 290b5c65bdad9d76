import { Type } from 'typebox'
import { jobNameKey, type Job } from '../../core/index.js'
import type { PrintRequest } from '../projects/index.js'
import type { Print } from './types.js'

/** A print that was sent from here. */
export interface Start {
  /** The caller and its surface. */
  readonly by: string
  /** ms since the epoch. */
  readonly calledAt: number
  readonly asked: PrintRequest | undefined
  /** The id and name that it was sent with; undefined if they were not recorded. */
  readonly job?: Pick<Job, 'taskId' | 'subtaskName'> | undefined
}

/** A user or the queue started or stopped a print through a service. */
export interface PrintCommand extends Start { readonly kind: 'start' | 'stop' }

/** By serial. */
export type Starts = Readonly<Record<string, Start>>
export const Starts = Type.Unsafe<Starts>(Type.Record(Type.String(), Type.Object({
  by: Type.String(), calledAt: Type.Number()
})))

/** Without an id: limit from the command to the first report of the job. */
const SOON_MS = 120_000
/** By name only: printers load a large file first, and some show the end of the last job for minutes. */
const NAMED_MS = 15 * 60_000
/** By id: ids are random, so another job never has the same. */
const NUMBERED_MS = 24 * 3_600_000

const LARGEST_ID = 2 ** 31 - 1
const isNumber = (id: string): boolean => id !== '' && id !== '0' && !(Number(id) >= LARGEST_ID)

/** Whether a print is the one that was sent. Pure. */
export function belongsTo ({ job: sent, calledAt }: Start, { job, startedAt }: Pick<Print, 'job' | 'startedAt'>,
  now: number): boolean {
  const age = now - calledAt
  if (sent === undefined) return age < SOON_MS && startedAt >= calledAt
  const numbers = [job.taskId, job.subtaskId].filter(isNumber)
  if (numbers.includes(sent.taskId)) return age < NUMBERED_MS
  return numbers.length === 0 && job.subtaskName !== '' && age < NAMED_MS &&
    jobNameKey(job.subtaskName) === jobNameKey(sent.subtaskName)
}
