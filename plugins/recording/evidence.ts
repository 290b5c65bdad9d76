import { rankFaults, type PrinterState } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import type { AlertMark } from './schemas.js'

/** `2026-01-01T12:00:00+00:00` as `20260101T120000Z`. */
const compact = (timestamp: string): string => timestamp.slice(0, 19).replaceAll(/[-:]/g, '') + 'Z'

/** The id is derived from the alert, so that other holders of the alert can find its recording. */
export function markOf ({ type: alertType, timestamp, payload }: Alert): AlertMark {
  const type = alertType === 'job_failed' && payload.cancelled === true ? 'job_cancelled' : alertType
  return { id: `${type}-${compact(timestamp)}`, type, timestamp }
}

const codesOf = ({ payload: { errors } }: Alert): readonly unknown[] =>
  Array.isArray(errors) ? errors.map(error => (error as { code?: unknown } | null)?.code) : []

/**
 * Whether an alert requires evidence: a failed job, a worse health verdict, or a new error that is fatal or serious.
 * @param state latest state of the printer
 */
export function requiresEvidence (alert: Alert, state: PrinterState | undefined): boolean {
  if (alert.type === 'job_failed' || alert.type === 'health_escalated') return true
  if (alert.type !== 'hms_error_new') return false
  const codes = codesOf(alert)
  return (state?.errors.faults ?? []).some(({ code, critical }) => critical && codes.includes(code))
}

/** Detects fatal or serious HMS entries that raise no alert. */
export interface UnalertedErrors {
  /** @returns whether there are new ones since this printer's last report; its first report is only the baseline */
  update (printer: string, state: PrinterState, now: number): boolean
  forget (printer: string): void
}

/** An entry that returns within this time counts as the same problem. */
const SAME_PROBLEM_MS = 600_000
/** Limit of codes within that time, for a printer that keeps reporting new ones. */
const MOST_CODES = 32

interface Track {
  readonly errors: PrinterState['errors']
  /** When each code was last found new. */
  readonly found: ReadonlyMap<string, number>
}

/** Only active faults raise an alert, and without `print_error` no entry counts as active. */
const unalerted = (errors: PrinterState['errors']): readonly string[] => rankFaults(errors.faults)
  .filter(({ fault, active }) => !active && fault.critical && fault.ignored !== true)
  .map(({ fault }) => fault.code)

export function createUnalertedErrors (): UnalertedErrors {
  const tracks = new Map<string, Track>()
  return {
    update (printer, { errors }, now) {
      const track = tracks.get(printer) ?? { errors, found: new Map() }
      if (track.errors === errors && tracks.has(printer)) return false
      const known = new Set(track.errors.faults.map(({ code }) => code))
      const found = new Map([...track.found].filter(([, at]) => now - at < SAME_PROBLEM_MS))
      const fresh = unalerted(errors).filter(code => !known.has(code) && !found.has(code))
        .slice(0, MOST_CODES - found.size)
      for (const code of fresh) found.set(code, now)
      tracks.set(printer, { errors, found })
      return fresh.length > 0
    },
    forget: printer => { tracks.delete(printer) }
  }
}

/** A mark for evidence of such an entry, in the form of an alert. */
export const unalertedMark = (now: number): AlertMark => {
  const [type, timestamp] = ['hms_error', `${new Date(now).toISOString().slice(0, 19)}+00:00`]
  return { id: `${type}-${compact(timestamp)}`, type, timestamp }
}
