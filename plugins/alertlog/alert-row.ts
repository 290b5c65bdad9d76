import { createHash } from 'node:crypto'
import type { Alert } from '../alerts/index.js'
import type { Row } from '../database/index.js'
import type { Tone } from '../state/index.js'

/** Routine events of every print, which are not worth recording. */
const PASSING: ReadonlySet<string> = new Set(['stage_change', 'job_started', 'job_resumed', 'hms_error_cleared'])
const TONES: Readonly<Record<string, Tone>> = { high: 'bad', medium: 'warn', low: 'plain' }
const LONGEST_PAYLOAD = 8_000

/** Severity for display: red for errors, amber for warnings; neither for success or what a person did. */
export function toneOf ({ type, severity, payload }: Pick<Alert, 'type' | 'severity' | 'payload'>): Tone {
  if (type === 'job_finished' || payload.cancelled === true) return 'plain'
  if (type === 'job_paused') return 'warn'
  return TONES[severity] ?? 'plain'
}

/** Independent of where an alert is received: a hub may receive one twice, and two hubs may share one database. */
const idOf = ({ printer, type, timestamp }: Alert, payload: string): string =>
  createHash('sha256').update(JSON.stringify([printer, type, timestamp, payload])).digest('hex').slice(0, 24)

/** @returns the row of an alert; undefined for one that is not recorded */
export function rowOf (alert: Alert, redact: (text: string) => string): Row | undefined {
  if (PASSING.has(alert.type)) return undefined
  const at = Date.parse(alert.timestamp)
  const tone = toneOf(alert)
  const payload = redact(JSON.stringify(alert.payload))
  return {
    table: 'alertlog_alerts',
    onlyNew: true,
    values: {
      id: idOf(alert, payload),
      at,
      printer: alert.printer,
      type: alert.type,
      tone,
      payload: payload.length > LONGEST_PAYLOAD ? '{}' : payload,
      acknowledged_at: tone === 'plain' ? at : null,
      acknowledged_by: null
    }
  }
}
