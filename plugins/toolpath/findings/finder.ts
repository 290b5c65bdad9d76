import type { ModelInfo } from '../../../core/index.js'
import { MOST_LAYERS } from '../layers.js'
import { declaredOf, type Get } from '../read/declared.js'
import type { Heater, Move } from '../read/moves.js'
import { Flow } from './flow.js'
import { count, newMark, sorted } from './finding.js'
import { Heat } from './heat.js'
import { isOfPart, Place } from './place.js'
import { Sequence } from './sequence.js'
import type { Finder, Finding, PlateRead, Target } from './types.js'
import { wholeFindings } from './whole.js'

/** @param get settings of the file, as far as they were read */
export const createFinder = ({ model, nozzleByTool }: Pick<Target, 'model' | 'nozzleByTool'>, get: Get): Finder =>
  new PlateFinder(model, get, nozzleByTool)

/** Gives each order to the parts that judge it. */
class PlateFinder implements Finder {
  readonly #model: ModelInfo
  readonly #get: Get
  readonly #nozzles: readonly number[] | undefined
  readonly #heat: Heat
  readonly #sequence = new Sequence()
  /** Both exist from the first move of the part on, when the settings that slicers write first are known. */
  #place: Place | undefined
  #flow: Flow | undefined
  #layer = 0
  #isChanging = false
  #commands = 0
  #extrusions = 0
  #percent = NaN
  #isLastExtrusion = false
  readonly #unreadable = newMark()
  readonly #unknown = newMark()
  readonly #tooLong = newMark()
  readonly #tooMany = newMark()

  constructor (model: ModelInfo, get: Get, nozzles: readonly number[] | undefined) {
    this.#model = model
    this.#get = get
    this.#nozzles = nozzles
    this.#heat = new Heat(model)
  }

  move (move: Move): void {
    this.#commands++
    const extrudes = move.extruded > 0 && move.length > 0
    this.#isLastExtrusion = extrudes
    if (!extrudes) return
    this.#extrusions++
    if (this.#isChanging) return
    this.#sequence.extrude(move)
    if (move.isWipe || move.isSkippable) return
    const place = this.#place ?? this.#begin(move)
    if (place === undefined) return
    place.move(move)
    if (move.feature === 0) this.#heat.print()
    if (!isOfPart(move.feature)) return
    this.#sequence.part()
    this.#heat.print()
    this.#heat.move(move)
    this.#flow!.move(move)
  }

  /** Start code comes before all settings in no file, so that its moves need none of this. */
  #begin ({ feature, layer }: Move): Place | undefined {
    if (!isOfPart(feature) && layer === 0 && feature !== 0) return undefined
    const declared = declaredOf(this.#get)
    this.#heat.declare(declared)
    this.#flow = new Flow(declared)
    this.#place = new Place(this.#model, declared, this.#nozzles)
    return this.#place
  }

  layer (layer: number, _z: number | undefined, line: number): void {
    this.#layer = layer
    this.#sequence.layer(layer)
    if (layer > MOST_LAYERS) count(this.#tooMany, layer, line, layer)
  }

  heat (heater: Heater, celsius: number, tool: number | undefined, _waits: boolean, line: number): void {
    this.#order()
    this.#heat.heat(heater, celsius, tool, line, this.#layer)
  }

  tool (tool: number, line: number): void {
    this.#order()
    this.#heat.tool(tool)
    this.#sequence.tool(tool, line)
  }

  home (): void {
    this.#order()
    this.#sequence.home()
  }

  dwell (): void { this.#order() }
  acceleration (): void { this.#order() }
  jerk (): void { this.#order() }

  progress (percent: number): void {
    this.#commands++
    this.#percent = percent
  }

  change (isBegin: boolean): void {
    this.#order()
    this.#isChanging = isBegin
  }

  other (letter: string, code: number, line: number): void {
    this.#order()
    if (!this.#isChanging) this.#sequence.other(letter, code, line)
  }

  tooLong (line: number): void { count(this.#tooLong, 0, line, this.#layer) }
  unreadable (line: number): void { count(this.#unreadable, 0, line, this.#layer) }
  unknown (line: number): void { count(this.#unknown, 0, line, this.#layer) }

  #order (): void {
    this.#commands++
    this.#isLastExtrusion = false
  }

  get sure (): readonly Finding[] {
    return sorted([...this.#place?.sure ?? [], ...this.#heat.end(), ...this.#sequence.homing])
      .filter(({ weight }) => weight === 'stop')
  }

  end (plate: PlateRead): readonly Finding[] {
    return sorted([
      ...this.#place?.end() ?? [],
      ...this.#heat.end(),
      ...this.#flow?.end() ?? [],
      ...this.#sequence.end(plate.declared),
      ...wholeFindings(plate, {
        commands: this.#commands,
        extrusions: this.#extrusions,
        layers: this.#layer,
        percent: this.#percent,
        nozzle: this.#heat.nozzle,
        hasHeated: this.#heat.hasHeated,
        endsInMove: this.#isLastExtrusion,
        unreadable: this.#unreadable,
        unknown: this.#unknown,
        tooLong: this.#tooLong,
        tooMany: this.#tooMany
      })
    ])
  }
}
