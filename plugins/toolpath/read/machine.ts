import { arcLength, arcOf, type Arc } from './arc.js'
import type { Heater, Move, Orders } from './moves.js'
import { readRemark } from './remarks.js'
import { wordBit, wordIndex, type Command, type ScannerListener } from './scanner.js'

const [E, F, I, J, P, R, S, T, X, Y, Z] = [...'EFIJPRSTXYZ'].map(wordIndex) as [
  number, number, number, number, number, number, number, number, number, number, number]
const [E_BIT, F_BIT, I_BIT, J_BIT, P_BIT, R_BIT, S_BIT, X_BIT, Y_BIT, Z_BIT] = [...'EFIJPRSXYZ'].map(wordBit) as [
  number, number, number, number, number, number, number, number, number, number]
const ANY_MOVE = X_BIT | Y_BIT | Z_BIT | E_BIT
const MM_PER_INCH = 25.4
const G = 71
const M = 77
/** Tools with other numbers are orders of a vendor: `T1000`, `T255`, `T-1`. */
const MOST_TOOLS = 32
const HEATERS: Readonly<Record<number, readonly [Heater, waits: boolean]>> = {
  104: ['nozzle', false],
  109: ['nozzle', true],
  140: ['bed', false],
  190: ['bed', true],
  141: ['chamber', false],
  191: ['chamber', true]
}

/** Follows G-code as a printer does, and says what it would do: positions, extrusion, temperatures, tools. */
export class Machine implements ScannerListener {
  readonly #orders: Orders
  readonly #move: Move = {
    line: 0,
    fromX: 0,
    fromY: 0,
    fromZ: 0,
    toX: 0,
    toY: 0,
    toZ: 0,
    arc: undefined,
    length: 0,
    extruded: 0,
    speed: 0,
    tool: 0,
    layer: 0,
    feature: 0,
    object: 0,
    isWipe: false,
    isSkippable: false
  }

  #x = 0
  #y = 0
  #z = 0
  /** Where `G92` has put the axes: what the file calls 0 is here. mm. */
  #shiftX = 0
  #shiftY = 0
  #shiftZ = 0
  /** mm, as absolute extrusion counts. */
  #e = 0
  #isRelative = false
  #isRelativeE = false
  #unit = 1
  /** mm/s. */
  #speed = 0
  #speedFactor = 1
  #flowFactor = 1
  #layer = 0
  /** A word of the command has no number. */
  #isBroken = false

  constructor (orders: Orders) { this.#orders = orders }

  comment (bytes: Uint8Array, start: number, end: number, line: number): void {
    const { layer, z, feature, object, wipe, skippable, flush } = readRemark(bytes, start, end)
    const move = this.#move
    if (flush !== undefined) this.#flush(flush, line)
    if (feature !== undefined) move.feature = feature
    if (object !== undefined) move.object = object
    if (wipe !== undefined) move.isWipe = wipe
    if (skippable !== undefined) move.isSkippable = skippable
    if (layer === true) this.#orders.layer(move.layer = ++this.#layer, z, line)
  }

  tooLong (line: number): void { this.#orders.tooLong(line) }

  unreadable (line: number): void { this.#orders.unreadable(line) }

  unknown (line: number): void { this.#orders.unknown(line) }

  command (command: Command, line: number): void {
    if (command.letter === G) this.#g(command, line)
    else if (command.letter === M) this.#m(command, line)
    else if (command.code >= 0 && command.code < MOST_TOOLS) this.#orders.tool(this.#move.tool = command.code, line)
    else this.#orders.other('T', command.code, line)
  }

  #g (command: Command, line: number): void {
    const { code, subcode, words, values } = command
    if (subcode !== 0) return this.#orders.other('G', code + subcode / 10, line)
    switch (code) {
      case 0:
      case 1: return this.#straight(command, line)
      case 2:
      case 3: return this.#curve(command, line)
      case 4: {
        const milliseconds = (words & P_BIT) !== 0 ? values[P]! : 0
        return this.#orders.dwell((words & S_BIT) !== 0 ? values[S]! : milliseconds / 1_000, line)
      }
      case 20: this.#unit = MM_PER_INCH; return
      case 21: this.#unit = 1; return
      case 28: return this.#home(words, line)
      case 90: this.#isRelative = false; return
      case 91: this.#isRelative = true; return
      case 92: return this.#setPosition(command)
      default: return this.#orders.other('G', code, line)
    }
  }

  #m (command: Command, line: number): void {
    const { code, words, values } = command
    const value = (bit: number, index: number): number | undefined => (words & bit) !== 0 ? values[index]! : undefined
    const heater = HEATERS[code]
    if (heater !== undefined) return this.#heat(heater, command, line)
    if (command.subcode !== 0) return this.#orders.other('M', code + command.subcode / 10, line)
    switch (code) {
      case 73: {
        const percent = value(P_BIT, P)
        if (percent !== undefined) this.#orders.progress(percent, value(R_BIT, R) ?? NaN, line)
        return
      }
      case 82: this.#isRelativeE = false; return
      case 83: this.#isRelativeE = true; return
      case 204: {
        const both = value(S_BIT, S)
        return this.#orders.acceleration(value(P_BIT, P) ?? both, (words & wordBit('T')) !== 0 ? values[T]! : both, line)
      }
      case 205: return this.#orders.jerk(value(X_BIT, X), value(Y_BIT, Y), value(Z_BIT, Z), value(E_BIT, E), line)
      case 220: this.#speedFactor = factorOf(value(S_BIT, S), this.#speedFactor); return
      case 221: this.#flowFactor = factorOf(value(S_BIT, S), this.#flowFactor); return
      case 400: { // waits for the moves before it, and longer if it says how long
        const seconds = (value(S_BIT, S) ?? 0) + (value(P_BIT, P) ?? 0) / 1_000
        return seconds > 0 ? this.#orders.dwell(seconds, line) : this.#orders.other('M', code, line)
      }
      case 620:
      case 621: {
        const tool = value(S_BIT, S)
        if (tool === undefined) return this.#orders.other('M', code, line) // `M620 M` and the like only set something
        return this.#orders.change(code === 620, tool < MOST_TOOLS ? tool : undefined, line)
      }
      default: return this.#orders.other('M', code, line)
    }
  }

  #heat ([heater, waits]: readonly [Heater, boolean], { words, values }: Command, line: number): void {
    const celsius = (words & S_BIT) !== 0 ? values[S]! : (words & R_BIT) !== 0 ? values[R]! : NaN
    if (Number.isNaN(celsius)) return
    const tool = heater === 'nozzle' && (words & wordBit('T')) !== 0 ? values[T] : undefined
    this.#orders.heat(heater, celsius, tool, waits, line)
  }

  #home (words: number, line: number): void {
    const all = (words & (X_BIT | Y_BIT | Z_BIT)) === 0
    const [x, y, z] = [X_BIT, Y_BIT, Z_BIT].map(bit => all || (words & bit) !== 0) as [boolean, boolean, boolean]
    if (x) this.#x = this.#shiftX = 0
    if (y) this.#y = this.#shiftY = 0
    if (z) this.#z = this.#shiftZ = 0
    this.#orders.home({ x, y, z }, line)
  }

  #setPosition ({ words, values }: Command): void {
    const given = (bit: number, index: number) => (words & bit) !== 0 && !Number.isNaN(values[index])
    if (given(X_BIT, X)) this.#shiftX = this.#x - values[X]! * this.#unit
    if (given(Y_BIT, Y)) this.#shiftY = this.#y - values[Y]! * this.#unit
    if (given(Z_BIT, Z)) this.#shiftZ = this.#z - values[Z]! * this.#unit
    if (given(E_BIT, E)) this.#e = values[E]! * this.#unit
  }

  #straight ({ words, values }: Command, line: number): void {
    this.#setSpeed(words, values)
    if ((words & ANY_MOVE) !== 0) this.#moveTo(words, values, line)
  }

  #curve ({ code, words, values }: Command, line: number): void {
    this.#setSpeed(words, values)
    const size = (bit: number, index: number) => (words & bit) !== 0 ? values[index]! * this.#unit : undefined
    const arc = arcOf({
      fromX: this.#x,
      fromY: this.#y,
      toX: this.#target(words, values, X_BIT, X, this.#x, this.#shiftX),
      toY: this.#target(words, values, Y_BIT, Y, this.#y, this.#shiftY),
      clockwise: code === 2,
      i: size(I_BIT, I),
      j: size(J_BIT, J),
      r: size(R_BIT, R)
    })
    this.#moveTo(words, values, line, arc)
  }

  #setSpeed (words: number, values: Float64Array): void {
    if ((words & F_BIT) !== 0 && values[F]! > 0) this.#speed = values[F]! * this.#unit / 60
  }

  /** A word without a number leaves its axis where it is. */
  #target (words: number, values: Float64Array, bit: number, index: number, at: number, shift: number): number {
    if ((words & bit) === 0) return at
    if (Number.isNaN(values[index])) {
      this.#isBroken = true
      return at
    }
    return (this.#isRelative ? at : shift) + values[index]! * this.#unit
  }

  #moveTo (words: number, values: Float64Array, line: number, arc?: Arc): void {
    const move = this.#move
    move.line = line
    move.fromX = this.#x
    move.fromY = this.#y
    move.fromZ = this.#z
    move.toX = this.#x = this.#target(words, values, X_BIT, X, this.#x, this.#shiftX)
    move.toY = this.#y = this.#target(words, values, Y_BIT, Y, this.#y, this.#shiftY)
    move.toZ = this.#z = this.#target(words, values, Z_BIT, Z, this.#z, this.#shiftZ)
    move.extruded = this.#extruded(words, values) * this.#flowFactor
    move.arc = arc
    const dx = move.toX - move.fromX
    const dy = move.toY - move.fromY
    const dz = move.toZ - move.fromZ
    const flat = arc === undefined ? Math.sqrt(dx * dx + dy * dy) : arcLength(arc)
    move.length = dz === 0 ? flat : Math.sqrt(flat * flat + dz * dz)
    move.speed = this.#speed * this.#speedFactor
    if (this.#isBroken) {
      this.#isBroken = false
      this.#orders.unreadable(line)
    }
    if (move.length > 0 || move.extruded !== 0) this.#orders.move(move)
  }

  /** Filament that the printer flushes by itself, while it changes to another. */
  #flush (millimetres: number, line: number): void {
    const move = this.#move
    move.line = line
    move.fromX = move.toX = this.#x
    move.fromY = move.toY = this.#y
    move.fromZ = move.toZ = this.#z
    move.arc = undefined
    move.length = 0
    move.extruded = millimetres
    move.speed = this.#speed
    this.#orders.move(move)
  }

  /** A file may set extrusion relative by itself, or with everything else. */
  #extruded (words: number, values: Float64Array): number {
    if ((words & E_BIT) === 0) return 0
    if (Number.isNaN(values[E])) {
      this.#isBroken = true
      return 0
    }
    const value = values[E]! * this.#unit
    if (this.#isRelative || this.#isRelativeE) return value
    const extruded = value - this.#e
    this.#e = value
    return extruded
  }
}

const factorOf = (percent: number | undefined, before: number): number =>
  percent !== undefined && percent > 0 ? percent / 100 : before
