import { BadInput } from '../../core/index.js'
import type { Recording } from './schemas.js'

export interface RecordingFilter {
  readonly printer?: string
  readonly kind?: Recording['kind']
  /** Id or type of an alert. */
  readonly alert?: string
}

export interface RecordingPage {
  readonly recordings: readonly Recording[]
  /** Number of matches on all pages. */
  readonly total: number
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null
}

const matches = ({ printer, kind, alert }: RecordingFilter) => (recording: Recording): boolean =>
  (printer === undefined || recording.printer === printer) &&
  (kind === undefined || recording.kind === kind) &&
  (alert === undefined || recording.alerts.some(({ id, type }) => id === alert || type === alert))

/** Sort key, valid as a cursor even if recordings are deleted. */
const cursorOf = ({ started_at: startedAt, id }: Recording): string => `${startedAt}_${id}`

const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{18}$/

const newestFirst = (a: Recording, b: Recording): number => cursorOf(a) < cursorOf(b) ? 1 : -1

/** Merges pages of several services, each requested with the same cursor. */
export function mergePages (pages: readonly RecordingPage[], limit = 50) {
  const found = pages.flatMap(({ recordings }) => recordings).toSorted(newestFirst)
  const recordings = found.slice(0, limit)
  const last = recordings.at(-1)
  const isMore = found.length > limit || pages.some(({ next }) => next !== null)
  return {
    recordings,
    total: pages.reduce((sum, { total }) => sum + total, 0),
    next: last !== undefined && isMore ? cursorOf(last) : null
  }
}

/**
 * Newest first.
 * @param cursor `next` of the previous page; empty for the first one
 * @throws PRN_ERR_BAD_INPUT for an invalid cursor
 */
export function pageOf (all: readonly Recording[], filter: RecordingFilter, limit: number, cursor = ''): RecordingPage {
  if (cursor !== '' && !CURSOR.test(cursor)) throw new BadInput('cursor must be `next` of an earlier answer, or left out')
  const found = all.filter(matches(filter)).toSorted(newestFirst)
  const left = cursor === '' ? found : found.filter(recording => cursorOf(recording) < cursor)
  const recordings = left.slice(0, limit)
  const last = recordings.at(-1)
  return {
    recordings,
    total: found.length,
    next: last !== undefined && left.length > limit ? cursorOf(last) : null
  }
}
