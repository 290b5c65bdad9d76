import { heatLimitsOf, type ModelInfo } from '../../../core/index.js'
import type { RecipeCommand } from './parse-line.js'
import type { ProblemCode, RecipePart } from './types.js'

type Axis = 'X' | 'Y' | 'Z'
const AXES: readonly Axis[] = ['X', 'Y', 'Z']

/** mm: below it the nozzle scratches the plate. */
const LOWEST_Z = 0.2
/** mm/min. */
const FASTEST = 30_000
const LONGEST_WAIT_S = 600
const LONGEST_WAITS_S = 3_600
const MOST_FAN = 255
const MOST_FANS = 10

type Report = (code: ProblemCode, message: string) => void

export interface FollowOptions {
  readonly model: ModelInfo
  readonly part: RecipePart
  /** °C: what the bed may still be set to when the end code is over. */
  readonly coolC: number
  /** mm: of the print, which is on the bed when the end code begins. */
  readonly printMm: number
  /** °C: what the start code has set the chamber to; 0 for nothing. */
  readonly chamberC: number
  readonly report: Report
}

/** Follows the commands of a recipe as a printer does, and reports what must not be. */
export class RecipeFollower {
  readonly #options: FollowOptions
  /** Axes that can be moved to a place: those of a print are, when its end code begins. */
  readonly #homed: Set<Axis>
  /** mm; undefined while it is not known where the axis is. Models differ in where homing ends. */
  readonly #at: Record<Axis, number | undefined> = { X: undefined, Y: undefined, Z: undefined }
  #isRelative = false
  /** Until then the nozzle may be anywhere above the print. */
  #hasMovedFlat = false
  #waitsS = 0
  /** By heater; of the end code, which leaves the printer alone with them. */
  readonly #targets = new Map<string, number>()

  constructor (options: FollowOptions) {
    this.#options = options
    this.#homed = new Set(options.part === 'end' ? AXES : [])
    if (options.chamberC > 0) this.#targets.set('chamber', options.chamberC)
  }

  take (command: RecipeCommand): void {
    switch (command.rule.does) {
      case 'move': return this.#move(command)
      case 'home': return this.#home(command)
      case 'absolute': this.#isRelative = false; return
      case 'relative': this.#isRelative = true; return
      case 'heat': return this.#heat(command)
      case 'fan': return this.#fan(command)
      case 'dwell':
      case 'wait': return this.#wait(command)
    }
  }

  /** °C: what the chamber is set to. */
  get chamberC (): number { return this.#targets.get('chamber') ?? 0 }

  /** s: how long it stands still because it was told to. */
  get waitsS (): number { return this.#waitsS }

  end (): void {
    const { part, coolC, report } = this.#options
    if (part !== 'end') return
    for (const [heater, celsius] of this.#targets) {
      const most = heater === 'bed' ? coolC : 0
      if (celsius > most) report('left_hot', `the ${heater} is left at ${celsius} °C after the last print; at most ${most} °C may stay set`)
    }
  }

  #move ({ words }: RecipeCommand): void {
    const { report } = this.#options
    const speed = words.get('F')
    if (speed !== undefined && !(speed >= 1 && speed <= FASTEST)) report('too_fast', `F is ${speed} mm/min; 1 to ${FASTEST} is allowed`)
    const isFlat = words.has('X') || words.has('Y')
    const isHigh = this.#at.Z !== undefined || words.has('Z') || (this.#options.part === 'start' && this.#homed.has('Z'))
    if (isFlat && !isHigh) {
      report('z_first', 'nobody knows how high the nozzle is: set Z before X or Y')
    }
    for (const axis of AXES) {
      const value = words.get(axis)
      if (value !== undefined) this.#moveAxis(axis, value)
    }
    const { part, printMm } = this.#options
    const { Z } = this.#at
    if (part === 'end' && words.has('Z') && !this.#hasMovedFlat && Z !== undefined && Z < printMm) {
      report('into_print', `Z ${round(Z)} mm is within the print of ${round(printMm)} mm: move X or Y away from it first, above it`)
    }
    if (isFlat) this.#hasMovedFlat = true
  }

  #moveAxis (axis: Axis, value: number): void {
    const { report } = this.#options
    const before = this.#at[axis]
    if (!this.#homed.has(axis)) return report('position_unknown', `it is not known where ${axis} is: home it first`)
    if (before === undefined && this.#isRelative) {
      return report('position_unknown', `it is not known where ${axis} is: move it with G90 first`)
    }
    const to = this.#isRelative ? before! + value : value
    this.#at[axis] = to
    const [least, most] = this.#rangeOf(axis)
    if (!(to >= least && to <= most)) report('outside', `${axis} would be at ${round(to)} mm; this printer has ${least} to ${most} mm`)
  }

  #rangeOf (axis: Axis): readonly [number, number] {
    const [x, y, z] = this.#options.model.bedMm
    return axis === 'X' ? [0, x] : axis === 'Y' ? [0, y] : [LOWEST_Z, z]
  }

  #home ({ words }: RecipeCommand): void {
    const { part, report } = this.#options
    const axes = words.size === 0 ? AXES : AXES.filter(axis => words.has(axis))
    if (part === 'end' && axes.includes('Z')) {
      report('home_z', 'homing Z touches the plate with the nozzle, and the print is still on it: home X or Y only')
    }
    for (const axis of axes) {
      this.#homed.add(axis)
      if (axis !== 'Z') this.#hasMovedFlat = true
      this.#at[axis] = undefined
    }
  }

  #heat ({ words, rule: { heater = 'nozzle' } }: RecipeCommand): void {
    const { model, coolC, report } = this.#options
    const cooled = words.get('R')
    if (cooled !== undefined && cooled < coolC) {
      report('waits_too_long', `a wait for ${cooled} °C may never end; the lowest is the ${coolC} °C at which the part comes off`)
    }
    const { nozzleMaxC, bedMaxC, chamberMaxC } = heatLimitsOf(model)
    const limit = { nozzle: nozzleMaxC, bed: bedMaxC, chamber: chamberMaxC }[heater]
    for (const celsius of words.values()) {
      if (!(celsius >= 0 && celsius <= limit)) report('too_hot', `the ${heater} would be set to ${celsius} °C; this printer has 0 to ${limit} °C`)
      this.#targets.set(heater, celsius)
    }
  }

  #fan ({ words }: RecipeCommand): void {
    const speed = words.get('S') ?? 0
    const fan = words.get('P') ?? 0
    const isFan = Number.isInteger(fan) && fan >= 0 && fan <= MOST_FANS
    if (!isFan || !(speed >= 0 && speed <= MOST_FAN)) {
      this.#options.report('too_fast', `a fan has a number up to ${MOST_FANS} and runs at 0 to ${MOST_FAN}`)
    }
  }

  #wait ({ words }: RecipeCommand): void {
    const seconds = (words.get('S') ?? 0) + (words.get('P') ?? 0) / 1_000
    const isWithin = seconds >= 0 && seconds <= LONGEST_WAIT_S
    this.#waitsS += Math.max(0, seconds)
    if (!isWithin || this.#waitsS > LONGEST_WAITS_S) {
      this.#options.report('waits_too_long', `at most ${LONGEST_WAIT_S} s in one command and ${LONGEST_WAITS_S} s in all`)
    }
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
