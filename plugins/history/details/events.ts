import type { Alert, Health } from '../../alerts/index.js'
import type { Row } from '../../database/index.js'
import type { Print } from '../types.js'

export const EVENT_KINDS = ['state', 'alert', 'verdict'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Per print, so that a printer that toggles between states does not fill the disk. */
const MOST_EVENTS = 500
const LONGEST_TEXT = 1_000
/** Alerts about the end of a print arrive shortly after it. */
const AFTER_END_MS = 10_000
/** Prints for which the number of events is remembered. */
const MOST_PRINTS = 5_000

export interface EventsOptions {
  readonly put: (row: Row) => void
  readonly redact: (text: string) => string
  readonly now: () => number
}

interface PrintEvent {
  readonly kind: EventKind
  readonly name: string
  readonly severity?: string
  readonly text?: string
}

interface Followed { count: number, state: string, verdict: string }

/** The text of an alert, without its type. */
function textOf ({ payload }: Alert): string {
  const faults = Array.isArray(payload.errors) ? payload.errors as readonly Readonly<Record<string, unknown>>[] : []
  const stage = payload.stage_name === 'unknown' ? '' : payload.stage_name
  const words = faults.flatMap(({ code, description, detail }) => [code, detail ?? description])
  return [stage, payload.code, payload.reason, payload.message, ...words]
    .filter(text => typeof text === 'string' && text !== '').join(' ')
}

const isIn = ({ result, endedAt }: Print, at: number): boolean =>
  result === 'running' || (endedAt !== undefined && at - endedAt < AFTER_END_MS)

/** The events of prints, in order. */
export function createEvents ({ put, redact, now }: EventsOptions) {
  const followed = new Map<string, Followed>()

  function followedOf (id: string): Followed {
    const known = followed.get(id) ?? { count: 0, state: '', verdict: '' }
    followed.delete(id)
    followed.set(id, known)
    const [oldest = id] = followed.keys()
    if (followed.size > MOST_PRINTS) followed.delete(oldest)
    return known
  }

  function add ({ id }: Print, { kind, name, severity = '', text = '' }: PrintEvent): void {
    const known = followedOf(id)
    if (known.count >= MOST_EVENTS) return
    known.count++
    const at = now()
    put({
      table: 'history_events',
      values: {
        id: `${id}:${at}:${String(known.count).padStart(3, '0')}`,
        print: id,
        at,
        kind,
        name: redact(name),
        severity,
        text: redact(text).slice(0, LONGEST_TEXT)
      }
    })
  }

  return {
    /** A print began, changed its state or ended. */
    state (print: Print): void {
      const known = followedOf(print.id)
      if (known.state === print.state) return
      known.state = print.state
      add(print, { kind: 'state', name: print.state })
    },
    alert (print: Print, alert: Alert): void {
      if (!isIn(print, now())) return
      add(print, { kind: 'alert', name: alert.type, severity: alert.severity, text: textOf(alert) })
    },
    verdict (print: Print, { verdict }: Health): void {
      const known = followedOf(print.id)
      if (verdict === undefined || known.verdict === verdict || print.result !== 'running') return
      known.verdict = verdict
      add(print, { kind: 'verdict', name: verdict })
    }
  }
}
