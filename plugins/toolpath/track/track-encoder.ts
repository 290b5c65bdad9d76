import type { Arc } from '../read/arc.js'
import type { Move } from '../read/moves.js'

/**
 * A track is what a print does, move by move, little-endian. It begins with a header of 8 bytes: `PRTP`, the version
 * (2) as a byte, and three bytes 0. Chunks follow, each of one layer, one object and one target of the nozzle; each
 * begins at a multiple of 4:
 *
 * | Type | Member |
 * |---|---|
 * | uint32 | layer, from 1; 0 before the first |
 * | uint32 | number n of segments |
 * | uint32 | object, as the slicer numbers it; 0 for none |
 * | uint32 | line of the first segment in the file |
 * | float32 × 3 | where the first segment begins: x, y, z in mm |
 * | float32 | target of the nozzle, °C; 0 if it is off or not known |
 * | float32 × n, four times | where each segment ends: x, y, z in mm; mm of filament, negative for a retraction |
 * | uint16 × n | speed, 0.1 mm/s |
 * | uint8 × n, three times | feature as its place in `FEATURES`; tool from 0; flags |
 * | uint8 | 0, up to a multiple of 4 |
 *
 * Flags: 1 wipe, 2 the printer may skip it, 4 part of an arc, 8 while the filament is changed. Arcs are divided into
 * straight segments.
 */
export const TRACK_HEADER = Uint8Array.of(80, 82, 84, 80, 2, 0, 0, 0)

const CHUNK_HEADER_BYTES = 32
const MOST_SEGMENTS = 4_096
const SEGMENT_BYTES = 4 * 4 + 2 + 3
/** mm, between an arc and its segments. */
const DEVIATION = 0.05
const MOST_SEGMENTS_OF_ARC = 256
const SPEED_STEPS = 10
const MOST_SPEED = 65_535

const FLAGS = { wipe: 1, skippable: 2, arc: 4, change: 8 } as const

/** Into how many straight segments an arc is divided. */
const segmentsOf = ({ radius, sweep }: Arc): number => {
  const step = radius > DEVIATION ? 2 * Math.acos(1 - DEVIATION / radius) : Math.PI / 2
  return Math.min(MOST_SEGMENTS_OF_ARC, Math.max(1, Math.ceil(Math.abs(sweep) / step)))
}

/** What a file asks of the nozzles, °C. */
class NozzleTargets {
  /** By tool, as the file names them. */
  readonly #named = new Map<number, number>()
  #latest = 0

  /** @param tool undefined: the file names none, and it may be any of them */
  set (celsius: number, tool: number | undefined): void {
    if (tool === undefined) this.#named.clear()
    else this.#named.set(tool, celsius)
    this.#latest = celsius
  }

  /** The target for moves of a tool; 0 if its nozzle is off, or nothing was asked. */
  of (tool: number): number { return this.#named.get(tool) ?? this.#latest }
}

/** Writes the track of moves as they come. */
export class TrackEncoder {
  readonly #write: (bytes: Uint8Array) => void
  readonly #mostBytes: number
  readonly #x = new Float32Array(MOST_SEGMENTS)
  readonly #y = new Float32Array(MOST_SEGMENTS)
  readonly #z = new Float32Array(MOST_SEGMENTS)
  readonly #extruded = new Float32Array(MOST_SEGMENTS)
  readonly #speed = new Uint16Array(MOST_SEGMENTS)
  readonly #feature = new Uint8Array(MOST_SEGMENTS)
  readonly #tool = new Uint8Array(MOST_SEGMENTS)
  readonly #flags = new Uint8Array(MOST_SEGMENTS)
  readonly #start = new Float32Array(3)
  /** Where the chunk before ended. */
  readonly #end = new Float32Array(3)
  #count = 0
  #layer = 0
  #object = 0
  readonly #targets = new NozzleTargets()
  /** Of the moves that come, and for which tool it was looked up; -1 before it is. */
  #celsius = 0
  #heatedTool = -1
  #line = 0
  #isChanging = false
  /** Of all layers that have begun: where their chunks begin. */
  readonly #starts: number[] = [TRACK_HEADER.length]
  #bytes = 0
  #isWhole = true

  /** @param mostBytes a track ends where it would be longer */
  constructor (write: (bytes: Uint8Array) => void, mostBytes: number) {
    this.#write = write
    this.#mostBytes = mostBytes
    this.#put(TRACK_HEADER)
  }

  get bytes (): number { return this.#bytes }
  /** False if it ended before the print because it would have been too long. */
  get isWhole (): boolean { return this.#isWhole }
  /** By layer: where its chunks begin. */
  get starts (): readonly number[] { return this.#starts }

  change (isBegin: boolean): void { this.#isChanging = isBegin }

  /** @param tool as the file names it; undefined for the nozzle in use */
  heat (celsius: number, tool: number | undefined): void {
    this.#targets.set(celsius, tool)
    this.#heatedTool = -1
  }

  /** @param layer of the moves from here */
  begin (layer: number): void {
    this.#flush()
    while (this.#starts.length <= layer) this.#starts.push(this.#bytes)
    this.#layer = layer
  }

  move (move: Move): void {
    if (move.object !== this.#object) {
      this.#flush()
      this.#object = move.object
    }
    if (move.tool !== this.#heatedTool) this.#lookUp(move.tool)
    if (this.#count === 0) {
      this.#start.set([move.fromX, move.fromY, move.fromZ])
      this.#line = move.line
    }
    const { arc } = move
    if (arc === undefined) return this.#segment(move, move.toX, move.toY, move.toZ, move.extruded)
    const count = segmentsOf(arc)
    for (let at = 1; at < count; at++) {
      const angle = arc.start + arc.sweep * at / count
      const z = move.fromZ + (move.toZ - move.fromZ) * at / count
      const [x, y] = [arc.x + arc.radius * Math.cos(angle), arc.y + arc.radius * Math.sin(angle)]
      this.#segment(move, x, y, z, move.extruded / count)
    }
    this.#segment(move, move.toX, move.toY, move.toZ, move.extruded / count)
  }

  end (): void { this.#flush() }

  #lookUp (tool: number): void {
    this.#heatedTool = tool
    const celsius = this.#targets.of(tool)
    if (celsius === this.#celsius) return
    this.#flush()
    this.#celsius = celsius
  }

  #segment (move: Move, x: number, y: number, z: number, extruded: number): void {
    if (this.#count === MOST_SEGMENTS) {
      this.#flush()
      this.#start.set(this.#end) // within an arc, that is not where the move began
      this.#line = move.line
    }
    const at = this.#count++
    this.#x[at] = x
    this.#y[at] = y
    this.#z[at] = z
    this.#extruded[at] = extruded
    this.#speed[at] = Math.min(MOST_SPEED, Math.round(move.speed * SPEED_STEPS))
    this.#feature[at] = move.feature
    this.#tool[at] = move.tool
    this.#flags[at] = (move.isWipe ? FLAGS.wipe : 0) | (move.isSkippable ? FLAGS.skippable : 0) |
      (move.arc === undefined ? 0 : FLAGS.arc) | (this.#isChanging ? FLAGS.change : 0)
  }

  #flush (): void {
    const count = this.#count
    if (count === 0) return
    this.#end.set([this.#x[count - 1]!, this.#y[count - 1]!, this.#z[count - 1]!])
    this.#count = 0
    const size = CHUNK_HEADER_BYTES + Math.ceil(count * SEGMENT_BYTES / 4) * 4
    if (this.#bytes + size > this.#mostBytes) this.#isWhole = false
    if (this.#isWhole) this.#put(this.#chunk(count, size))
  }

  #chunk (count: number, size: number): Uint8Array {
    const bytes = new Uint8Array(size)
    new Uint32Array(bytes.buffer, 0, 4).set([this.#layer, count, this.#object, this.#line])
    new Float32Array(bytes.buffer, 16, 4).set([...this.#start, this.#celsius])
    let at = CHUNK_HEADER_BYTES
    const rows = [this.#x, this.#y, this.#z, this.#extruded, this.#speed, this.#feature, this.#tool, this.#flags]
    for (const row of rows) {
      bytes.set(new Uint8Array(row.buffer, 0, count * row.BYTES_PER_ELEMENT), at)
      at += count * row.BYTES_PER_ELEMENT
    }
    return bytes
  }

  #put (bytes: Uint8Array): void {
    this.#bytes += bytes.length
    this.#write(bytes)
  }
}
