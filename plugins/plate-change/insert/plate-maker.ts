import { createHash } from 'node:crypto'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { heatLimitsOf, isServiceError, timeoutSignal, type PrinterSession } from '../../../core/index.js'
import type { ToolpathService } from '../../toolpath/index.js'
import { PlateNotChanged } from '../errors.js'
import { checkRecipe } from '../recipe/check-recipe.js'
import { hashOf } from '../recipe/consequence.js'
import type { Recipe, Variables } from '../recipe/types.js'
import { MARK, type Places } from './find-places.js'
import type { Insertions } from './insert-lines.js'
import { PlateArchive, PlateProblem } from './plate-archive.js'

/** Changed plates that are stored, so that further copies need not be made and read again. */
const MOST_STORED = 12
const SOAK_STEP_S = 60
const MAKE_MS = 10 * 60_000

export interface ChangedPlate {
  readonly path: string
  readonly places: Places
}

export interface PlateOrder {
  /** Id of the file in the library. */
  readonly file: string
  readonly path: string
  readonly plate: number
  readonly recipe: Recipe
}

/** Makes plates with a recipe in them. The original file is only read. */
export class PlateMaker {
  readonly #closing: AbortSignal
  readonly #folder: string
  readonly #toolpath: Pick<ToolpathService, 'readHost' | 'findings'>
  readonly #running = new Map<string, Promise<ChangedPlate>>()

  /** @param closing when it aborts, plates in the making are given up */
  constructor (folder: string, toolpath: Pick<ToolpathService, 'readHost' | 'findings'>, closing: AbortSignal) {
    this.#closing = closing
    this.#folder = folder
    this.#toolpath = toolpath
  }

  /** Begins with none: what an earlier run left behind may be damaged, or the work of an older version. */
  async open (): Promise<void> {
    for (const name of await readdir(this.#folder)) await rm(join(this.#folder, name), { force: true })
  }

  /** @throws PRN_ERR_PLATE_NOT_CHANGED */
  async make (session: PrinterSession, order: PlateOrder, signal: AbortSignal): Promise<ChangedPlate> {
    const key = createHash('sha256')
      .update(JSON.stringify([order.file, order.plate, hashOf(order.recipe), session.model.model])).digest('hex').slice(0, 32)
    signal.throwIfAborted()
    // Several printers may wait for one plate: that one of them gives up must not end it for the others.
    const running = this.#running.get(key) ??
      this.#make(session, order, key, AbortSignal.any([this.#closing, timeoutSignal(MAKE_MS)]))
        .finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return await unlessAborted(running, signal)
  }

  /** What the toolpath's reader says of it, judged for this printer. */
  async findings (session: PrinterSession, { path }: ChangedPlate, plate: number, signal: AbortSignal) {
    return this.#toolpath.findings(session, await this.#toolpath.readHost(session, path, plate, { signal }), {})
  }

  async #make (
    session: PrinterSession, { path, plate, recipe }: PlateOrder, key: string, signal: AbortSignal
  ): Promise<ChangedPlate> {
    const to = join(this.#folder, `${key}.gcode.3mf`)
    try {
      const archive = await PlateArchive.open(path, plate, signal)
      try {
        const places = await archive.places(signal)
        const insertions = insertionsOf(session, recipe, places, plate)
        if (!await isThere(to)) {
          const part = `${to}.${process.pid}-${Date.now()}.part`
          await archive.write(part, places, insertions, signal)
            .then(() => rename(part, to)).finally(() => rm(part, { force: true }))
        }
        await this.#limitStored(to)
        return { path: to, places }
      } finally {
        await archive.close()
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof PlateProblem) && !isServiceError(error)) throw error
      throw new PlateNotChanged(error.message, { cause: error })
    }
  }

  async #limitStored (newest: string): Promise<void> {
    const now = new Date()
    await utimes(newest, now, (await stat(newest)).mtime) // the reader of plates knows a file by when it was changed
    const names = (await readdir(this.#folder)).filter(name => name.endsWith('.3mf'))
    if (names.length <= MOST_STORED) return
    const files = await Promise.all(names.map(async name => {
      const path = join(this.#folder, name)
      return { path, used: (await stat(path)).atimeMs }
    }))
    files.sort((one, other) => one.used - other.used)
    for (const { path } of files.slice(0, files.length - MOST_STORED)) {
      if (path !== newest) await rm(path, { force: true })
    }
  }
}

/** @throws the signal's reason once it aborts; the work goes on */
function unlessAborted<T> (work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason)
    signal.addEventListener('abort', aborted)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, () => false)

const textOf = (lines: readonly string[]): Buffer =>
  lines.length === 0 ? Buffer.alloc(0) : Buffer.from([`; ${MARK} START`, 'G90', ...lines, `; ${MARK} END`, ''].join('\n'))

/** @throws PlateProblem if the recipe does not suit the figures of this plate */
function insertionsOf ({ model }: PrinterSession, recipe: Recipe, places: Places, plate: number): Insertions {
  const variables: Variables = {
    bed_height_max: model.bedMm[2],
    print_height_mm: Math.round(places.heightMm * 100) / 100,
    plate_index: plate
  }
  const { problems: [problem], lines } = checkRecipe(recipe, model, variables)
  if (problem) throw new PlateProblem(`line ${problem.line} of its ${problem.part} code: ${problem.message}`)
  const soak = soakOf(recipe, places, heatLimitsOf(model).bedMaxC)
  const start = [...lines.start, ...soak]
  return {
    start: textOf(start.length === 0 ? [] : [...start, 'G90']),
    end: textOf(lines.end.length === 0 ? [] : [...lines.end, places.isRelative ? 'G91' : 'G90'])
  }
}

/** In steps, so that a print that is stopped or paused need not wait for the whole time. */
function soakOf ({ soak_minutes: minutes }: Recipe, { bedC }: Places, mostC: number): readonly string[] {
  if (minutes === 0 || bedC <= 0) return []
  if (bedC > mostC) throw new PlateProblem(`its bed of ${bedC} °C is hotter than this printer allows`)
  return [`M140 S${bedC}`, `M190 S${bedC}`, ...Array.from({ length: minutes }, () => `G4 S${SOAK_STEP_S}`)]
}
