import { interpolate } from './trees.js'

/** Share of the previous analysis' evidence that carries over. */
const CARRIED_OVER = 0.5
const MOST = 3
/** An anomaly score below this counts as clean. */
export const CLEAN = 0.05
/** Probabilities are clamped to these. */
const LEAST_CHANCE = 0.02
const MOST_CHANCE = 0.99

const oddsOf = (chance: number): number => Math.log(chance / (1 - chance))

/**
 * Log odds of a tangle by this frame and the previous ones. A tangle stays but shows better in one frame than in the
 * next, so evidence for it carries over; evidence against it does not, as it may have begun since.
 * @param chance by this frame
 * @param previous log odds after the previous frame
 */
export const suspicionOf = (chance: number, previous = 0): number =>
  oddsOf(Math.min(MOST_CHANCE, Math.max(LEAST_CHANCE, chance))) + CARRIED_OVER * Math.min(MOST, Math.max(0, previous))

/** The log odds as a probability, 0 to 1. */
export const chanceBy = (suspicion: number): number => 1 / (1 + Math.exp(-suspicion))

/**
 * Anomaly scores by the probability of a tangle, interpolated. On a moving bed more looks like a tangle, so a warning
 * needs a slightly higher probability.
 */
const SCORES = [[0, 0], [0.52, 0.08], [0.75, 0.2], [1, 1]] as const
const SCORES_OF_TRAVELLING = [[0, 0], [0.58, 0.08], [0.75, 0.2], [1, 1]] as const

/** @param travels whether the bed moves */
export const scoreOf = (suspicion: number, travels: boolean): number =>
  interpolate(travels ? SCORES_OF_TRAVELLING : SCORES, chanceBy(suspicion))
