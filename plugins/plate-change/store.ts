import { randomUUID } from 'node:crypto'
import type { Database, Kysely } from '../database/index.js'
import { NoPlatePicture, NoRecipe, TooManyPlatePictures, TooManyRecipes } from './errors.js'
import type { Recipe, RecipeFields } from './recipe/types.js'
import { OPEN_STATES, type AcceptanceRow, type PictureRow, type PrinterRow, type RecipeRow, type RunRow, type RunState, type Tables } from './tables.js'

type Db = Kysely<Tables>

const MOST_RECIPES = 100
/** Of each kind, by printer. */
const MOST_PICTURES = 20

export interface By {
  readonly by: string
  readonly now: number
}

const recipeOf = ({ id, fields, changed_at: changedAt, changed_by: changedBy }: RecipeRow): Recipe =>
  ({ ...JSON.parse(fields) as RecipeFields, id, changedAt: Number(changedAt), changedBy })

const numbered = (row: RunRow): RunRow =>
  ({ ...row, plate_since: Number(row.plate_since), changed_at: Number(row.changed_at) })

const newPrinter = (serial: string): PrinterRow => ({ id: serial, used: 0, size: 0, mask: '[]', measured: '', measured_by: '' })

const addPrinter = (db: Db, serial: string) => db.insertInto('plate-change_printers').values(newPrinter(serial))
  .onConflict(conflict => conflict.column('id').doNothing()).execute()

/** All that decisions about printers need; pictures are read when they are compared. */
export interface Stored {
  readonly recipes: ReadonlyMap<string, Recipe>
  readonly acceptances: readonly AcceptanceRow[]
  readonly printers: ReadonlyMap<string, PrinterRow>
  /** Those that are not over. */
  readonly runs: readonly RunRow[]
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export class PlateChangeStore {
  readonly #database: Pick<Database, 'query' | 'change'>

  constructor (database: Pick<Database, 'query' | 'change'>) { this.#database = database }

  async load (): Promise<Stored> {
    return await this.#query(async db => {
      const recipes = (await db.selectFrom('plate-change_recipes').selectAll().execute()).map(recipeOf)
      const printers = await db.selectFrom('plate-change_printers').selectAll().execute()
      return {
        recipes: new Map(recipes.map(recipe => [recipe.id, recipe])),
        acceptances: await db.selectFrom('plate-change_acceptances').selectAll().orderBy('accepted_at').orderBy('id').execute(),
        printers: new Map(printers.map(row => [row.id, row])),
        runs: (await db.selectFrom('plate-change_runs').selectAll().where('state', 'in', OPEN_STATES).orderBy('changed_at').execute())
          .map(numbered)
      }
    })
  }

  async recipe (id: string): Promise<Recipe> {
    const row = await this.#query(db => db.selectFrom('plate-change_recipes').selectAll().where('id', '=', id).executeTakeFirst())
    if (!row) throw new NoRecipe(id)
    return recipeOf(row)
  }

  /** Adds a recipe, or changes one: whoever accepted it before has to do so again. */
  async saveRecipe (id: string | undefined, fields: RecipeFields, { by, now }: By): Promise<Recipe> {
    const row = { id: id ?? randomUUID(), fields: JSON.stringify(fields), changed_at: now, changed_by: by }
    await this.#database.change<Tables, void>(async db => {
      if (id === undefined) {
        const { count } = await db.selectFrom('plate-change_recipes').select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
        if (Number(count) >= MOST_RECIPES) throw new TooManyRecipes(MOST_RECIPES)
        await db.insertInto('plate-change_recipes').values(row).execute()
        return
      }
      const { numUpdatedRows } = await db.updateTable('plate-change_recipes').set(row).where('id', '=', id).executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new NoRecipe(id)
      await db.deleteFrom('plate-change_acceptances').where('recipe', '=', id).execute()
    })
    return recipeOf(row)
  }

  async deleteRecipe (id: string): Promise<void> {
    await this.#database.change<Tables, void>(async db => {
      const { numDeletedRows } = await db.deleteFrom('plate-change_recipes').where('id', '=', id).executeTakeFirst()
      if (numDeletedRows !== 1n) throw new NoRecipe(id)
      await db.deleteFrom('plate-change_acceptances').where('recipe', '=', id).execute()
    })
  }

  async accept (
    serial: string, recipe: Recipe, { hash, consequence }: Pick<AcceptanceRow, 'hash' | 'consequence'>, { by, now }: By
  ): Promise<void> {
    const row = { id: `${serial} ${recipe.id}`, serial, recipe: recipe.id, hash, consequence, accepted_at: now, accepted_by: by }
    await this.#database.change<Tables, void>(async db => {
      await db.deleteFrom('plate-change_acceptances').where('id', '=', row.id).execute()
      await db.insertInto('plate-change_acceptances').values(row).execute()
    })
  }

  async withdraw (serial: string, recipe: string): Promise<void> {
    await this.#query(db => db.deleteFrom('plate-change_acceptances').where('id', '=', `${serial} ${recipe}`).execute())
  }

  /** @param size of the magazine, which counts until a person has filled it, also without the recipe; 0: not counted */
  async addRun (row: RunRow, size: number): Promise<void> {
    await this.#database.change<Tables, void>(async db => {
      await db.updateTable('plate-change_runs').set({ state: 'over', changed_at: row.changed_at })
        .where('serial', '=', row.serial).where('state', 'in', OPEN_STATES).execute()
      await db.insertInto('plate-change_runs').values(row).execute()
      await addPrinter(db, row.serial)
      await db.updateTable('plate-change_printers').set({ size }).where('id', '=', row.serial).execute()
    })
  }

  /**
   * Moves a run on, if it is still in the expected state.
   * @param isEjection counts one against the magazine, in the same step
   */
  async change (
    { id, serial }: Pick<RunRow, 'id' | 'serial'>, from: readonly RunState[],
    values: Partial<RunRow> & Pick<RunRow, 'state' | 'changed_at'>, isEjection = false
  ): Promise<boolean> {
    return await this.#database.change<Tables, boolean>(async db => {
      const { numUpdatedRows } = await db.updateTable('plate-change_runs').set(values)
        .where('id', '=', id).where('state', 'in', from).executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      if (isEjection) {
        await addPrinter(db, serial)
        await db.updateTable('plate-change_printers').set(eb => ({ used: eb('used', '+', 1) })).where('id', '=', serial).execute()
      }
      return true
    })
  }

  async changePrinter (serial: string, values: Partial<Omit<PrinterRow, 'id'>>): Promise<void> {
    await this.#database.change<Tables, void>(async db => {
      await addPrinter(db, serial)
      await db.updateTable('plate-change_printers').set(values).where('id', '=', serial).execute()
    })
  }

  async pictures (serial: string): Promise<readonly PictureRow[]> {
    const rows = await this.#query(db => db.selectFrom('plate-change_pictures').selectAll().where('serial', '=', serial)
      .orderBy('taken_at').orderBy('id').execute())
    return rows.map(row => ({ ...row, taken_at: Number(row.taken_at) }))
  }

  async addPicture (
    { serial, kind, jpeg, by, now }: Pick<PictureRow, 'serial' | 'kind'> & By & { readonly jpeg: Buffer }
  ): Promise<string> {
    const id = randomUUID()
    await this.#database.change<Tables, void>(async db => {
      const { count } = await db.selectFrom('plate-change_pictures').select(({ fn }) => fn.countAll().as('count'))
        .where('serial', '=', serial).where('kind', '=', kind).executeTakeFirstOrThrow()
      if (Number(count) >= MOST_PICTURES) throw new TooManyPlatePictures(MOST_PICTURES)
      await db.insertInto('plate-change_pictures')
        .values({ id, serial, kind, jpeg: jpeg.toString('base64'), taken_at: now, taken_by: by }).execute()
    })
    return id
  }

  async removePicture (serial: string, id: string): Promise<void> {
    const { numDeletedRows } = await this.#query(db => db.deleteFrom('plate-change_pictures')
      .where('serial', '=', serial).where('id', '=', id).executeTakeFirst())
    if (numDeletedRows !== 1n) throw new NoPlatePicture()
  }

  async #query<R> (work: (db: Db) => Promise<R>): Promise<R> { return await this.#database.query<Tables, R>(work) }
}
