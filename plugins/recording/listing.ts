import { BadInput } from '../../core/index.js'
import type { Recording } from './schemas.js'

/** Which recordings are wanted. */
export interface Wanted {
  readonly printer?: string
  readonly kind?: Recording['kind']
  /** Id or type of an alert. */
  readonly alert?: string
}

export interface Page {
  readonly recordings: readonly Recording[]
  /** Of all that are wanted. */
  readonly total: number
  /** Where the next page begins; null after the last one. */
  readonly next: string | null
}

const isWanted = ({ printer, kind, alert }: Wanted) => (recording: Recording): boolean =>
  (printer === undefined || recording.printer === printer) &&
  (kind === undefined || recording.kind === kind) &&
  (alert === undefined || recording.alerts.some(({ id, type }) => id === alert || type === alert))

/** Sorts like the recordings, and stays right when some of them go. */
const placeOf = ({ started_at: startedAt, id }: Recording): string => `${startedAt}_${id}`

const PLACE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{18}$/

const newestFirst = (a: Recording, b: Recording): number => placeOf(a) < placeOf(b) ? 1 : -1

/** One page of the pages of several services, each asked with the same cursor. */
export function mergePages (pages: readonly Page[], limit = 50) {
  const found = pages.flatMap(({ recordings }) => recordings).toSorted(newestFirst)
  const recordings = found.slice(0, limit)
  const last = recordings.at(-1)
  const isMore = found.length > limit || pages.some(({ next }) => next !== null)
  return {
    recordings,
    total: pages.reduce((sum, { total }) => sum + total, 0),
    next: last !== undefined && isMore ? placeOf(last) : null
  }
}

/**
 * Newest first.
 * @param cursor `next` of the page before; empty for the first one
 * @throws PRN_ERR_BAD_INPUT for what is no cursor
 */
export function pageOf (all: readonly Recording[], wanted: Wanted, limit: number, cursor = ''): Page {
  if (cursor !== '' && !PLACE.test(cursor)) throw new BadInput('cursor must be `next` of an earlier answer, or left out')
  const found = all.filter(isWanted(wanted)).toSorted(newestFirst)
  const left = cursor === '' ? found : found.filter(recording => placeOf(recording) < cursor)
  const recordings = left.slice(0, limit)
  const last = recordings.at(-1)
  return {
    recordings,
    total: found.length,
    next: last !== undefined && left.length > limit ? placeOf(last) : null
  }
}
