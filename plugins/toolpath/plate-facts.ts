import { arcExtremes } from './read/arc.js'
import { FEATURES, type Feature } from './read/features.data.js'
import type { Heater, Move } from './read/moves.js'

/** Corners of a box, mm. */
export interface Box {
  readonly min: readonly [x: number, y: number, z: number]
  readonly max: readonly [x: number, y: number, z: number]
}

export type Range = readonly [min: number, max: number]

export interface ObjectLayers {
  /** As the slicer numbers it. */
  readonly id: number
  readonly firstLayer: number
  readonly lastLayer: number
}

export interface Facts {
  /** What is extruded for objects; undefined without any extrusion. */
  readonly box: Box | undefined
  readonly objects: readonly ObjectLayers[]
  /** Tools that extrude, ascending, from 0. */
  readonly tools: readonly number[]
  /** Least and greatest target above 0, °C; undefined where nothing is heated. */
  readonly heat: Readonly<Record<Heater, Range | undefined>>
  readonly filamentChanges: number
}

const MOST_OBJECTS = 4_096
/** What is no part of an object. */
const ASIDE: readonly Feature[] = ['none', 'skirt', 'brim', 'prime_tower', 'custom']
const isOfObject = FEATURES.map(feature => !ASIDE.includes(feature))

/** A box that grows with the points in it. */
class GrowingBox {
  readonly #min = Float64Array.of(Infinity, Infinity, Infinity)
  readonly #max = Float64Array.of(-Infinity, -Infinity, -Infinity)

  add (x: number, y: number, z: number): void {
    const min = this.#min
    const max = this.#max
    if (x < min[0]!) min[0] = x
    if (x > max[0]!) max[0] = x
    if (y < min[1]!) min[1] = y
    if (y > max[1]!) max[1] = y
    if (z < min[2]!) min[2] = z
    if (z > max[2]!) max[2] = z
  }

  get box (): Box | undefined {
    if (this.#min[0]! > this.#max[0]!) return undefined
    const [min, max] = [[...this.#min], [...this.#max]] as unknown as [Box['min'], Box['max']]
    return { min, max }
  }
}

/** Collects what a plate is like as a whole, move by move. */
export class PlateFacts {
  readonly #ofObjects = new GrowingBox()
  /** Of files whose slicer names no features: everything after the beginning of the first layer. */
  readonly #ofAll = new GrowingBox()
  readonly #objects = new Map<number, { first: number, last: number }>()
  readonly #tools = new Set<number>()
  /** The last one, as a look into the set for each move would take long. */
  #tool = NaN
  readonly #heat: Record<Heater, Range | undefined> = { nozzle: undefined, bed: undefined, chamber: undefined }
  #changes = 0

  move (move: Move): void {
    if (!(move.extruded > 0)) return
    if (move.tool !== this.#tool) this.#tools.add(this.#tool = move.tool)
    if (move.length === 0 || move.layer === 0) return
    const box = isOfObject[move.feature] === true ? this.#ofObjects : move.feature === 0 ? this.#ofAll : undefined
    if (box === undefined) return
    box.add(move.fromX, move.fromY, move.toZ)
    box.add(move.toX, move.toY, move.toZ)
    if (move.arc !== undefined) for (const [x, y] of arcExtremes(move.arc)) box.add(x, y, move.toZ)
    if (move.object !== 0) this.#seeObject(move.object, move.layer)
  }

  heat (heater: Heater, celsius: number): void {
    if (!(celsius > 0)) return
    const [min, max] = this.#heat[heater] ?? [celsius, celsius]
    this.#heat[heater] = [Math.min(min, celsius), Math.max(max, celsius)]
  }

  /** The first filament is loaded before anything is printed. */
  change (isBegin: boolean, tool: number | undefined): void {
    if (isBegin && tool !== undefined && this.#box !== undefined) this.#changes++
  }

  get all (): Facts {
    return {
      box: this.#box,
      objects: [...this.#objects].map(([id, { first, last }]) => ({ id, firstLayer: first, lastLayer: last })),
      tools: [...this.#tools].sort((a, b) => a - b),
      heat: this.#heat,
      filamentChanges: this.#changes
    }
  }

  get #box (): Box | undefined { return this.#ofObjects.box ?? this.#ofAll.box }

  #seeObject (id: number, layer: number): void {
    const object = this.#objects.get(id)
    if (object !== undefined) object.last = layer
    else if (this.#objects.size < MOST_OBJECTS) this.#objects.set(id, { first: layer, last: layer })
  }
}
