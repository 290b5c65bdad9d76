import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { readStatus } from './operations/printers.js'
import { explainRecipe, listRecipes } from './operations/recipes.js'
import { PrinterView } from './schemas.js'

export default [
  tool(listRecipes, {
    name: 'list_plate_recipes',
    description: 'Recipes for ejectors and plate changers',
    errors: 'coded',
    closedWorld: false,
    onRequest: true,
    pages: 'recipes',
    answer: Type.Pick(listRecipes.output, ['recipes']),
    result: ({ recipes }) => ({ recipes })
  }),
  tool(explainRecipe, {
    name: 'explain_plate_recipe',
    description: 'What a recipe does on a printer, and what speaks against it',
    errors: 'coded',
    closedWorld: false,
    onRequest: true
  }),
  tool(readStatus, {
    name: 'plate_change_status',
    description: 'Cooling, check and magazine of a printer that clears its own plate',
    errors: 'coded',
    closedWorld: false,
    onRequest: true,
    answer: Type.Object({
      ...Type.Omit(PrinterView, ['mask']).properties, pictures: Type.Integer({ description: 'How many of the plate it has' })
    }),
    result: ({ pictures, mask: _, ...rest }) => ({ ...rest, pictures: pictures.length })
  })
]
