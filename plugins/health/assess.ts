import type { Analysis } from './analysis/index.js'
import { trustOf } from './analysis/gates.js'
import { confidenceOf } from './probability/confidence.js'
import { failureProbability, round4, type FailureProbability } from './probability/failure-probability.js'
import { analysisFailed } from './errors.js'
import type { Detection, JobContext, Profile, Status, Verdict } from './types.js'
import { agreedSuccess, isLate, visibilityOf, statusOf } from './status.js'
import { stableVerdict, thresholdsFor, verdictOf, type Thresholds } from './verdict.js'

export interface Assessment {
  /** Including the scores of models. */
  readonly anomaly: number
  readonly verdict: Verdict
  readonly stable: Verdict | undefined
  readonly odds: FailureProbability
  /** Null when it could not be computed. */
  readonly confidence: number | null
  readonly status: Status
}

export interface AssessInput {
  readonly profile: Profile
  readonly context: JobContext
  readonly analysis: Omit<Analysis, 'memory'>
  readonly detections: readonly Detection[]
  /** Verdicts of the job so far, without this one. */
  readonly window: readonly Verdict[]
  readonly evidence: number
  /** Progress of the print at its first picture, percent. */
  readonly seenFrom: number
}

/** Share of the camera's weight when the start of the print was missed, without and with the plate of the job. */
const LATE = 0.5
const LATE_WITH_PLATE = 0.75

/** Anomaly scores by a model's certainty, interpolated linearly. */
const MODEL_SCORES = [[0, 0], [0.38, 0.08], [0.78, 0.2], [1, 1]] as const
/** In the reference profile, a detection above `SURE` adds this share of its score. */
const SURE = 0.5
const ADDED = 0.3

export function modelScore (certainty: number): number {
  const at = MODEL_SCORES.findIndex(([from]) => certainty <= from)
  const [toX, toY] = MODEL_SCORES[at < 0 ? MODEL_SCORES.length - 1 : at] ?? [1, 1]
  const [fromX, fromY] = MODEL_SCORES[Math.max(0, at - 1)] ?? [0, 0]
  return at <= 0 ? toY : fromY + (toY - fromY) * (certainty - fromX) / (toX - fromX)
}

/**
 * The frame's own score, weighted against the worst of the trusted models. A frame that is critical by itself is a
 * warning even if a model finds nothing: one picture alone never gets so far, a new thing that stays does.
 */
function joined (anomaly: number, trusted: readonly Detection[], { warning, critical }: Thresholds): number {
  if (trusted.length === 0) return anomaly
  const trust = Math.min(1, Math.max(...trusted.map(({ trust = 1 }) => trust)))
  const worst = Math.max(...trusted.map(({ score }) => modelScore(score)))
  const own = anomaly >= critical ? warning : 0
  return Math.max(own, trust * worst + (1 - trust) * anomaly)
}

/** Trusted models replace the frame's score by their trust; others can only raise it. The reference profile adds. */
export function combined (profile: Profile, anomaly: number, detections: readonly Detection[],
  thresholds: Thresholds): number {
  const trusted = detections.filter(({ trust }) => trust !== undefined)
  const others = detections.filter(({ trust }) => trust === undefined)
  if (profile === 'improved') {
    return Math.max(joined(anomaly, trusted, thresholds), ...others.map(({ score }) => modelScore(score)))
  }
  const added = detections.filter(({ score }) => score > SURE).reduce((sum, { score }) => sum + ADDED * score, 0)
  return Math.min(1, anomaly + added)
}

/** Derives verdict and chances from an analysis. @throws PRN_ERR_ANALYSIS_FAILED when the chances cannot be computed */
export function assess (input: AssessInput): Assessment {
  const { profile, context, analysis, detections, window, evidence } = input
  const thresholds = thresholdsFor(context)
  const anomaly = combined(profile, analysis.anomaly, detections, thresholds)
  const verdict = verdictOf(anomaly, thresholds)
  const verdicts = [...window, verdict].slice(-5)
  const stable = stableVerdict(verdicts)
  let odds: FailureProbability
  try {
    odds = failureProbability({ profile, context, score: anomaly, stable: stable ?? 'clean', evidence })
  } catch (error) {
    throw analysisFailed(`failure probability computation failed: ${(error as Error).message}`, error)
  }
  // A neural network recognises failures by itself; the comparison knows only the frames it has seen.
  const isTrusted = detections.some(({ trust = 0 }) => trust > 0)
  const seenFrom = isTrusted ? 0 : input.seenFrom
  const isFirst = analysis.isFirst === true && !isTrusted
  const isPlateKnown = context.plate !== undefined
  const late = !isLate(seenFrom) ? 1 : isPlateKnown ? LATE_WITH_PLATE : LATE
  const trust = trustOf(analysis.gate) * (1 - (analysis.hidden ?? 0)) * late
  const confidence = confidenceOf(context, verdicts.length, trust)
  const visibility = visibilityOf(analysis.gate, analysis.hidden)
  const { success } = odds
  const status = statusOf({ context, verdict, stable, visibility, success, seenFrom, isPlateKnown, isFirst })
  return {
    anomaly: round4(anomaly),
    verdict,
    stable,
    odds: { ...odds, success: agreedSuccess(status.word, odds.success) },
    confidence: Number.isFinite(confidence) ? confidence : null,
    status
  }
}
