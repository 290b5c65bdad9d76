import type { Move } from './read/moves.js'

/** What the printer's axes can do: mm/s and mm/s², in the order X, Y, Z, extruder. */
export interface AxisLimits {
  readonly speed: readonly [number, number, number, number]
  readonly acceleration: readonly [number, number, number, number]
  readonly jerk: readonly [number, number, number, number]
  /** mm/s², of whole moves; 0 or absent where only the axes limit them. */
  readonly moves?: {
    readonly extruding: number
    readonly travel: number
    readonly retracting: number
  }
}

/** Seconds that some moves of an object in a layer take, or a wait, in the order of the file. */
export type Timed = (seconds: number, layer: number, object: number) => void

/** Moves that are planned together. */
const AHEAD = 512
/** How many of them are final once that many are known: a printer slows down for a corner as far ahead as the rest. */
const FINAL = AHEAD - 128
const AXES = 4

/**
 * Times moves as printers plan them: each accelerates to its speed and slows down for the next corner, where the speed
 * of no axis may jump by more than its jerk. Memory does not grow with the number of moves.
 */
export class Clock {
  readonly #limits: AxisLimits
  readonly #timed: Timed
  /** mm. */
  readonly #length = new Float64Array(AHEAD)
  /** mm/s. */
  readonly #cruise = new Float64Array(AHEAD)
  /** mm/s, at which a move may begin or end at rest. */
  readonly #safe = new Float64Array(AHEAD)
  /** mm/s, the most at which a move may begin because of the corner before it. */
  readonly #corner = new Float64Array(AHEAD)
  /** (mm/s)², of the speed at which it begins in the plan. */
  readonly #entry = new Float64Array(AHEAD + 1)
  /** mm/s². */
  readonly #acceleration = new Float64Array(AHEAD)
  readonly #layer = new Uint32Array(AHEAD)
  readonly #object = new Float64Array(AHEAD)
  /** What moves up when the first moves are final. */
  readonly #rows = [this.#length, this.#cruise, this.#safe, this.#corner, this.#acceleration, this.#layer, this.#object]

  #count = 0
  /** (mm/s)², of the speed at which the plan goes on from moves that are final. */
  #begin = 0
  /** By axis, of the move before: parts of its direction. */
  #before = new Float64Array(AXES)
  #direction = new Float64Array(AXES)
  #speedBefore = 0
  #safeBefore = 0
  #print: number
  #travel: number
  readonly #retract: number
  // Copies in typed arrays, which are faster to read for each of millions of moves.
  readonly #jerk: Float64Array
  readonly #mostSpeed: Float64Array
  readonly #mostAcceleration: Float64Array

  constructor (limits: AxisLimits, timed: Timed) {
    this.#limits = limits
    this.#timed = timed
    const axes = Math.min(limits.acceleration[0], limits.acceleration[1])
    this.#print = orElse(limits.moves?.extruding, axes)
    this.#travel = orElse(limits.moves?.travel, axes)
    this.#retract = orElse(limits.moves?.retracting, limits.acceleration[3])
    this.#jerk = Float64Array.from(limits.jerk)
    this.#mostSpeed = Float64Array.from(limits.speed)
    this.#mostAcceleration = Float64Array.from(limits.acceleration)
  }

  /** mm/s²; undefined leaves one as it was. */
  accelerate (print: number | undefined, travel: number | undefined): void {
    const { extruding, travel: most } = this.#limits.moves ?? {}
    if (print !== undefined && print > 0) this.#print = Math.min(print, orElse(extruding, Infinity))
    if (travel !== undefined && travel > 0) this.#travel = Math.min(travel, orElse(most, Infinity))
  }

  /** mm/s by axis, never more than the printer's own. */
  setJerk (...values: readonly (number | undefined)[]): void {
    for (let axis = 0; axis < AXES; axis++) {
      const value = values[axis]
      if (value !== undefined && value > 0) this.#jerk[axis] = Math.min(value, this.#limits.jerk[axis]!)
    }
  }

  /** @param object that the time is counted for; 0 for none */
  move (move: Move, object = move.object): void {
    const length = move.length > 0 ? move.length : Math.abs(move.extruded)
    if (!(length > 0) || !(move.speed > 0)) return
    if (this.#count === AHEAD) this.#settle(FINAL)
    const at = this.#count++
    this.#setDirection(move, length)
    const cruise = capped(move.speed, this.#direction, this.#mostSpeed)
    this.#length[at] = length
    this.#cruise[at] = cruise
    this.#acceleration[at] = capped(this.#accelerationOf(move), this.#direction, this.#mostAcceleration)
    const safe = capped(cruise, this.#direction, this.#jerk) // what each axis may take on or give up at once
    this.#safe[at] = safe
    this.#corner[at] = this.#cornerSpeed(cruise, safe)
    this.#layer[at] = move.layer
    this.#object[at] = object
    const direction = this.#direction
    this.#direction = this.#before
    this.#before = direction
    this.#speedBefore = cruise
    this.#safeBefore = safe
  }

  /** The printer stands still. */
  wait (seconds: number, layer: number): void {
    this.finish()
    if (seconds > 0) this.#timed(seconds, layer, 0)
  }

  /** The printer stops at the end of the last move. */
  finish (): void {
    this.#settle(this.#count)
    this.#speedBefore = this.#begin = 0
    this.#before.fill(0)
  }

  #accelerationOf ({ length, extruded }: Move): number {
    if (length === 0) return this.#retract
    return extruded === 0 ? this.#travel : this.#print
  }

  #setDirection ({ fromX, fromY, fromZ, toX, toY, toZ, extruded, arc }: Move, length: number): void {
    const direction = this.#direction
    const flat = arc === undefined ? 0 : Math.hypot(toX - fromX, toY - fromY)
    // An arc goes as fast along its path as a straight move; its axes share that speed as its ends lie.
    const stretch = arc === undefined || flat === 0 ? 1 : arc.radius * Math.abs(arc.sweep) / flat
    direction[0] = (toX - fromX) * stretch / length
    direction[1] = (toY - fromY) * stretch / length
    direction[2] = (toZ - fromZ) / length
    direction[3] = extruded / length
  }

  /** The greatest speed at which no axis jumps by more than its jerk where two moves meet. */
  #cornerSpeed (cruise: number, safe: number): number {
    const before = this.#speedBefore
    if (!(before > 0)) return safe
    let factor = 1
    for (let axis = 0; axis < AXES; axis++) {
      const leave = this.#before[axis]! * Math.min(before, cruise) * factor
      const enter = this.#direction[axis]! * cruise * factor
      const jump = jumpOf(leave, enter)
      const most = this.#jerk[axis]!
      if (jump > most) factor *= most / jump
    }
    const speed = Math.min(before, cruise) * factor
    // Where both could stop and start at nearly that speed, the firmware does just that.
    return Math.min(this.#safeBefore, safe) > speed * 0.99 ? safe : speed
  }

  /** Plans what is known, stopping at its end, and gives the times of the first moves. */
  #settle (moves: number): void {
    const count = this.#count
    const entry = this.#entry
    entry[count] = count > 0 ? this.#safe[count - 1]! ** 2 : 0
    for (let at = count - 1; at >= 0; at--) {
      const corner = this.#corner[at]!
      entry[at] = Math.min(corner * corner, entry[at + 1]! + this.#gain(at))
    }
    if (this.#begin > 0 && count > 0) entry[0] = Math.min(entry[0]!, this.#begin)
    let layer = 0
    let object = 0
    let seconds = 0
    for (let at = 0; at < moves; at++) {
      entry[at + 1] = Math.min(entry[at + 1]!, entry[at]! + this.#gain(at))
      if (this.#layer[at] !== layer || this.#object[at] !== object) {
        if (seconds > 0) this.#timed(seconds, layer, object)
        layer = this.#layer[at]!
        object = this.#object[at]!
        seconds = 0
      }
      seconds += this.#seconds(at)
    }
    if (seconds > 0) this.#timed(seconds, layer, object)
    this.#begin = moves < count ? entry[moves]! : 0
    for (const row of this.#rows) row.copyWithin(0, moves, count)
    this.#count = count - moves
  }

  /** (mm/s)², by how much the square of the speed may change on the way. */
  #gain (at: number): number { return 2 * this.#acceleration[at]! * this.#length[at]! }

  /** Of a move between its speeds in the plan: it may never reach its own. */
  #seconds (at: number): number {
    const length = this.#length[at]!
    const cruise = this.#cruise[at]!
    const acceleration = this.#acceleration[at]!
    const ends = this.#entry[at]! + this.#entry[at + 1]!
    const most = ends / 2 + acceleration * length
    const reached = cruise * cruise < most ? cruise : Math.sqrt(most)
    const changing = (2 * reached * reached - ends) / (2 * acceleration)
    const speeds = Math.sqrt(this.#entry[at]!) + Math.sqrt(this.#entry[at + 1]!)
    return (2 * reached - speeds) / acceleration + Math.max(0, length - changing) / reached
  }
}

const orElse = (value: number | undefined, other: number): number => value !== undefined && value > 0 ? value : other

/** The greatest value at which no axis has more than its own share allows; written out, as it runs for each move. */
function capped (value: number, direction: Float64Array, most: Float64Array): number {
  let least = value
  const x = Math.abs(direction[0]!)
  const y = Math.abs(direction[1]!)
  const z = Math.abs(direction[2]!)
  const e = Math.abs(direction[3]!)
  if (x * least > most[0]!) least = most[0]! / x
  if (y * least > most[1]!) least = most[1]! / y
  if (z * least > most[2]!) least = most[2]! / z
  if (e * least > most[3]!) least = most[3]! / e
  return least
}

/** How much the speed of an axis changes at once; one that turns round comes to rest in between. */
const jumpOf = (leave: number, enter: number): number =>
  leave * enter < 0 ? Math.max(Math.abs(leave), Math.abs(enter)) : Math.abs(enter - leave)
