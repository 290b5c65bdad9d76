import type { ModelInfo } from '../../core/index.js'

/** Where the head, the bed or the nozzle goes, as a person in front of the printer sees it. */
export const DIRECTIONS = ['left', 'right', 'back', 'front', 'up', 'down'] as const
export type Direction = (typeof DIRECTIONS)[number]
export type Axis = 'X' | 'Y' | 'Z'

/** One direction of one model. */
export interface Travel {
  readonly axis: Axis
  /** Sign of the distance on the wire. */
  readonly sign: 1 | -1
  /** What moves. */
  readonly part: 'head' | 'bed'
  /** The nozzle and the plate come closer: the way on which they can collide. */
  readonly closer: boolean
}

/** Longest distance of one act, mm: somebody has to look between two of them. */
export const MOST_MM: Readonly<Record<Axis, number>> = { X: 50, Y: 50, Z: 10 }
export const LEAST_MM = 0.1

/** The bed carries the Y axis, and the head the Z axis; on all other models the head moves on a plane above the bed. */
const WITH_MOVING_BED = new Set(['A1', 'A2'])

const across = (part: 'head' | 'bed', back: 1 | -1): Pick<Record<Direction, Travel>, 'left' | 'right' | 'back' | 'front'> => ({
  left: { axis: 'X', sign: -1, part: 'head', closer: false },
  right: { axis: 'X', sign: 1, part: 'head', closer: false },
  back: { axis: 'Y', sign: back, part, closer: false },
  front: { axis: 'Y', sign: back === 1 ? -1 : 1, part, closer: false }
})

/** A lower Z is nearer to the plate on every model: the bed rises, or the head sinks. */
const BED_RISES: Readonly<Record<Direction, Travel>> = {
  ...across('head', 1),
  up: { axis: 'Z', sign: -1, part: 'bed', closer: true },
  down: { axis: 'Z', sign: 1, part: 'bed', closer: false }
}

/** Y counts where the nozzle is over the bed: it grows as the bed comes to the front. */
const BED_SLIDES: Readonly<Record<Direction, Travel>> = {
  ...across('bed', -1),
  up: { axis: 'Z', sign: 1, part: 'head', closer: false },
  down: { axis: 'Z', sign: -1, part: 'head', closer: true }
}

/** What each direction means on a model; undefined for an unknown one, which might go the other way. */
export const travelsOf = ({ model, series }: Pick<ModelInfo, 'model' | 'series'>): Readonly<Record<Direction, Travel>> | undefined =>
  model === 'UNKNOWN' ? undefined : WITH_MOVING_BED.has(series) ? BED_SLIDES : BED_RISES
