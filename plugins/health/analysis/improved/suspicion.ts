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
