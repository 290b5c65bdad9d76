import { isServiceError, type PrinterSession } from '../../core/index.js'
import { GaveWay, type ToolpathService } from '../toolpath/index.js'
import { filamentsOf, isCountedByLayers } from './filament.js'
import type { Print } from './types.js'
import { plateCourse, usedByLayers, type PlateCourse } from './used-by-layers.js'

export interface PlateReadingsOptions {
  readonly toolpath: () => Pick<ToolpathService, 'filamentCourses' | 'readInBackground'> | undefined
  /** ms since the epoch. */
  readonly now: () => number
  /** Monotonic clock, s. */
  readonly steady: () => number
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
  /** What is known of the plate of a print has changed. */
  readonly changed: (id: string) => void
  readonly onProblem: (error: Error) => void
}

/** A plate is read during its print, or within this time after the end. */
const READ_WITHIN_MS = 10 * 60_000
const RETRY_AFTER_S = 30
const MOST_TRIES = 3

interface Tries { readonly failed: number, readonly nextAt: number }

/** There is no such file, or it cannot be read by anyone. */
const isLasting = (error: unknown): boolean => isServiceError(error) && error.statusCode < 500

const NO_TRIES: Tries = { failed: 0, nextAt: -Infinity }

/**
 * Reads the plates of prints move by move, one at a time, so that what a print has used can be counted by layers. Those
 * of prints that were started from here were read for the start. Without its plate, a print is counted by its percent.
 */
export class PlateReadings {
  readonly #options: PlateReadingsOptions
  /** By id of the print; of the newest print of each printer only. */
  readonly #plates = new Map<string, PlateCourse>()
  readonly #tries = new Map<string, Tries>()
  #reading: { readonly id: string, readonly controller: AbortController } | undefined

  constructor (options: PlateReadingsOptions) { this.#options = options }

  /** The print with what it has used by layers, as far as its plate is known. */
  count (print: Print): Print {
    const plate = this.#plates.get(print.id)
    const byLayers = plate && usedByLayers(plate, print)
    const counted = byLayers ? { ...print, byLayers, filaments: filamentsOf(print, plate) } : print
    const gramsOpenUntil = this.#openUntil(counted)
    return counted.gramsOpenUntil === gramsOpenUntil ? counted : { ...counted, gramsOpenUntil }
  }

  /** Begins to read the next plate. @param newest the newest print of each printer */
  read (newest: readonly (readonly [Print, PrinterSession])[]): void {
    const ids = new Set(newest.map(([{ id }]) => id))
    for (const known of [this.#plates, this.#tries]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    if (this.#reading && !ids.has(this.#reading.id)) this.#reading.controller.abort()
    for (const [print] of newest) {
      if (print.gramsOpenUntil !== undefined && this.#openUntil(print) === undefined) this.#options.changed(print.id)
    }
    if (this.#reading) return
    const next = newest.find(([print, session]) => this.#isWanted(print, session))
    if (next) void this.#read(...next)
  }

  #openUntil (print: Print): number | undefined {
    const { result, gramsOpenUntil } = print
    const hasEnded = result !== 'running' && result !== 'finished'
    if (!hasEnded || isCountedByLayers(print) || !this.#isReadable(print)) return undefined
    const now = this.#options.now()
    const until = gramsOpenUntil ?? now + READ_WITHIN_MS
    return until > now ? until : undefined
  }

  /** Whether its plate may be found and read some time. */
  #isReadable ({ id, projectPath, job, layer, totalLayers }: Print): boolean {
    return this.#options.toolpath() !== undefined && projectPath !== '' && job.plate > 0 && layer > 0 &&
      totalLayers > 0 && !this.#plates.has(id) && this.#triesOf(id).failed < MOST_TRIES
  }

  /** Not before the printer prints, because until then it may still be loading the file. */
  #isWanted (print: Print, { live, state }: PrinterSession): boolean {
    const isDue = print.result === 'running' ? print.state === 'RUNNING' : this.#openUntil(print) !== undefined
    return isDue && live && state?.job.gcodeState !== 'PREPARE' && this.#isReadable(print) &&
      this.#options.steady() >= this.#triesOf(print.id).nextAt
  }

  #triesOf (id: string): Tries { return this.#tries.get(id) ?? NO_TRIES }

  async #read ({ id, projectPath, job }: Print, session: PrinterSession): Promise<void> {
    const { toolpath, signal, steady, changed, onProblem } = this.#options
    const service = toolpath()
    if (service === undefined) return
    const controller = new AbortController()
    this.#reading = { id, controller }
    try {
      const both = AbortSignal.any([signal, session.signal, controller.signal])
      const reading = await service.readInBackground(session, projectPath, job.plate, both)
      this.#plates.set(id, plateCourse(service.filamentCourses(reading), reading.plate.layers.length - 1))
    } catch (error) {
      const { failed } = this.#triesOf(id)
      const failures = error instanceof GaveWay ? 0 : isLasting(error) ? MOST_TRIES : 1
      this.#tries.set(id, { failed: failed + failures, nextAt: steady() + RETRY_AFTER_S })
      if (!signal.aborted) onProblem(error as Error)
    } finally {
      this.#reading = undefined
    }
    if (!signal.aborted) changed(id)
  }
}
