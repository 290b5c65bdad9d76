import { createHash } from 'node:crypto'
import type { Recipe, RecipeFields } from './types.js'

const CHECK_WORDS: Readonly<Record<RecipeFields['check'], string>> = {
  person: 'a person says that the plate is empty',
  sensor: 'a sensor says that the plate is empty',
  camera: 'the camera\'s picture, with the error that was measured and accepted, shows an empty plate',
  sensor_and_camera: 'a sensor and the camera\'s picture both say that the plate is empty'
}

/** What a person allows by accepting a recipe for a printer. */
export const consequenceOf = ({ name, cool_c: coolC, check }: RecipeFields): string =>
  `Every print that the queue starts on this printer carries the recipe '${name}'. The printer moves by its G-code after ` +
  'the print, with nobody there, and can break the part, the plate or itself if the G-code does not suit its mechanism. ' +
  `Once the bed is at ${coolC} °C and ${CHECK_WORDS[check]}, the next job may start by itself.`

/** Of everything that a person accepts: whoever changes the recipe, or these words, needs a new acceptance. */
export function hashOf (recipe: Recipe): string {
  const { id, name, models, materials, start_gcode: start, end_gcode: end, sensor } = recipe
  const parts = [id, name, models, materials, start, end, recipe.cool_c, recipe.cool_minutes, recipe.soak_minutes,
    recipe.magazine, recipe.check, sensor?.topic, sensor?.key, sensor?.empty, sensor?.above, sensor?.below, sensor?.ask,
    consequenceOf(recipe)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
