import type { ModelInfo } from '../../../core/index.js'
import { RecipeFollower } from './follow-recipe.js'
import { parseLine, textOf } from './parse-line.js'
import { PARTS, type ProblemCode, type RecipeFields, type RecipePart, type RecipeProblem, type Variables } from './types.js'

export const MOST_BYTES = 8_192
const MOST_LINES = 200
const MOST_PROBLEMS = 20

export interface CheckedRecipe {
  readonly problems: readonly RecipeProblem[]
  /** Commands as they are written into a plate, without comments. */
  readonly lines: Readonly<Record<RecipePart, readonly string[]>>
  /** s: how long the end code makes the printer wait, cooling aside. */
  readonly endWaitsS: number
}

/** A print of middling height: the figures of a plate are only known when it is made. */
export const usualVariables = ({ bedMm: [, , height] }: ModelInfo): Variables =>
  ({ bed_height_max: height, print_height_mm: Math.min(50, height / 2), plate_index: 1 })

/** Judges a recipe for a printer's model; with the figures of a plate, exactly. */
export function checkRecipe (
  recipe: Pick<RecipeFields, 'start_gcode' | 'end_gcode' | 'cool_c'>, model: ModelInfo, variables = usualVariables(model)
): CheckedRecipe {
  const problems: RecipeProblem[] = []
  const lines: Record<RecipePart, readonly string[]> = { start: [], end: [] }
  if (model.model === 'UNKNOWN') {
    const message = 'the model of this printer is not known, so its limits are not either'
    return { problems: [{ part: 'end', line: 0, code: 'no_model', message }], lines, endWaitsS: 0 }
  }
  let [chamberC, endWaitsS] = [0, 0]
  for (const part of PARTS) {
    const text = part === 'start' ? recipe.start_gcode : recipe.end_gcode
    const checked = checkPart(text, { model, part, coolC: recipe.cool_c, chamberC, variables }, found => {
      if (problems.length < MOST_PROBLEMS) problems.push({ part, ...found })
    })
    lines[part] = checked.lines
    chamberC = checked.chamberC
    endWaitsS = checked.waitsS // of the last part
  }
  return { problems, lines, endWaitsS }
}

interface PartOptions {
  readonly model: ModelInfo
  readonly part: RecipePart
  readonly coolC: number
  readonly chamberC: number
  readonly variables: Variables
}

function checkPart (
  text: string, { variables, ...options }: PartOptions,
  add: (problem: { readonly line: number, readonly code: ProblemCode, readonly message: string }) => void
): { readonly lines: readonly string[], readonly chamberC: number, readonly waitsS: number } {
  const lines = text.split(/\r?\n/)
  if (Buffer.byteLength(text) > MOST_BYTES || lines.length > MOST_LINES) {
    add({ line: 0, code: 'too_long', message: `more than ${MOST_LINES} lines or ${MOST_BYTES} bytes` })
    return { lines: [], chamberC: 0, waitsS: 0 }
  }
  let line = 0
  const written: string[] = []
  const follower = new RecipeFollower({
    ...options, printMm: variables.print_height_mm, report: (code, message) => add({ line, code, message })
  })
  for (const source of lines) {
    line++
    // A lone carriage return ends a line for some readers and not for others, even in a comment.
    if (/[\r\0\u0085\u2028\u2029\v\f]/.test(source)) {
      add({ line, code: 'not_text', message: 'there is a character that may end the line' })
      continue
    }
    const parsed = parseLine(source, variables)
    if (parsed === undefined) continue
    if ('code' in parsed) add({ line, ...parsed })
    else {
      follower.take(parsed)
      written.push(textOf(parsed))
    }
  }
  line = 0
  follower.end()
  return { lines: written, chamberC: follower.chamberC, waitsS: follower.waitsS }
}
