import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, isActive, type Kernel, type PrinterSession } from '../../core/index.js'
import type { QueueService, Run } from '../queue/index.js'
import { acceptedRecipes, magazineOf, recipeFor } from './clearing/accepted-recipe.js'
import type { PlateClearer } from './clearing/plate-clearer.js'
import { ErrorNotMeasured, PlateNotChanged, RecipeChanged, RecipeRefused } from './errors.js'
import type { CameraCheck, Measurement } from './evidence/camera-check.js'
import type { Mask } from './evidence/compare-pictures.js'
import { errorInWords } from './evidence/measure-error.js'
import type { PlateMaker } from './insert/plate-maker.js'
import { checkRecipe } from './recipe/check-recipe.js'
import { consequenceOf, hashOf } from './recipe/consequence.js'
import type { Recipe, RecipeFields } from './recipe/types.js'
import type { PrinterView, RecipeView, Step } from './schemas.js'
import type { By, PlateChangeStore, Stored } from './store.js'
import type { RunRow } from './tables.js'

export interface PlateChangeDeps {
  readonly kernel: Kernel
  readonly queue: Pick<QueueService, 'library' | 'runner' | 'store'>
  readonly store: PlateChangeStore
  readonly maker: PlateMaker
  readonly camera: CameraCheck
  readonly clearer: PlateClearer
  readonly log: Pick<FastifyBaseLogger, 'info'>
}

export const recipeView = (recipe: Recipe): RecipeView => {
  const { id, changedAt, changedBy, ...fields } = recipe
  const [hash, consequence] = [hashOf(recipe), consequenceOf(fields)]
  return { id, ...fields, hash, consequence, changed_at: changedAt, changed_by: changedBy }
}

const isForModel = ({ models }: Pick<RecipeFields, 'models'>, { model }: PrinterSession): boolean =>
  models.length === 0 || models.includes(model.model)

/** Which of the two a plate would get could not be said. */
const isForSame = (one: Recipe, other: Recipe): boolean =>
  (one.materials.length === 0 && other.materials.length === 0) ||
  one.materials.some(name => other.materials.some(known => known.toLowerCase() === name.toLowerCase()))

const stepOf = (row: RunRow | undefined): Step =>
  row === undefined || row.state === 'over' ? 'idle' : row.state === 'inserted' ? 'printing' : row.state

/** Recipes, who accepted them, and what they do to printers. */
export class PlateChangeService {
  readonly store: PlateChangeStore
  readonly camera: CameraCheck
  readonly maker: PlateMaker
  readonly clearer: PlateClearer
  readonly #deps: PlateChangeDeps

  constructor (deps: PlateChangeDeps) {
    this.#deps = deps
    this.store = deps.store
    this.camera = deps.camera
    this.maker = deps.maker
    this.clearer = deps.clearer
  }

  /**
   * The file that the queue sends: with the recipe that was accepted for the printer and fits the plate's materials.
   * @throws PRN_ERR_PLATE_NOT_CHANGED, the errors of the database
   */
  async prepare (session: PrinterSession, run: Run, path: string, signal: AbortSignal): Promise<string> {
    const { kernel, queue, store, maker, clearer, log } = this.#deps
    const { serial } = session.config
    const stored = await clearer.refresh()
    const magazine = magazineOf(stored, serial)
    if (magazine?.isEmpty === true) throw new PlateNotChanged('the magazine is empty')
    const accepted = acceptedRecipes(stored, serial)
    if (accepted.length === 0) return path
    const file = (await queue.store.files()).find(({ id }) => id === run.file)
    const chosen = recipeFor(accepted, file?.plates.find(({ number }) => number === run.plate))
    if (!chosen) return path
    const { recipe, acceptance } = chosen
    if (!isForModel(recipe, session)) throw new PlateNotChanged('it is not for this model')
    const made = await maker.make(session, { file: run.file, path, plate: run.plate, recipe }, signal)
    await store.addRun({
      id: run.id,
      serial,
      printer: session.name,
      job: run.job,
      recipe: recipe.id,
      hash: acceptance.hash,
      state: 'inserted',
      reason: '',
      identity: '',
      plate_since: 0,
      changed_at: kernel.now()
    }, magazine?.size ?? 0)
    await clearer.refresh()
    log.info({ printer: session.name, recipe: recipe.name, line: made.places.endLine }, 'a plate is sent with a recipe in it')
    return made.path
  }

  /** @throws PRN_ERR_NO_RECIPE, PRN_ERR_RECIPE_REFUSED */
  async save (id: string | undefined, fields: RecipeFields, by: By): Promise<RecipeView> {
    const { kernel, store, clearer } = this.#deps
    const sessions = kernel.printers.sessions.filter(session => isForModel(fields, session))
    const checked = sessions.map(({ model }) => checkRecipe(fields, model).problems)
    const first = checked.length > 0 && checked.every(problems => problems.length > 0) ? checked[0]?.[0] : undefined
    if (first) throw new RecipeRefused(`line ${first.line} of the ${first.part} code: ${first.message}`)
    const { check, sensor } = fields
    if (check.startsWith('sensor') && (!sensor || (sensor.empty === undefined) === (sensor.below === undefined))) {
      throw new RecipeRefused('a sensor needs its topic and either the text or the figure of an empty plate')
    }
    if (sensor?.below !== undefined && (sensor.above === undefined || sensor.above >= sensor.below)) {
      throw new RecipeRefused('a figure of an empty plate needs a lower one, which only a broken sensor says')
    }
    if (sensor && /[+#\0]/.test(sensor.topic + (sensor.ask ?? ''))) throw new RecipeRefused('topics of a sensor have no wildcards')
    const saved = await store.saveRecipe(id, fields, by)
    await clearer.refresh()
    return recipeView(saved)
  }

  async remove (id: string): Promise<void> {
    await this.#deps.store.deleteRecipe(id)
    await this.#deps.clearer.refresh()
  }

  /**
   * Allows a recipe on a printer, as the caller has read it.
   * @throws PRN_ERR_NO_RECIPE, PRN_ERR_RECIPE_CHANGED, PRN_ERR_RECIPE_REFUSED
   */
  async accept (session: PrinterSession, id: string, hash: string, by: By): Promise<void> {
    const { store, clearer } = this.#deps
    const recipe = await store.recipe(id)
    if (hashOf(recipe) !== hash) throw new RecipeChanged()
    if (!isForModel(recipe, session)) throw new RecipeRefused('it is not for this model')
    const { problems: [problem] } = checkRecipe(recipe, session.model)
    if (problem) throw new RecipeRefused(`line ${problem.line} of the ${problem.part} code: ${problem.message}`)
    const { serial } = session.config
    const other = acceptedRecipes(await clearer.refresh(), serial)
      .find(known => known.recipe.id !== id && isForSame(known.recipe, recipe))
    if (other) throw new RecipeRefused(`'${other.recipe.name}' is accepted for the same materials: withdraw that first`)
    await store.accept(serial, recipe, { hash, consequence: consequenceOf(recipe) }, by)
    await clearer.refresh()
  }

  async withdraw (session: PrinterSession, id: string): Promise<void> {
    await this.#deps.store.withdraw(session.config.serial, id)
    await this.#deps.clearer.refresh()
  }

  async change (
    { config: { serial } }: PrinterSession, values: Parameters<PlateChangeStore['changePrinter']>[1]
  ): Promise<void> {
    await this.#deps.store.changePrinter(serial, values)
    await this.#deps.clearer.refresh()
  }

  /** @throws PRN_ERR_ERROR_NOT_MEASURED */
  async acceptError (session: PrinterSession, hash: string, { by }: By): Promise<void> {
    const measured = await this.measured(session)
    if (measured.hash !== hash) throw new ErrorNotMeasured('the pictures were changed since you read their error')
    if (!measured.isEnough) throw new ErrorNotMeasured('take at least five pictures of the empty plate and five with parts')
    if (measured.full.wrong > 0) throw new ErrorNotMeasured(`they ${errorInWords(measured)}`)
    await this.change(session, { measured: hash, measured_by: by })
  }

  async measured ({ config: { serial } }: PrinterSession): Promise<Measurement> {
    return await this.camera.measure(serial, maskOf(await this.#stored(), serial))
  }

  async #stored (): Promise<Stored> { return this.#deps.clearer.stored ?? await this.#deps.clearer.refresh() }

  async viewOf (session: PrinterSession): Promise<PrinterView> {
    const stored = await this.#stored()
    const { name, model, state, config: { serial } } = session
    const accepted = acceptedRecipes(stored, serial)
    const row = this.#deps.clearer.rowOf(serial)
    const pictures = await this.store.pictures(serial)
    const measured = await this.camera.measure(serial, maskOf(stored, serial), pictures)
    const last = this.camera.last(serial)
    const cooled = accepted.find(({ recipe }) => recipe.id === row?.recipe)?.recipe.cool_c
    const isCurrent = state !== undefined && hasCurrentState(session)
    const magazine = magazineOf(stored, serial)
    return {
      printer: name,
      model: model.model,
      recipes: accepted.map(({ recipe: { id, name }, acceptance: { accepted_by: by, accepted_at: at } }) =>
        ({ id, name, accepted_by: by, accepted_at: Number(at) })),
      step: stepOf(row) === 'printing' && !(isCurrent && isActive(state.job.gcodeState)) ? 'idle' : stepOf(row),
      reason: row?.reason ?? '',
      since: row?.changed_at ?? 0,
      bed_c: isCurrent ? state.heat.bed.actual : null,
      cool_c: cooled ?? null,
      magazine: {
        size: magazine?.size ?? 0,
        used: magazine?.used ?? stored.printers.get(serial)?.used ?? 0,
        is_empty: magazine?.isEmpty ?? false
      },
      mask: maskOf(stored, serial).map(corner => [...corner]),
      pictures: pictures.map(({ jpeg: _, serial: __, ...picture }) => picture),
      measured: {
        full: { ...measured.full },
        empty: { ...measured.empty },
        limit: Math.round(measured.limit * 10) / 10,
        is_enough: measured.isEnough,
        may_accept: measured.isEnough && measured.full.wrong === 0,
        is_accepted: stored.printers.get(serial)?.measured === measured.hash,
        hash: measured.hash,
        text: errorInWords(measured)
      },
      last_check: last
        ? { at: last.at, score: round(last.score), limit: round(last.limit), verdict: last.verdict }
        : null
    }
  }
}

const round = (value: number): number => Math.round(value * 10) / 10

const maskOf = ({ printers }: Stored, serial: string): Mask => JSON.parse(printers.get(serial)?.mask ?? '[]') as Mask
