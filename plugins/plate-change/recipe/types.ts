import type { Static } from 'typebox'
import type { RecipeInput } from '../schemas.js'

export const CHECKS = ['person', 'sensor', 'camera', 'sensor_and_camera'] as const
/** What has to find the plate empty before it counts as clear. */
export type CheckKind = (typeof CHECKS)[number]

/** G-code around a print, and how the plate is checked afterwards. */
export type RecipeFields = Static<typeof RecipeInput>

export interface Recipe extends RecipeFields {
  readonly id: string
  readonly changedAt: number
  readonly changedBy: string
}

export const PARTS = ['start', 'end'] as const
export type RecipePart = (typeof PARTS)[number]

/** What stands in a recipe for figures of the plate. */
export interface Variables {
  readonly bed_height_max: number
  readonly print_height_mm: number
  readonly plate_index: number
}

export const PROBLEM_CODES = [
  'too_long', 'not_text', 'unknown_command', 'unknown_word', 'word_twice', 'no_number', 'unknown_variable', 'outside',
  'position_unknown', 'z_first', 'home_z', 'into_print', 'too_hot', 'left_hot', 'too_fast', 'waits_too_long', 'no_model'
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** Why a recipe is refused. */
export interface RecipeProblem {
  readonly part: RecipePart
  /** From 1; 0 if it concerns all of it. */
  readonly line: number
  readonly code: ProblemCode
  readonly message: string
}
