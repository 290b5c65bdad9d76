import type { PrinterState } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import type { AlertMark } from './schemas.js'

/** `2026-01-01T12:00:00+00:00` as `20260101T120000Z`. */
const compact = (timestamp: string): string => timestamp.slice(0, 19).replaceAll(/[-:]/g, '') + 'Z'

/** Whoever has the alert can tell the id as well. */
export const markOf = ({ type, timestamp }: Alert): AlertMark =>
  ({ id: `${type}-${compact(timestamp)}`, type, timestamp })

const codesOf = ({ payload: { errors } }: Alert): readonly unknown[] =>
  Array.isArray(errors) ? errors.map(error => (error as { code?: unknown } | null)?.code) : []

/**
 * Whether an alert asks for evidence: a job failed, the job monitor sees it worse, or there are new errors of which one
 * is fatal or serious.
 * @param state of the printer as it was reported last
 */
export function asksForEvidence (alert: Alert, state: PrinterState | undefined): boolean {
  if (alert.type === 'job_failed' || alert.type === 'health_escalated') return true
  if (alert.type !== 'hms_error_new') return false
  const codes = codesOf(alert)
  return (state?.errors.faults ?? []).some(({ code, critical }) => critical && codes.includes(code))
}
