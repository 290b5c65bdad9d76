import type { HealthRecord } from '../../telemetry/index.js'
import type { Analysis } from '../analysis/index.js'
import type { Assessment } from '../assess.js'
import { confidenceOf } from '../probability/confidence.js'
import { round4 } from '../probability/failure-probability.js'
import { statusOf, type StatusInput } from '../status.js'
import type { HealthResult, JobContext, Quality, Status, Visibility, Verdict } from '../types.js'

/** 2026-01-01T00:00:00+00:00 */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

/** Context of a printer without a state yet. */
export const IDLE: StatusInput['context'] = {
  gcodeState: '', stageId: 0, layer: 0, nozzleC: 0, nozzleTargetC: 0, bedC: 0, bedTargetC: 0
}

const TIERS: Readonly<Record<Verdict, Quality>> = { clean: 'preview', warning: 'standard', critical: 'full' }
/** The graver the verdict, the larger the pictures. */
export const tierOf = (verdict: Verdict): Quality => TIERS[verdict]

const jobOf = (context: JobContext, now: number) => ({
  stage: context.stageId,
  stage_name: context.stageName,
  layer: context.layer,
  total_layers: context.totalLayers,
  progress_pct: context.progressPct,
  remaining_min: context.remainingMinutes,
  gcode_state: context.gcodeState,
  ams_humidity: context.amsHumidity,
  timestamp: timestampOf(now)
})

/** The result when nothing was judged: the printer prepares or is being serviced, or its picture shows nothing. */
export const gatedResult = (context: JobContext, now: number, visibility: Visibility = 'clear'): HealthResult => ({
  verdict: 'clean',
  stable_verdict: null,
  anomaly_score: 0,
  hot_pct: null,
  strand_score: null,
  diff_score: null,
  stage_gated: visibility === 'clear',
  success_probability: null,
  decision_confidence: confidenceOf(context, 0, 0),
  factor_contributions: null,
  status: statusOf({ context, visibility, success: null }),
  ...jobOf(context, now)
})

/** An earlier result with the status updated to the printer's state and visibility. */
export const restated = (result: Omit<HealthResult, 'status'> & Partial<Pick<HealthResult, 'status'>>,
  context: StatusInput['context'], visibility: Visibility = result.status?.sight ?? 'clear'): HealthResult => ({
  ...result,
  status: statusOf({
    context,
    verdict: result.success_probability === null ? undefined : result.verdict,
    stable: result.stable_verdict ?? undefined,
    visibility,
    success: result.success_probability
  })
})

export interface Found {
  readonly context: JobContext
  readonly analysis: Omit<Analysis, 'memory'>
  readonly judgement: Assessment
  readonly referenceAgeS: number | null
  /** ms since the epoch. */
  readonly now: number
}

const rounded = (value: number | null) => value === null ? null : round4(value)

export const resultOf = ({ context, analysis, judgement, referenceAgeS, now }: Found): HealthResult => ({
  verdict: judgement.verdict,
  stable_verdict: judgement.stable ?? null,
  anomaly_score: judgement.anomaly,
  hot_pct: round4(analysis.hot),
  strand_score: round4(analysis.strands),
  diff_score: rounded(analysis.diff),
  reference_age_s: referenceAgeS,
  quality: tierOf(judgement.verdict),
  stage_gated: false,
  success_probability: judgement.odds.success,
  decision_confidence: judgement.confidence,
  factor_contributions: judgement.odds.factors,
  status: judgement.status,
  ...jobOf(context, now)
})

export const recordOf = ({ context, analysis, judgement, now }: Found): HealthRecord => Object.freeze({
  ts: now / 1000,
  success_pct: judgement.odds.success,
  confidence: judgement.confidence,
  hot_pct: round4(analysis.hot),
  strand_score: round4(analysis.strands),
  diff_score: rounded(analysis.diff),
  remaining_min: context.remainingMinutes,
  factors: judgement.odds.factors
})

/** A status whose sentence also names what is missing or misplaced, unless nothing is judged. */
export const withFinding = (status: Status, finding: string | undefined): Status =>
  finding === undefined || status.word === 'standby' ? status : { ...status, summary: `${status.summary} ${finding}` }
