import type { JobContext, Verdict } from './types.js'

export interface Thresholds { readonly warning: number, readonly critical: number }

const MEDIUM: Thresholds = { warning: 0.08, critical: 0.2 }
const BY_SENSITIVITY: Readonly<Record<string, Thresholds>> = {
  high: { warning: 0.06, critical: 0.15 },
  medium: MEDIUM,
  low: { warning: 0.12, critical: 0.3 }
}

/** Follows the sensitivity of the printer's own detector; medium when that is off. */
export const thresholdsFor = ({ spaghetti: { enabled, sensitivity } }: Pick<JobContext, 'spaghetti'>): Thresholds =>
  enabled ? BY_SENSITIVITY[sensitivity] ?? MEDIUM : MEDIUM

export const verdictOf = (score: number, { warning, critical }: Thresholds): Verdict =>
  score >= critical ? 'critical' : score >= warning ? 'warning' : 'clean'

const WORST_FIRST: readonly Verdict[] = ['critical', 'warning', 'clean']

/** Number of verdicts that a stable verdict is based on. */
export const WINDOW_LENGTH = 5
/** With fewer there is no stable verdict yet. */
const FEWEST = 3

/** The most frequent verdict of the window, the worst on a tie; undefined for fewer than three. */
export function stableVerdict (window: readonly Verdict[]): Verdict | undefined {
  if (window.length < FEWEST) return undefined
  const counts = WORST_FIRST.map(verdict => window.filter(one => one === verdict).length)
  return WORST_FIRST[counts.indexOf(Math.max(...counts))]
}
