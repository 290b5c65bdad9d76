import type { ModelInfo } from '../../../core/index.js'
import { why, type Why } from '../decide/reasons.js'
import type { Soak } from '../types.js'

/** No bed is asked to be cooler: it would be so without being heated. */
export const LEAST_C = 30
/** What the hottest bed of any model reaches. */
export const MOST_BED_C = 120
/** What the hottest chamber of any model reaches. */
export const MOST_CHAMBER_C = 65
/** For all of it: heating up, and keeping warm. */
export const LONGEST_MINUTES = 60
/** So that a quarter of an hour is left to heat up. */
export const MOST_MINUTES = 45
export const USUAL_MINUTES = 10

/** Why a model cannot be warmed as a job wants; undefined: it can. */
export function soakProblem ({ bedC, chamberC }: Soak, model: ModelInfo): Why | undefined {
  const { bedMaxC, chamberMaxC, chamberHeater, chamberSensor } = model
  if (bedC > bedMaxC) return why('bed_limit', { most: bedMaxC, wanted: bedC })
  if (chamberC === 0) return undefined
  if (!chamberSensor) return why('no_chamber_sensor')
  return chamberHeater !== null && chamberC > chamberMaxC ? why('chamber_limit', { most: chamberMaxC, wanted: chamberC }) : undefined
}
