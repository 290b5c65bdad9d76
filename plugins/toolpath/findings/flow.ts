import type { Declared } from '../read/declared.js'
import type { Move } from '../read/moves.js'
import { finding, newMark, rounded, type Mark } from './finding.js'
import type { Finding } from './types.js'
import { USUAL } from './whole.js'

/** Slicers round speeds and widths; a limit is passed by more than that on purpose or by mistake. */
const TOLERANCE = 1.25
/** Seconds in one layer: a nozzle makes up for less by its pressure. */
const LONGEST_SECONDS = 5

/** Judges how much filament the file wants melted at once. */
export class Flow {
  readonly #declared: Declared
  readonly #mark = newMark()
  #layer = -1
  #seconds = 0
  #tool = 0
  /** Of this layer: taken over into the finding once it has lasted long enough. */
  readonly #candidate: Mark = newMark()

  constructor (declared: Declared) { this.#declared = declared }

  /** Takes a move of the part. */
  move (move: Move): void {
    const { tool, extruded, length, speed, layer } = move
    const limit = this.#declared.flows[tool]
    if (limit === undefined || !(limit > 0)) return
    const diameter = this.#declared.diameters[tool] ?? USUAL.diameter
    const flow = extruded / length * speed * Math.PI * diameter * diameter / 4
    if (!(flow > limit * TOLERANCE)) return
    if (layer !== this.#layer) this.#begin(move, flow)
    this.#seconds += length / speed
    if (this.#seconds > LONGEST_SECONDS) this.#add(flow, tool)
  }

  #begin ({ layer, line, toX, toY, toZ }: Move, flow: number): void {
    this.#layer = layer
    this.#seconds = 0
    Object.assign(this.#candidate, { line, layer, x: toX, y: toY, z: toZ, value: flow })
  }

  #add (flow: number, tool: number): void {
    if (this.#mark.times === 0) {
      const { line, layer, x, y, z, value } = this.#candidate
      Object.assign(this.#mark, { line, layer, x, y, z, value })
      this.#tool = tool
    }
    this.#mark.times++
    this.#mark.worst = Math.max(this.#mark.worst, flow)
  }

  end (): readonly Finding[] {
    const { times, value, worst } = this.#mark
    if (times === 0) return []
    const limit = this.#declared.flows[this.#tool]!
    return [finding('flow_too_high', 'warn', this.#mark, {
      message: `wants ${rounded(value)} mm³ of filament melted in a second; its limit is ${rounded(limit)} mm³/s`,
      remedy: 'Slice it again with a lower speed, or raise the limit in the filament\'s settings if it is wrong.',
      figures: { flow: rounded(value), most_flow: rounded(worst), limit_flow: rounded(limit) }
    })]
  }
}
