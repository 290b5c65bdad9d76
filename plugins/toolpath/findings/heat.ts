import type { ModelInfo } from '../../../core/index.js'
import type { Declared } from '../read/declared.js'
import type { Heater, Move } from '../read/moves.js'
import { count, finding, newMark, type Mark } from './finding.js'
import type { Finding } from './types.js'

/** No filament that these printers take is extruded below it. °C. */
const COLDEST = 140
/** °C below the filament's own range: people go somewhat below it on purpose. */
const MARGIN = 30
/** Stands for the nozzle in use, where a file does not name it. */
const IN_USE = -1

const REMEDY = 'Slice it again, or check the temperatures of the filament.'

interface TooHot {
  readonly heater: Heater
  readonly celsius: number
  readonly line: number
  readonly layer: number
}

const nameOf = (heater: Heater, tool = IN_USE): string => `${heater} ${tool}`
const newMarks = (): Readonly<Record<Heater, Mark>> => ({ nozzle: newMark(), bed: newMark(), chamber: newMark() })
const markHot = (marks: Readonly<Record<Heater, Mark>>, { heater, celsius, line, layer }: TooHot): void => {
  count(marks[heater], celsius, line, layer)
}

/** Judges temperatures: what the file asks of the heaters, and whether the nozzle is hot when it extrudes. */
export class Heat {
  readonly #model: ModelInfo
  /** By tool or nozzle as the file names them, and under `IN_USE`. */
  readonly #targets = new Map<number, number>()
  /** The highest target, as a file may heat one nozzle while another cools. NaN before the first. */
  #highest = NaN
  #hasHeated = false
  #hasHeatedNozzle = false
  #tool = 0
  /** The file has said how hot the filament in use has to be: some printers heat for the next one by themselves. */
  #isStated = true
  #hasBegun = false
  readonly #never = newMark()
  readonly #cold = newMark()
  readonly #low = newMark()
  /** Targets above the limit with which a part is printed, and those of start code and filament changes. */
  readonly #hot: Readonly<Record<Heater, Mark>> = newMarks()
  readonly #hotAside: Readonly<Record<Heater, Mark>> = newMarks()
  /** Those that hold now, with which nothing was printed yet; by heater and name. */
  readonly #pending = new Map<string, TooHot>()
  #declared: Declared | undefined

  constructor (model: ModelInfo) { this.#model = model }

  /** The nozzle, as far as the file was read. */
  get nozzle (): 'never hot' | 'hot' | 'off' {
    return !this.#hasHeatedNozzle ? 'never hot' : this.#highest > 0 ? 'hot' : 'off'
  }

  /** Nozzle, bed or chamber. */
  get hasHeated (): boolean { return this.#hasHeated }

  declare (declared: Declared): void { this.#declared = declared }

  heat (heater: Heater, celsius: number, tool: number | undefined, line: number, layer: number): void {
    this.#checkLimit({ heater, celsius, line, layer }, tool)
    if (celsius > 0) this.#hasHeated = true
    if (heater !== 'nozzle') return
    if (celsius > 0) this.#hasHeatedNozzle = true
    this.#isStated = true
    if (tool === undefined) this.#targets.clear() // without a name it may be any of them
    this.#targets.set(tool ?? IN_USE, celsius)
    if (tool !== undefined && this.#areAllOff(tool)) this.#targets.delete(IN_USE)
    this.#highest = Math.max(...this.#targets.values())
  }

  #checkLimit (target: TooHot, tool: number | undefined): void {
    for (const [name, earlier] of this.#pending) {
      if (earlier.heater !== target.heater || (tool !== undefined && name !== nameOf(target.heater, tool))) continue
      markHot(this.#hotAside, earlier)
      this.#pending.delete(name)
    }
    if (target.celsius > this.#limitOf(target.heater)) this.#pending.set(nameOf(target.heater, tool), target)
  }

  /** Something is printed with the temperatures that hold now. */
  print (): void {
    this.#hasBegun = true
    if (this.#pending.size === 0) return
    for (const target of this.#pending.values()) markHot(this.#hot, target)
    this.#pending.clear()
  }

  /** The one in use has a name, too: it is off when all that were named are. */
  #areAllOff (tool: number): boolean {
    const named = [...this.#targets].filter(([name]) => name !== IN_USE)
    const isOnlyOne = this.#model.extruders === 1 && tool === this.#tool
    return (named.length > 1 || isOnlyOne) && named.every(([, celsius]) => celsius === 0)
  }

  tool (tool: number): void {
    if (tool !== this.#tool && this.#hasBegun) this.#isStated = false
    this.#tool = tool
  }

  /** Takes a move of the part. */
  move ({ tool, toX, toY, toZ, line, layer }: Move): void {
    const mark = this.#markOf(tool)
    if (mark === undefined || !count(mark, this.#highest, line, layer)) return
    mark.x = toX
    mark.y = toY
    mark.z = toZ
  }

  #markOf (tool: number): Mark | undefined {
    if (this.#highest >= COLDEST) {
      const lowest = this.#declared?.lowestC[tool]
      return lowest !== undefined && this.#isStated && this.#highest < lowest - MARGIN ? this.#low : undefined
    }
    return Number.isNaN(this.#highest) ? this.#never : this.#cold
  }

  #limitOf (heater: Heater): number {
    const { nozzleMaxC, bedMaxC, chamberMaxC } = this.#model
    return { nozzle: nozzleMaxC, bed: bedMaxC, chamber: this.#model.model === 'UNKNOWN' ? Infinity : chamberMaxC }[heater]
  }

  end (): readonly Finding[] {
    for (const target of this.#pending.values()) markHot(this.#hotAside, target)
    return [...this.#tooHot('nozzle'), ...this.#tooHot('bed'), ...this.#tooHot('chamber'), ...this.#tooCold()]
  }

  #tooHot (heater: Heater): readonly Finding[] {
    const isPrinted = this.#hot[heater].times > 0
    const mark = isPrinted ? this.#hot[heater] : this.#hotAside[heater]
    const limit = this.#limitOf(heater)
    if (mark.times === 0) return []
    const figures = { celsius: mark.value, most_celsius: mark.worst, limit_celsius: limit }
    if (limit === 0) {
      const message = `asks for a chamber of ${mark.value} °C, which this printer cannot heat`
      return [finding('chamber_too_hot', 'note', mark, { message, remedy: 'The printer ignores it.', figures: { ...figures, case: 'unheated' } })]
    }
    const message = `asks for a ${heater} of ${mark.value} °C; this printer's limit is ${limit} °C`
    if (isPrinted || !this.#hasBegun) return [finding(`${heater}_too_hot`, 'stop', mark, { message, remedy: REMEDY, figures })]
    return [finding(`${heater}_too_hot`, 'note', mark, {
      message, remedy: 'Nothing is printed at it.', figures: { ...figures, case: 'aside' }
    })]
  }

  #tooCold (): readonly Finding[] {
    const of = (mark: Mark, weight: 'stop' | 'warn', message: string, figures: Finding['figures']): readonly Finding[] =>
      mark.times === 0 ? [] : [finding('cold_extrusion', weight, mark, { message, remedy: REMEDY, figures })]
    const celsius = this.#cold.value
    const cold = celsius > 0 ? `extrudes with a nozzle of ${celsius} °C` : 'extrudes after the nozzle was switched off'
    return [
      ...of(this.#never, 'stop', 'extrudes though the file never heats the nozzle', { case: 'never' }),
      ...of(this.#cold, 'stop', cold, { celsius, case: celsius > 0 ? 'cold' : 'off' }),
      ...of(this.#low, 'warn', `extrudes with a nozzle of ${this.#low.value} °C, far below the range of its filament`,
        { celsius: this.#low.value, case: 'low' })
    ]
  }
}
