import { Type } from 'typebox'
import { mayUse, operation, timeoutSignal } from '../../../core/index.js'
import { NoSlicedFile } from '../../queue/index.js'
import { NoRecipe, PlateNotChanged, RecipeChanged, RecipeRefused, TooManyRecipes } from '../errors.js'
import type { ChangedPlate } from '../insert/plate-maker.js'
import { checkRecipe } from '../recipe/check-recipe.js'
import { consequenceOf, hashOf } from '../recipe/consequence.js'
import { EXAMPLES } from '../recipe/examples.data.js'
import { Plate, Problem, RecipeId, RecipeInput, RecipeView } from '../schemas.js'
import { recipeView } from '../service.js'

const CHECK_MS = 120_000
const MOST_FINDINGS = 20

export const listRecipes = operation({
  name: 'plate-change.list',
  summary: 'Recipes for G-code around prints, and examples that must be adapted',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    recipes: Type.Array(RecipeView),
    examples: Type.Array(Type.Object({ ...RecipeInput.properties, note: Type.String() })),
    may_change: Type.Boolean({ description: 'The caller may add and change recipes' })
  }),
  async run ({ kernel, caller, services }) {
    const { recipes } = await services.plateChange.store.load()
    return {
      recipes: [...recipes.values()].map(recipeView),
      examples: EXAMPLES.map(example => ({ ...example })),
      may_change: mayUse(kernel, saveRecipe, caller)
    }
  }
})

export const saveRecipe = operation({
  name: 'plate-change.saveRecipe',
  summary: 'Add a recipe, or change one',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Nothing moves. A changed recipe has to be accepted again for each printer before it is used.',
  input: Type.Object({ id: Type.Optional(RecipeId), ...RecipeInput.properties }),
  output: RecipeView,
  errors: [NoRecipe, RecipeRefused, TooManyRecipes],
  run: async ({ services, kernel, askedBy }, { id, ...fields }) =>
    await services.plateChange.save(id, fields, { by: askedBy, now: kernel.now() })
})

export const deleteRecipe = operation({
  name: 'plate-change.deleteRecipe',
  summary: 'Delete a recipe',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Its G-code is gone. Printers that used it wait for a person after each print.',
  input: Type.Object({ id: RecipeId }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoRecipe],
  async run ({ services }, { id }) {
    await services.plateChange.remove(id)
    return { id }
  }
})

export const acceptRecipe = operation({
  name: 'plate-change.accept',
  summary: 'Allow a recipe on a printer, or withdraw that',
  effect: 'destructive',
  access: 'trusted',
  consequence: 'Every print that the queue starts there carries the recipe: the printer moves by its G-code with nobody ' +
    'there. Once the plate was found empty in the way the recipe says, the next job may start by itself.',
  input: Type.Object({
    recipe: RecipeId,
    hash: Type.String({ maxLength: 64, description: '`hash` of the recipe as you have read it' }),
    accepted: Type.Boolean()
  }),
  output: Type.Object({ recipe: Type.String(), is_accepted: Type.Boolean() }),
  errors: [NoRecipe, RecipeChanged, RecipeRefused],
  note: ({ hash, accepted }) => accepted ? `recipe ${hash}` : undefined,
  async run ({ services, session, kernel, askedBy }, { recipe, hash, accepted }) {
    if (accepted) await services.plateChange.accept(session, recipe, hash, { by: askedBy, now: kernel.now() })
    else await services.plateChange.withdraw(session, recipe)
    return { recipe, is_accepted: accepted }
  }
})

export const explainRecipe = operation({
  name: 'plate-change.explain',
  summary: 'What a recipe does on a printer, and what speaks against it',
  effect: 'read',
  input: Type.Object({ recipe: RecipeId }),
  output: Type.Object({
    name: Type.String(),
    hash: Type.String(),
    consequence: Type.String(),
    problems: Type.Array(Problem),
    start_lines: Type.Array(Type.String()),
    end_lines: Type.Array(Type.String())
  }),
  errors: [NoRecipe],
  async run ({ services, session }, { recipe: id }) {
    const recipe = await services.plateChange.store.recipe(id)
    const { problems, lines } = checkRecipe(recipe, session.model)
    return {
      name: recipe.name,
      hash: hashOf(recipe),
      consequence: consequenceOf(recipe),
      problems: [...problems],
      start_lines: [...lines.start],
      end_lines: [...lines.end]
    }
  }
})

export const tryRecipe = operation({
  name: 'plate-change.try',
  summary: 'Check a recipe for a printer, and put it into a plate that is then read move by move; nothing is sent',
  effect: 'local',
  runsHere: true,
  input: Type.Object({
    ...RecipeInput.properties,
    file: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Id of a file in the library' })),
    plate: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }))
  }),
  output: Type.Object({
    problems: Type.Array(Problem), consequence: Type.String(), plate: Type.Union([Plate, Type.Null()])
  }),
  errors: [PlateNotChanged, NoSlicedFile],
  async run ({ services: { plateChange, queue }, session, signal }, { file, plate = 1, ...fields }) {
    const { problems } = checkRecipe(fields, session.model)
    const said = { problems: [...problems], consequence: consequenceOf(fields) }
    if (file === undefined || problems.length > 0) return { ...said, plate: null }
    const limit = AbortSignal.any([signal, timeoutSignal(CHECK_MS)])
    const path = await queue.library.verified(file)
    const recipe = { ...fields, id: 'draft', changedAt: 0, changedBy: '' }
    const made: ChangedPlate = await plateChange.maker.make(session, { file, path, plate, recipe }, limit)
    const findings = await plateChange.maker.findings(session, made, plate, limit)
    const { places } = made
    const source = (await queue.store.files()).find(({ id }) => id === file)?.name ?? 'plate'
    return {
      ...said,
      plate: {
        start_line: places.startLine,
        end_line: places.endLine,
        end_place: places.endPlace,
        print_height_mm: Math.round(places.heightMm * 100) / 100,
        name: `${source.replace(/(\.gcode)?\.3mf$/i, '')} + ${fields.name}`,
        findings: findings.slice(0, MOST_FINDINGS).map(({ weight, code, message }) => ({ weight, code, message })),
        is_refused: findings.some(({ weight }) => weight === 'stop')
      }
    }
  }
})
