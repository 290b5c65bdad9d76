import { clamp01 } from '../analysis/picture.js'
import { isGatedStage, isMonitored } from '../stages.js'
import type { JobContext } from '../types.js'
import { WINDOW_LENGTH } from '../verdict.js'
import { round4 } from './failure-probability.js'
import { areKnown } from './settings.js'

/**
 * Confidence in a result, 0 to 1. The camera makes up a quarter of it, but nothing while the printer prepares or is
 * being serviced, and while no job runs.
 * @param samples number of verdicts of this job so far
 * @param trust share of its weight that the camera retains
 */
export function confidenceOf (context: JobContext, samples: number, trust: number): number {
  const camera = isGatedStage(context.stageId) || !isMonitored(context.gcodeState) ? 0 : trust
  const { settings, amsHumidity, progressPct, filament } = context
  const sum = 0.3 * Math.min(samples / WINDOW_LENGTH, 1) + 0.25 * camera +
    0.15 * (areKnown(settings) ? 1 : 0.5) +
    0.1 * (amsHumidity >= 1 && amsHumidity <= 5 ? 1 : 0.7) +
    0.1 * Math.min(progressPct / 5, 1) +
    0.1 * (filament !== null && filament.type !== '' ? 1 : 0.5)
  return round4(clamp01(sum))
}
