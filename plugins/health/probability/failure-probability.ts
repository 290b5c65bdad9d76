import { clamp01 } from '../analysis/picture.js'
import type { Factors, JobContext, Profile, Verdict } from '../types.js'
import { thresholdsFor, type Thresholds } from '../verdict.js'
import { MOISTURE } from './materials.data.js'
import { baseRisk, hazardLeft, materialOf, platformFactor, thermal } from './material.js'
import { settingsFactor } from './settings.js'

export interface FailureProbability {
  /** Chance that the print succeeds, 0 to 1. */
  readonly success: number
  readonly factors: Factors
  /** Log likelihood ratio of failure by the pictures so far; input of the next analysis. */
  readonly evidence: number
}

export interface FailureProbabilityInput {
  readonly profile: Profile
  readonly context: JobContext
  readonly score: number
  readonly stable: Verdict
  /** From the previous analysis; 0 at the start of a job. */
  readonly evidence: number
}

export const round4 = (value: number): number => Math.round(value * 10_000) / 10_000

/** Risks by cause, before any picture is considered. */
function priors (context: JobContext) {
  const { row } = materialOf(context.filament?.type)
  const base = baseRisk(context)
  const platform = platformFactor(context)
  const { penalty, bonus } = thermal(context)
  const moisture = MOISTURE[row.thirst][context.amsHumidity] ?? 1
  const settings = settingsFactor(context.settings, row.thirst)
  const hazard = hazardLeft(context.progressPct, row.curve)
  const shares = {
    material: clamp01(base / 0.5),
    platform: clamp01((platform - 0.85) / 0.35),
    progress: clamp01(hazard),
    thermal: clamp01((penalty - 1) / 0.5),
    humidity: clamp01((moisture - 1) / 1.8),
    settings: clamp01((settings - 1) / 0.5)
  }
  return { base, platform, hazard, heat: penalty * bonus, moisture, settings, shares }
}

function stabilityShare (stable: Verdict, score: number, { warning, critical }: Thresholds, risk: number): number {
  if (stable === 'clean') return 0
  if (stable === 'warning') return score < (warning + critical) / 2 ? 0.5 : 0.7
  return risk
}

/** Likelihood ratio of this score: failing print against good print. */
function likelihood (score: number, { warning, critical }: Thresholds): number {
  if (score >= critical) return 3 + Math.min((score - critical) / Math.max(0.01, 1 - critical) * 5, 5)
  if (score >= warning) return 1.5 + (score - warning) / Math.max(0.01, critical - warning) * 1.5
  return Math.max(0.3, score / Math.max(0.01, warning))
}

function referenceOdds ({ context, score, stable, evidence }: FailureProbabilityInput): FailureProbability {
  const prior = priors(context)
  const thresholds = thresholdsFor(context)
  const ratio = likelihood(score, thresholds)
  let risk = Math.min(prior.base * prior.platform, 1) * prior.hazard
  for (const factor of [ratio, prior.heat, prior.moisture]) risk = Math.min(risk * factor, 1)
  const stability = stabilityShare(stable, score, thresholds, risk)
  const early = score < (thresholds.warning + thresholds.critical) / 2
  risk *= stable === 'clean' ? 0.65 : stable === 'warning' ? early ? 0.85 : 1.05 : 1
  risk = Math.min(risk * prior.settings, 1)
  return oddsOf(risk, prior.shares, clamp01((ratio - 0.3) / 7.7), stability, evidence)
}

const LN_HALF = Math.log(0.5)
const LN_WARNING = Math.log(12)
const LN_CRITICAL = Math.log(60)
const FORGETS = 0.6
const LEAST_EVIDENCE = -2.5
const MOST_EVIDENCE = 9

/** Logarithm of the likelihood ratio, linear between the thresholds. */
export function weightOf (score: number, { warning, critical }: Thresholds): number {
  if (score <= warning / 2) return LN_HALF
  if (score <= warning) return LN_HALF * (warning - score) / (warning / 2)
  if (score <= critical) return LN_WARNING * (score - warning) / (critical - warning)
  if (score <= 2 * critical) return LN_WARNING + (LN_CRITICAL - LN_WARNING) * (score - critical) / critical
  return LN_CRITICAL
}

export const nextEvidence = (before: number, score: number, thresholds: Thresholds): number =>
  Math.max(LEAST_EVIDENCE, Math.min(MOST_EVIDENCE, FORGETS * before + weightOf(score, thresholds)))

/** Probability of success by the prior risk and the evidence of the pictures (Bayes' rule). */
export function successOf (risk: number, evidence: number): number {
  const odds = risk / (1 - risk) * Math.exp(evidence)
  return 1 / (1 + odds)
}

function improvedOdds ({ context, score, stable, evidence: before }: FailureProbabilityInput): FailureProbability {
  const prior = priors(context)
  const thresholds = thresholdsFor(context)
  const { base, platform, hazard, heat, moisture, settings } = prior
  const risk = Math.max(0.002, Math.min(0.9, base * platform * hazard * heat * moisture * settings))
  const evidence = nextEvidence(before, score, thresholds)
  const failure = 1 - successOf(risk, evidence)
  const stability = stabilityShare(stable, score, thresholds, failure)
  return oddsOf(failure, prior.shares, clamp01(Math.max(evidence, 0) / MOST_EVIDENCE), stability, evidence)
}

type Shares = ReturnType<typeof priors>['shares']

function oddsOf (risk: number, shares: Shares, anomaly: number, stability: number,
  evidence: number): FailureProbability {
  const { material, platform, progress, thermal: heat, humidity, settings } = shares
  const factors = {
    material,
    platform,
    progress,
    anomaly,
    thermal: heat,
    humidity,
    stability: clamp01(stability),
    settings
  }
  const success = round4(clamp01(1 - risk))
  if (!Number.isFinite(success)) throw new RangeError('the risk is not a number')
  const rounded = Object.fromEntries(Object.entries(factors).map(([name, value]) => [name, round4(value)]))
  return { success, factors: rounded as unknown as Factors, evidence }
}

/** Combines material, machine, progress, heat, moisture and settings with the evidence of the pictures. */
export function failureProbability (input: FailureProbabilityInput): FailureProbability {
  if (!Number.isFinite(input.score)) throw new RangeError('the anomaly score is not a number')
  return input.profile === 'reference' ? referenceOdds(input) : improvedOdds(input)
}
