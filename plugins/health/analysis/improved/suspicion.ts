import { along } from './trees.js'

/** What spoke for a tangle in the analysis before counts for so much now. */
const KEPT = 0.5
const MOST = 3
/** Beyond these no chance is believed. */
const LEAST_CHANCE = 0.02
const MOST_CHANCE = 0.99

const oddsOf = (chance: number): number => Math.log(chance / (1 - chance))

/**
 * Log odds of a tangle by what is seen now and what was seen before. A tangle stays, and is seen better in one picture
 * than in the next; what spoke against one counts for nothing, as it may have begun since.
 * @param chance by the picture of now
 * @param before log odds after the picture before
 */
export const suspicionOf = (chance: number, before = 0): number =>
  oddsOf(Math.min(MOST_CHANCE, Math.max(LEAST_CHANCE, chance))) + KEPT * Math.min(MOST, Math.max(0, before))

/** The same as a chance, 0 to 1. */
export const chanceBy = (suspicion: number): number => 1 / (1 + Math.exp(-suspicion))

/**
 * Chance of a tangle, by the mean of nine cells and by what was seen before, to score: lines through these points. On a
 * plate that travels more looks like a tangle, and a little more has to speak for one before a warning.
 */
const SCORES = [[0, 0], [0.52, 0.08], [0.75, 0.2], [1, 1]] as const
const SCORES_OF_TRAVELLING = [[0, 0], [0.58, 0.08], [0.75, 0.2], [1, 1]] as const

/** @param travels whether the plate does */
export const scoreOf = (suspicion: number, travels: boolean): number =>
  along(travels ? SCORES_OF_TRAVELLING : SCORES, chanceBy(suspicion))
