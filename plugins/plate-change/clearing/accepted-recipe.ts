import type { PlateFacts } from '../../queue/index.js'
import { hashOf } from '../recipe/consequence.js'
import type { Recipe } from '../recipe/types.js'
import type { Stored } from '../store.js'
import type { AcceptanceRow } from '../tables.js'

export interface AcceptedRecipe {
  readonly recipe: Recipe
  readonly acceptance: AcceptanceRow
}

/** Recipes that a person accepted for a printer as they are now. */
export const acceptedRecipes = ({ acceptances, recipes }: Stored, serial: string): readonly AcceptedRecipe[] =>
  acceptances.flatMap(acceptance => {
    const recipe = recipes.get(acceptance.recipe)
    const isValid = acceptance.serial === serial && recipe !== undefined && hashOf(recipe) === acceptance.hash
    return isValid ? [{ recipe, acceptance }] : []
  })

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The accepted recipe for the materials of a plate; one that names them goes before one for any. */
export function recipeFor (
  accepted: readonly AcceptedRecipe[], plate: Pick<PlateFacts, 'filaments'> | undefined
): AcceptedRecipe | undefined {
  const types = (plate?.filaments ?? []).map(({ type }) => type)
  const fits = accepted.filter(({ recipe: { materials } }) =>
    materials.length === 0 || (types.length > 0 && types.every(type => materials.some(known => isSame(known, type)))))
  return fits.find(({ recipe }) => recipe.materials.length > 0) ?? fits[0]
}

/** Ejections counted against the plates of a magazine. */
export interface Magazine {
  readonly size: number
  readonly used: number
  readonly isEmpty: boolean
}

/**
 * What is left in the magazine of a printer; undefined if it is not counted. An empty one stays empty until a person
 * fills it: that its recipe was changed or withdrawn puts no plate into it.
 */
export function magazineOf (
  stored: Stored, serial: string
): Magazine | undefined {
  const { size: kept = 0, used = 0 } = stored.printers.get(serial) ?? {}
  if (kept > 0 && used >= kept) return { size: kept, used, isEmpty: true }
  const sizes = acceptedRecipes(stored, serial).map(({ recipe }) => recipe.magazine).filter(size => size > 0)
  if (sizes.length === 0) return undefined
  const size = Math.min(...sizes)
  return { size, used, isEmpty: used >= size }
}
