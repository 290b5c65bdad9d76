import type { Declared } from '../read/declared.js'
import type { Move } from '../read/moves.js'
import { count, finding, newMark } from './finding.js'
import type { Finding } from './types.js'

/** Settings that stay after the print: steps, offsets, saved values, factory values, control of heaters. */
const LASTING = new Set([92, 206, 301, 304, 500, 502, 665, 666, 851])
/** Motor currents, which slicers for other printers set around filament changes. */
const CURRENTS = new Set([906, 907, 908])
/** All AMS units and external spools together feed no more. */
const MOST_FILAMENTS = 24

/** Judges what comes before what: homing, filaments, settings in the middle of a print. */
export class Sequence {
  #isHomed = false
  #hasBegun = false
  #layer = 0
  readonly #notHomed = newMark()
  readonly #settings = newMark()
  readonly #currents = newMark()
  /** Of a command that may still turn out to belong to the end code; 0 for none. */
  #pendingLine = 0
  #pendingCode = 0
  #pendingLayer = 0
  /** Where each tool comes first. */
  readonly #tools = new Map<number, { readonly line: number, readonly layer: number }>()

  layer (layer: number): void { this.#layer = layer }

  home (): void { this.#isHomed = true }

  tool (tool: number, line: number): void {
    if (!this.#tools.has(tool)) this.#tools.set(tool, { line, layer: this.#layer })
  }

  /** A command without another meaning, outside of a filament change. */
  other (letter: string, code: number, line: number): void {
    if (letter !== 'M' || !this.#hasBegun || this.#pendingLine > 0) return
    if (!LASTING.has(code) && !CURRENTS.has(code)) return
    this.#pendingLine = line
    this.#pendingCode = code
    this.#pendingLayer = this.#layer
  }

  /** Takes a move that extrudes on its way, whatever it builds. */
  extrude ({ line, layer, toX, toY, toZ }: Move): void {
    if (this.#isHomed || !count(this.#notHomed, 0, line, layer)) return
    Object.assign(this.#notHomed, { x: toX, y: toY, z: toZ })
  }

  /** Takes a move of the part: what came before it was not the end code. */
  part (): void {
    this.#hasBegun = true
    if (this.#pendingLine === 0) return
    const mark = LASTING.has(this.#pendingCode) ? this.#settings : this.#currents
    count(mark, this.#pendingCode, this.#pendingLine, this.#pendingLayer)
    this.#pendingLine = 0
  }

  end (declared: Declared): readonly Finding[] {
    return [...this.homing, ...this.#lasting(), ...this.#unknownTools(declared.types.length)]
  }

  /** What the rest of the file cannot change. */
  get homing (): readonly Finding[] {
    if (this.#notHomed.times === 0) return []
    return [finding('not_homed', 'stop', this.#notHomed, {
      message: 'extrudes though the file has not homed the axes before, so the printer does not know where its nozzle is',
      remedy: 'Slice it again with the start code of this printer.'
    })]
  }

  #lasting (): readonly Finding[] {
    const findings: Finding[] = []
    if (this.#settings.times > 0) {
      findings.push(finding('settings_changed', 'warn', this.#settings, {
        message: `M${this.#settings.value} changes settings of the printer for good, in the middle of the print`,
        remedy: 'Remove the command from the slicer\'s custom G-code.',
        figures: { code: this.#settings.value }
      }))
    }
    if (this.#currents.times > 0) {
      findings.push(finding('settings_changed', 'note', this.#currents, {
        message: `M${this.#currents.value} changes the current of motors in the middle of the print`,
        remedy: 'Check that the file was sliced for this printer.',
        figures: { code: this.#currents.value, case: 'motors' }
      }))
    }
    return findings
  }

  #unknownTools (filaments: number): readonly Finding[] {
    const most = filaments > 0 ? filaments : MOST_FILAMENTS
    return [...this.#tools].filter(([tool]) => tool >= most).map(([tool, where]) =>
      finding('no_such_tool', 'stop', where, {
        message: filaments > 0
          ? `changes to filament ${tool + 1}, but the file was sliced for ${filaments}`
          : `changes to filament ${tool + 1}; no printer here takes that many`,
        remedy: 'Slice it again with the filaments that the printer has.',
        figures: { filament: tool + 1, filaments: most, ...filaments === 0 && { case: 'too_many' } }
      }))
  }
}
