import { createHash, type Hash } from 'node:crypto'
import { Clock, type AxisLimits } from './clock.js'
import type { Finder, Finding } from './findings/types.js'
import { FilamentChanges } from './filament-changes.js'
import { Layers } from './layers.js'
import { ObjectUse } from './object-use.js'
import { PlateFacts } from './plate-facts.js'
import { declaredOf, type Get } from './read/declared.js'
import { Machine } from './read/machine.js'
import type { Heater, Move, Orders } from './read/moves.js'
import { Scanner } from './read/scanner.js'
import { Settings } from './read/settings.js'
import { slicerIn } from './read/slicer-name.js'
import type { Reading } from './reading.js'
import { TrackEncoder } from './track/track-encoder.js'

/** What the vendor's slicer says of its fastest printers, for files that do not name the limits of theirs. */
export const ASSUMED_LIMITS: AxisLimits = {
  speed: [500, 500, 20, 30],
  acceleration: [20_000, 20_000, 500, 5_000],
  jerk: [9, 9, 3, 2.5]
}

/** Slicers give their name there. */
const HEADER_LINES = 100

export interface PassOptions {
  /** @param get settings of the file, as far as they were read */
  readonly finder: (get: Get) => Finder
  readonly writeTrack: (bytes: Uint8Array) => void
  readonly mostTrackBytes: number
  /** Settings from elsewhere, for those that the text has not stated: from its end, or from its archive. */
  readonly others?: Get | undefined
  /** Checksum of the text as its archive states it. */
  readonly md5?: string | undefined
}

/** Reads a file once, in pieces of any size, and collects everything that is said of it. */
export class Pass implements Orders {
  readonly #options: PassOptions
  readonly #settings = new Settings()
  readonly #get: Get = key => this.#settings.get(key) ?? this.#options.others?.(key)
  readonly #layers = new Layers()
  readonly #facts = new PlateFacts()
  readonly #objects = new ObjectUse()
  readonly #finder: Finder
  readonly #track: TrackEncoder
  readonly #scanner: Scanner
  /** Nothing to compare it with is no reason to compute it. */
  readonly #hash: Hash | undefined
  #clock: Clock | undefined
  #changes: FilamentChanges | undefined
  #slicer: string | undefined
  #limits: Reading['limits'] = 'assumed'
  #layer = 0

  constructor (options: PassOptions) {
    this.#options = options
    if (options.md5 !== undefined) this.#hash = createHash('md5')
    this.#finder = options.finder(this.#get)
    this.#track = new TrackEncoder(options.writeTrack, options.mostTrackBytes)
    const machine = new Machine(this)
    const settings = this.#settings
    this.#scanner = new Scanner({
      command: (command, line) => machine.command(command, line),
      tooLong: line => machine.tooLong(line),
      unreadable: line => machine.unreadable(line),
      unknown: line => machine.unknown(line),
      comment: (bytes, start, end, line) => {
        if (line <= HEADER_LINES) this.#slicer ??= slicerIn(bytes.subarray(start, end))
        settings.comment(bytes, start, end)
        machine.comment(bytes, start, end, line)
      }
    })
  }

  /** Findings that stop a print whatever the rest of the file says. */
  get sure (): readonly Finding[] { return this.#finder.sure }

  write (bytes: Uint8Array): void {
    this.#hash?.update(bytes)
    this.#scanner.write(bytes)
  }

  /** @param isCutOff the file ended before its archive or its listing says so */
  end (isCutOff: boolean): Reading {
    this.#scanner.end()
    this.#clock?.finish()
    this.#track.end()
    const { md5: stated } = this.#options
    const computed = this.#hash?.digest('hex')
    const declared = declaredOf(this.#get)
    const plate = {
      declared: this.#slicer === undefined ? declared : { ...declared, slicer: this.#slicer },
      layers: this.#layers.all,
      lines: this.#scanner.line,
      isCutOff,
      ...(stated !== undefined && computed !== undefined && { md5: { stated, computed } })
    }
    const { bytes, starts, isWhole } = this.#track
    return {
      plate,
      facts: this.#facts.all,
      objects: this.#objects.all,
      findings: this.#finder.end(plate),
      limits: this.#limits,
      seconds: plate.layers.reduce((sum, { seconds }) => sum + seconds, 0),
      track: { bytes, starts, isWhole }
    }
  }

  move (move: Move): void {
    this.#finder.move(move)
    this.#layers.move(move)
    this.#facts.move(move)
    this.#time.move(move, this.#objects.move(move))
    this.#track.move(move)
  }

  layer (layer: number, z: number | undefined, line: number): void {
    if (this.#layers.begin(layer, z, line)) {
      this.#track.begin(layer)
      this.#layer = layer
    }
    this.#finder.layer(layer, z, line)
  }

  heat (heater: Heater, celsius: number, tool: number | undefined, waits: boolean, line: number): void {
    this.#facts.heat(heater, celsius)
    if (heater === 'nozzle') this.#track.heat(celsius, tool)
    this.#finder.heat(heater, celsius, tool, waits, line)
  }

  tool (tool: number, line: number): void {
    const clock = this.#time
    clock.wait(this.#changes?.to(tool) ?? 0, this.#layer)
    this.#finder.tool(tool, line)
  }

  home (axes: { readonly x: boolean, readonly y: boolean, readonly z: boolean }, line: number): void {
    this.#finder.home(axes, line)
  }

  dwell (seconds: number, line: number): void {
    this.#time.wait(seconds, this.#layer)
    this.#finder.dwell(seconds, line)
  }

  acceleration (print: number | undefined, travel: number | undefined, line: number): void {
    this.#time.accelerate(print, travel)
    this.#finder.acceleration(print, travel, line)
  }

  jerk (...[x, y, z, e, line]: Parameters<Orders['jerk']>): void {
    this.#time.setJerk(x, y, z, e)
    this.#finder.jerk(x, y, z, e, line)
  }

  progress (percent: number, minutesLeft: number, line: number): void {
    this.#finder.progress(percent, minutesLeft, line)
  }

  change (isBegin: boolean, tool: number | undefined, line: number): void {
    this.#layers.change(isBegin)
    this.#facts.change(isBegin, tool)
    this.#objects.change(isBegin)
    this.#track.change(isBegin)
    this.#finder.change(isBegin, tool, line)
  }

  other (letter: string, code: number, line: number): void { this.#finder.other(letter, code, line) }

  tooLong (line: number): void { this.#finder.tooLong(line) }

  unreadable (line: number): void { this.#finder.unreadable(line) }

  unknown (line: number): void { this.#finder.unknown(line) }

  /** It begins with the first move: slicers that state the limits at the beginning have done so by then. */
  get #time (): Clock {
    this.#clock ??= this.#startClock()
    return this.#clock
  }

  #startClock (): Clock {
    const declared = declaredOf(this.#get)
    const { limits } = declared
    if (limits !== undefined) this.#limits = 'file'
    this.#changes = new FilamentChanges(declared)
    this.#layers.time(declared.prepareSeconds, 0)
    return new Clock(limits ?? ASSUMED_LIMITS, (seconds, layer, object) => {
      this.#layers.time(seconds, layer)
      this.#objects.time(seconds, layer, object)
    })
  }
}
