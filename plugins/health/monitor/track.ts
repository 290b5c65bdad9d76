import type { HealthRecord } from '../../telemetry/index.js'
import { EMPTY_STATE, type AnalysisState } from '../analysis/improved/analysis-state.js'
import type { RenderInput } from '../pictures/render.js'
import type { HealthResult, Verdict } from '../types.js'
import { WINDOW_LENGTH } from '../verdict.js'
import { recordOf, resultOf, type Found } from './result.js'

/** Records per printer: one hour at one a minute. */
const MOST_RECORDS = 60

export type LivePictures = Readonly<Record<'annotated' | 'factors_radar' | 'health_panel', Uint8Array | undefined>>

/** Pictures take longer than the analysis itself, so they are drawn only on request. */
export interface Pictures {
  readonly source: RenderInput
  /** The pictures of the live page; drawn once. */
  live (): Promise<LivePictures>
}

/** The monitor's data about one printer's job. Immutable: parts are replaced. */
export interface Track {
  /** Counts the printer's jobs, so that a late analysis of the previous job is recognised. */
  readonly job: number
  /** Monotonic clock, ms; -Infinity before the first analysis of the job. */
  readonly analysedAt: number
  readonly window: readonly Verdict[]
  readonly records: readonly HealthRecord[]
  readonly memory: AnalysisState
  readonly evidence: number
  /** Progress of the print at its first picture, percent. */
  readonly seenFrom: number | undefined
  /** Hash of the last frame, to notice a frozen camera. */
  readonly frameHash: string
  readonly lowest: number | undefined
  readonly result: HealthResult | undefined
  readonly pictures: Pictures | undefined
}

export const newTrack = (job = 0): Track => ({
  job,
  analysedAt: -Infinity,
  window: [],
  records: [],
  memory: EMPTY_STATE,
  evidence: 0,
  seenFrom: undefined,
  frameHash: '',
  lowest: undefined,
  result: undefined,
  pictures: undefined
})

const pushed = <T>(list: readonly T[], value: T, most: number): readonly T[] => [...list, value].slice(-most)
const withVerdict = (window: readonly Verdict[], verdict: Verdict) => pushed(window, verdict, WINDOW_LENGTH)

const FEWEST_FOR_TREND = 3
const SAME_BELOW = 0.005

/** The risk of the last two analyses against that of the earlier ones. */
export function trendOf (records: readonly HealthRecord[]): NonNullable<HealthResult['success_probability_trend']> {
  if (records.length < FEWEST_FOR_TREND) return 'building'
  const risks = records.map(record => 1 - record.success_pct)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const before = mean(risks.slice(0, -2))
  if (before < SAME_BELOW) return 'stable'
  const ratio = mean(risks.slice(-2)) / before
  return ratio > 1.2 ? 'escalating' : ratio < 0.8 ? 'improving' : 'stable'
}

/** A track after one more analysis. @param analysedAt monotonic clock, ms */
export function withAnalysis (track: Track, found: Found, analysedAt: number,
  { memory, seenFrom, pictures }: Pick<Track, 'memory' | 'seenFrom' | 'pictures'>): Track {
  const record = recordOf(found)
  const records = pushed(track.records, record, MOST_RECORDS)
  const lowest = Math.min(track.lowest ?? 1, record.success_pct)
  const trend = { success_probability_trend: trendOf(records), success_probability_min: lowest }
  return {
    ...track,
    memory,
    seenFrom,
    pictures,
    analysedAt,
    records,
    lowest,
    window: withVerdict(track.window, found.judgement.verdict),
    evidence: found.judgement.odds.evidence,
    result: { ...resultOf(found), ...trend }
  }
}
