import { hasCurrentState, isActive, type PrinterSession } from '../../../core/index.js'
import { checkRecipe } from '../recipe/check-recipe.js'
import { hashOf } from '../recipe/consequence.js'
import type { Recipe } from '../recipe/types.js'
import type { RunRow } from '../tables.js'

const MINUTE_MS = 60_000
/** What a recipe that is gone may have planned. */
const LONGEST_END_MINUTES = 120

/** The longest time that a print may take to cool down, and to wait as it is told to. */
const plannedMinutes = (recipe: Recipe, { model }: PrinterSession): number =>
  recipe.cool_minutes + Math.ceil(checkRecipe(recipe, model).endWaitsS / 60)

/** Notices prints that do not end: their end code may wait for a temperature that is never reached. */
export class EndWatch {
  /** Prints at 100 %, by row. */
  readonly #atEnd = new Map<string, { readonly since: number, readonly isTold: boolean }>()

  /** Forgets all rows but these. */
  keep (rows: readonly RunRow[]): void {
    for (const id of this.#atEnd.keys()) if (!rows.some(row => row.id === id)) this.#atEnd.delete(id)
  }

  /** @returns for how many minutes a print has been at its end, more than its recipe plans; only once for each print */
  late (
    { id, hash }: Pick<RunRow, 'id' | 'hash'>, session: PrinterSession | undefined, recipe: Recipe | undefined, now: number
  ): number | undefined {
    const job = session && hasCurrentState(session) ? session.state?.job : undefined
    if (session === undefined || job === undefined || !isActive(job.gcodeState) || job.percent < 100) return undefined
    const end = this.#atEnd.get(id) ?? { since: now, isTold: false }
    this.#atEnd.set(id, end)
    if (end.isTold || now - end.since <= (recipe?.cool_minutes ?? 0) * MINUTE_MS) return undefined
    const isKnown = recipe !== undefined && hashOf(recipe) === hash
    const minutes = isKnown ? plannedMinutes(recipe, session) : LONGEST_END_MINUTES
    if (now - end.since <= minutes * MINUTE_MS) return undefined
    this.#atEnd.set(id, { ...end, isTold: true })
    return minutes
  }
}
