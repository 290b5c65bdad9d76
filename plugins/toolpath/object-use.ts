import { FEATURES } from './read/features.data.js'
import type { Move } from './read/moves.js'

/** Seconds or mm of filament by layer, object and tool; rows are in the order of the layers. */
export interface UseTable {
  readonly layers: Uint32Array
  /** As the slicer numbers them. */
  readonly objects: Float64Array
  /** From 0; always 0 for seconds. */
  readonly tools: Uint8Array
  readonly values: Float64Array
}

/** What each object of a plate takes in each layer. */
export interface ObjectUses {
  readonly seconds: UseTable
  /** mm of filament. */
  readonly filament: UseTable
  /** False if there are too many objects and layers to list what each takes. */
  readonly isWhole: boolean
}

/** What skipping an object saves. */
export interface ObjectSaving {
  seconds: number
  /** mm of filament by tool. */
  readonly filament: Map<number, number>
}

/** More than the 64 objects that firmware can skip take in 3,000 layers. */
const MOST_ROWS = 200_000
const FIRST_ROWS = 1_024
const MOST_TOOLS = 256

/** Skirts, towers and custom code are printed even if the object beside them is skipped. */
const isOfObject = FEATURES.map(feature => feature !== 'prime_tower' && feature !== 'skirt' && feature !== 'custom')

/** A table that grows row by row. Rows of a layer that has ended are final. */
class GrowingTable {
  #layers = new Uint32Array(FIRST_ROWS)
  #objects = new Float64Array(FIRST_ROWS)
  #tools = new Uint8Array(FIRST_ROWS)
  #values = new Float64Array(FIRST_ROWS)
  #count = 0
  #layer = 0
  /** Rows of the current layer. */
  readonly #rows = new Map<number, number>()
  /** The last row, because most values belong to the same one as the value before. */
  #row = -1
  #object = 0
  #tool = 0
  isFull = false

  get table (): UseTable {
    const end = this.#count
    return {
      layers: this.#layers.slice(0, end),
      objects: this.#objects.slice(0, end),
      tools: this.#tools.slice(0, end),
      values: this.#values.slice(0, end)
    }
  }

  add (layer: number, object: number, tool: number, value: number): void {
    if (layer !== this.#layer || object !== this.#object || tool !== this.#tool || this.#row < 0) {
      this.#find(layer, object, tool)
    }
    if (!this.isFull) this.#values[this.#row]! += value
  }

  #find (layer: number, object: number, tool: number): void {
    if (layer !== this.#layer) this.#rows.clear()
    this.#layer = layer
    this.#object = object
    this.#tool = tool
    const key = object * MOST_TOOLS + tool
    this.#row = this.#rows.get(key) ?? this.#begin(key)
  }

  #begin (key: number): number {
    if (this.#count === MOST_ROWS) this.isFull = true
    if (this.isFull) return 0
    if (this.#count === this.#layers.length) this.#grow()
    const row = this.#count++
    this.#layers[row] = this.#layer
    this.#objects[row] = this.#object
    this.#tools[row] = this.#tool
    this.#rows.set(key, row)
    return row
  }

  #grow (): void {
    const size = Math.min(MOST_ROWS, this.#count * 2)
    const larger = <T extends Uint32Array | Float64Array | Uint8Array>(made: T, before: T): T => {
      made.set(before)
      return made
    }
    this.#layers = larger(new Uint32Array(size), this.#layers)
    this.#objects = larger(new Float64Array(size), this.#objects)
    this.#tools = larger(new Uint8Array(size), this.#tools)
    this.#values = larger(new Float64Array(size), this.#values)
  }
}

/** Adds up what each object takes, layer by layer. */
export class ObjectUse {
  readonly #seconds = new GrowingTable()
  readonly #filament = new GrowingTable()
  #isChanging = false

  get all (): ObjectUses {
    return {
      seconds: this.#seconds.table,
      filament: this.#filament.table,
      isWhole: !this.#seconds.isFull && !this.#filament.isFull
    }
  }

  change (isBegin: boolean): void { this.#isChanging = isBegin }

  /** @returns the object that the move belongs to; 0 if it is made whether or not an object is skipped */
  move (move: Move): number {
    const object = this.#isChanging || isOfObject[move.feature] !== true ? 0 : move.object
    if (object !== 0 && move.extruded !== 0) this.#filament.add(move.layer, object, move.tool, move.extruded)
    return object
  }

  time (seconds: number, layer: number, object: number): void {
    if (object !== 0) this.#seconds.add(layer, object, 0, seconds)
  }
}

/** What skipping each object from a layer on saves; undefined if it was not listed. */
export function savingsFrom ({ seconds, filament, isWhole }: ObjectUses, fromLayer: number):
ReadonlyMap<number, ObjectSaving> | undefined {
  if (!isWhole) return undefined
  const savings = new Map<number, ObjectSaving>()
  const of = (object: number): ObjectSaving => {
    const saving = savings.get(object) ?? { seconds: 0, filament: new Map<number, number>() }
    savings.set(object, saving)
    return saving
  }
  for (let row = rowFrom(seconds, fromLayer); row < seconds.layers.length; row++) {
    of(seconds.objects[row]!).seconds += seconds.values[row]!
  }
  for (let row = rowFrom(filament, fromLayer); row < filament.layers.length; row++) {
    const { filament: sums } = of(filament.objects[row]!)
    const tool = filament.tools[row]!
    sums.set(tool, (sums.get(tool) ?? 0) + filament.values[row]!)
  }
  return savings
}

const rowFrom = ({ layers }: UseTable, layer: number): number => {
  const row = layers.findIndex(its => its >= layer)
  return row < 0 ? layers.length : row
}
