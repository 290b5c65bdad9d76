import { defineAlertRule, VERDICTS, type Verdict } from '../types.js'

/** At most one health alert in this time. Source: alert rules. */
const WINDOW_MS = 60_000

interface Memory {
  /** The verdict that was announced last, or seen first. */
  readonly baseline: Verdict | undefined
  readonly alertedAt: number
}

/** While a window is open the baseline stands, so that a change that lasts is announced when it closes. */
export const healthChange = defineAlertRule<Memory>({
  name: 'health',
  initial: { baseline: undefined, alertedAt: -Infinity },
  detect (now, _before, memory, { at }) {
    const verdict = now.health?.verdict
    if (verdict === undefined) return { findings: [], memory }
    const { baseline, alertedAt } = memory
    if (baseline === undefined) return { findings: [], memory: { ...memory, baseline: verdict } }
    if (verdict === baseline || at - alertedAt < WINDOW_MS) return { findings: [], memory }
    const worse = VERDICTS.indexOf(verdict) > VERDICTS.indexOf(baseline)
    return {
      findings: [{
        type: worse ? 'health_escalated' : 'health_recovered',
        severity: worse ? 'high' : 'medium',
        payload: { from_verdict: baseline, to_verdict: verdict, score: now.health?.score ?? 0 }
      }],
      memory: { baseline: verdict, alertedAt: at }
    }
  }
})
