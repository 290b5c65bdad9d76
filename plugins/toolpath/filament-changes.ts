import type { Declared } from './read/declared.js'

/** How long printers take to change filaments, by the seconds that the slicer assumes. */
export class FilamentChanges {
  readonly #seconds: Declared['changeSeconds']
  readonly #nozzles: readonly number[]
  readonly #loaded = new Map<number, number>()
  #nozzle: number | undefined

  constructor ({ changeSeconds, nozzles }: Pick<Declared, 'changeSeconds' | 'nozzles'>) {
    this.#seconds = changeSeconds
    this.#nozzles = nozzles
  }

  /** @returns seconds until a filament is ready to print, if it was not loaded already */
  to (tool: number): number {
    const { load, unload, switching } = this.#seconds
    const nozzle = this.#nozzles[tool] ?? 0
    const before = this.#loaded.get(nozzle)
    const move = this.#nozzle === undefined || this.#nozzle === nozzle ? 0 : switching
    this.#nozzle = nozzle
    this.#loaded.set(nozzle, tool)
    if (before === tool) return move
    return move + load + (before === undefined ? 0 : unload)
  }
}
