import { defineError } from '../../core/index.js'

export const NoRecipe = defineError<[id: string]>('PRN_ERR_NO_RECIPE', "There is no plate change recipe '%s'. List them again", 404)

export const RecipeRefused = defineError<[reason: string]>('PRN_ERR_RECIPE_REFUSED', 'The recipe cannot be used: %s', 422)

export const RecipeChanged = defineError('PRN_ERR_RECIPE_CHANGED',
  'The recipe was changed since you read it. Read it again before you accept it', 409)

export const PlateNotChanged = defineError<[reason: string]>('PRN_ERR_PLATE_NOT_CHANGED',
  'The recipe cannot be put into this plate: %s', 422)

export const ErrorNotMeasured = defineError<[reason: string]>('PRN_ERR_ERROR_NOT_MEASURED',
  'Pictures cannot decide here: %s', 409)

export const NoPlatePicture = defineError('PRN_ERR_NO_PLATE_PICTURE', 'There is no such picture. List them again', 404)

export const TooManyPlatePictures = defineError<[most: number]>('PRN_ERR_TOO_MANY_PLATE_PICTURES',
  'There are %s pictures of this kind already. Remove some first', 409)

export const TooManyRecipes = defineError<[most: number]>('PRN_ERR_TOO_MANY_RECIPES', 'There are %s recipes already. Delete one first', 409)
