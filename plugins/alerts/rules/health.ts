import type { PrinterState } from '../../../core/index.js'
import { defineAlertRule, VERDICTS, type Health, type HealthVerdict } from '../types.js'

/** At most one health alert within this time. */
const WINDOW_MS = 60_000
const FOUR_DECIMALS = 10_000

/** States of a job in progress; entering them from any other state starts a job. */
const UNDER_WAY: ReadonlySet<string> = new Set(['RUNNING', 'PAUSE'])

interface Memory {
  /** The verdict that was alerted last, or the first one of the job. */
  readonly baseline: HealthVerdict | undefined
  readonly alertedAt: number
  /** The last result of the previous job, which does not apply to this one. */
  readonly outdated: Health | undefined
}

const begins = (now: PrinterState, before: PrinterState): boolean =>
  UNDER_WAY.has(now.job.gcodeState) && !UNDER_WAY.has(before.job.gcodeState)

/** The baseline stays during the window, so that a lasting change is alerted when the window ends. */
export const healthChange = defineAlertRule<Memory>({
  name: 'health',
  initial: { baseline: undefined, alertedAt: -Infinity, outdated: undefined },
  detect (now, before, memory, { at }) {
    const { health } = now
    if (begins(now.state, before.state)) {
      return { findings: [], memory: { ...memory, baseline: undefined, outdated: health } }
    }
    const { baseline, alertedAt, outdated } = memory
    const verdict = health === outdated ? undefined : health?.verdict
    if (verdict === undefined || verdict === baseline) return undefined
    if (baseline === undefined) return { findings: [], memory: { ...memory, baseline: verdict } }
    if (at - alertedAt < WINDOW_MS) return undefined
    return {
      findings: [finding(baseline, verdict, health?.score ?? 0)],
      memory: { ...memory, baseline: verdict, alertedAt: at }
    }
  }
})

function finding (from: HealthVerdict, to: HealthVerdict, score: number) {
  const worse = VERDICTS.indexOf(to) > VERDICTS.indexOf(from)
  return {
    type: worse ? 'health_escalated' : 'health_recovered',
    severity: worse ? 'high' as const : 'medium' as const,
    payload: { from_verdict: from, to_verdict: to, score: Math.round(score * FOUR_DECIMALS) / FOUR_DECIMALS }
  }
}
