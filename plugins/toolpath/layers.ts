import { FEATURES } from './read/features.data.js'
import type { Move } from './read/moves.js'

/** What filament is used for. */
export type Use = 'part' | 'prime' | 'flush'

export interface Layer {
  /** mm, of the moves that extrude in it. */
  z: number
  /** Seconds. */
  seconds: number
  /** The line on which it begins. */
  readonly line: number
  /** mm of filament by tool and use; a retraction takes back what the next move gives again. */
  readonly extruded: Map<number, Record<Use, number>>
}

/** Files with more are no prints: a layer every 0.01 mm in a printer of a metre. */
export const MOST_LAYERS = 100_000

const PRIME_TOWER = FEATURES.indexOf('prime_tower')

/** Adds moves up by layer. Layer 0 is what comes before the first. */
export class Layers {
  readonly #layers: Layer[] = [newLayer(0)]
  #isChanging = false
  #layer: Layer | undefined
  #tool = 0
  #uses: Record<Use, number> = { part: 0, prime: 0, flush: 0 }

  get all (): readonly Layer[] { return this.#layers }

  /** @returns whether there is room for it */
  begin (layer: number, z: number | undefined, line: number): boolean {
    if (layer > MOST_LAYERS) return false
    while (this.#layers.length <= layer) this.#layers.push(newLayer(line))
    if (z !== undefined) this.#of(layer).z = z
    return true
  }

  change (isBegin: boolean): void { this.#isChanging = isBegin }

  move (move: Move): void {
    if (move.extruded === 0) return
    const layer = this.#of(move.layer)
    if (move.extruded > 0 && move.length > 0) layer.z = move.toZ
    if (layer !== this.#layer || move.tool !== this.#tool) this.#find(layer, move.tool)
    const uses = this.#uses
    uses[this.#isChanging ? 'flush' : move.feature === PRIME_TOWER ? 'prime' : 'part'] += move.extruded
  }

  /** Most moves are of the same layer and tool as the one before. */
  #find (layer: Layer, tool: number): void {
    this.#layer = layer
    this.#tool = tool
    this.#uses = layer.extruded.get(tool) ?? { part: 0, prime: 0, flush: 0 }
    layer.extruded.set(tool, this.#uses)
  }

  time (seconds: number, layer: number): void { this.#of(layer).seconds += seconds }

  /** What comes after the last layer that there is room for counts as part of it. */
  #of (layer: number): Layer { return this.#layers[Math.min(layer, this.#layers.length - 1)]! }
}

const newLayer = (line: number): Layer => ({ z: 0, seconds: 0, line, extruded: new Map() })

/** g of a length of filament. @param millimetres of filament; @param density g/cm³; @param diameter mm */
export const gramsOf = (millimetres: number, density: number, diameter: number): number =>
  millimetres * Math.PI * (diameter / 2) ** 2 / 1_000 * density

/** Filament by tool and use, mm, up to the end of a layer. */
export function extrudedUntil (
  layers: readonly Layer[], last = layers.length - 1
): ReadonlyMap<number, Record<Use, number>> {
  const sums = new Map<number, Record<Use, number>>()
  for (const { extruded } of layers.slice(0, last + 1)) {
    for (const [tool, { part, prime, flush }] of extruded) {
      const sum = sums.get(tool) ?? { part: 0, prime: 0, flush: 0 }
      sums.set(tool, { part: sum.part + part, prime: sum.prime + prime, flush: sum.flush + flush })
    }
  }
  return sums
}
