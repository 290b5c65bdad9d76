// What may be moved by hand and why not, as the service says. Pure.

/** Distances of one press, mm. */
export const STEPS = [1, 10, 50]

/** @param {number} step @param {number} most of this direction, mm */
export const distanceOf = (step, most) => Math.min(step, most)

/**
 * Why nothing can be pressed: a key of the texts; empty when it can.
 * @param {any} motion as the service says, undefined before it has, null if it has not
 * @param {boolean} isLive what is shown is current
 */
function whyNothing (motion, isLive) {
  if (!isLive || motion === null) return 'not_current'
  return motion === undefined ? 'asking' : motion.why?.code ?? ''
}

/** @param {any} motion @param {{ isLive: boolean, isClear: boolean }} known `isClear`: somebody has looked */
export const whyNotHome = (motion, { isLive, isClear }) => whyNothing(motion, isLive) || (isClear ? '' : 'look')

/** So long somebody's look at the plate counts. */
const LOOK_COUNTS_MS = 5 * 60_000
/** As the service has it while no job was seen to start. */
const NO_START = -1

/**
 * Somebody has looked: the plate is empty, after this job.
 * @param {{ job: { state: string, name: string, start?: number } }} view @param {number} at ms since the epoch
 */
export const lookedAt = ({ job: { state, name, start = NO_START } }, at) => ({ at, state, name, start })

/**
 * Whether that still counts: a job that has run since left its part there. A page that slept did not see it run.
 * @param {ReturnType<typeof lookedAt> | null} looked
 * @param {{ job: { state: string, name: string, start?: number } }} view
 * @param {number} at ms since the epoch
 */
export const isStillClear = (looked, { job: { state, name, start = NO_START } }, at) => looked !== null &&
  looked.state === state && looked.name === name && looked.start === start &&
  at >= looked.at && at - looked.at < LOOK_COUNTS_MS

/** The direction of this model; undefined if it is not known. @param {any} motion @param {string} direction */
export const moveOf = (motion, direction) => motion?.moves.find(move => move.direction === direction)

/** @param {any} motion @param {string} direction @param {{ isLive: boolean, isClear: boolean }} known */
export function whyNotMove (motion, direction, { isLive, isClear }) {
  const move = moveOf(motion, direction)
  return whyNothing(motion, isLive) || (move === undefined ? 'model_unknown' : move.why?.code ?? '') ||
    (move.closer && !isClear ? 'look' : '')
}

/** @param {any} motion @param {boolean} isLive */
export const whyNotExtrude = (motion, isLive) => whyNothing(motion, isLive) || (motion.extrude.why?.code ?? '')

/**
 * What has to be done first, for everybody to read: what stops all, then what stops the moves. What only some buttons
 * need is said beside them.
 * @param {any} motion @param {boolean} isLive
 */
export function firstOf (motion, isLive) {
  const all = whyNothing(motion, isLive)
  if (all !== '') return all
  const { code = '' } = motion.moves[0]?.why ?? {}
  return motion.moves.length === 0 ? 'model_unknown' : code
}

/** Above it nobody should touch anything, °C. */
const HOT_C = 50
/** Parts that are hot, the hottest first. @param {readonly { label: string, actual?: number }[]} heaters */
export const hotOf = heaters => heaters.filter(({ actual = 0 }) => actual >= HOT_C)
  .toSorted((one, other) => (other.actual ?? 0) - (one.actual ?? 0))
