import type { RecordingService } from '../../recording/index.js'
import type { PrintView } from '../schemas.js'
import { SERIES, unitOf } from './series.js'
import type { Points } from './thin.js'

/** Evidence begins before its alert, and some alerts come just after the end. */
const AROUND_MS = 60_000
const MOST_LISTED = 1_000

/** In the order of charts. */
export function seriesOf (points: Points) {
  const known = SERIES.map(({ name }) => name)
  const names = [...known, ...Object.keys(points).filter(name => !known.includes(name))]
  return names.flatMap(name => {
    const own = points[name] ?? []
    return own.length > 0 ? [{ name, unit: unitOf(name), points: own }] : []
  })
}

/** Least and greatest value of each series. */
export const rangesOf = (points: Points) => seriesOf(points).map(({ name, unit, points: own }) => ({
  series: name,
  unit,
  lowest: own.reduce((least, [, value]) => Math.min(least, value), Infinity),
  highest: own.reduce((greatest, [, value]) => Math.max(greatest, value), -Infinity)
}))

/** Recordings that were begun in the course of a print. */
export function recordingsOf (recording: RecordingService | undefined, print: PrintView, now: number) {
  const from = print.started_at - AROUND_MS
  const to = (print.ended_at ?? now) + AROUND_MS
  const { recordings } = recording?.list({ printer: print.printer }, MOST_LISTED) ?? { recordings: [] }
  return recordings.filter(({ status, started_at: startedAt }) => {
    const at = Date.parse(startedAt)
    return status === 'ready' && at >= from && at <= to
  }).map(({ id, kind, started_at: startedAt, duration_s: seconds }) =>
    ({ id, kind, started_at: startedAt, duration_s: seconds }))
}
