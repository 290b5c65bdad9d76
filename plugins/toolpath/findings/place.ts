import type { ModelInfo } from '../../../core/index.js'
import type { Declared } from '../read/declared.js'
import { FEATURES, type Feature } from '../read/features.data.js'
import type { Move } from '../read/moves.js'
import { arcExtremes } from '../read/arc.js'
import { areaOf, beyond, depthInside, isSameModel, type Area, type Box } from './area.js'
import { count, finding, newMark, rounded, type Mark } from './finding.js'
import type { Finding, FindingCode, Weight } from './types.js'

/** Of the part itself and its supports. Start and end code, purging and wiping go beyond the bed on purpose. */
const NO_PART: readonly Feature[] = ['none', 'custom', 'prime_tower', 'skirt', 'brim']
/** Around it: a brim that hangs over is ugly, not dangerous, so it is only noted. */
const AROUND: readonly Feature[] = ['skirt', 'brim', 'prime_tower']
// By place in `FEATURES`.
const IS_PART = FEATURES.map(feature => !NO_PART.includes(feature))
const IS_AROUND = FEATURES.map(feature => AROUND.includes(feature))

export const isOfPart = (feature: number): boolean => IS_PART[feature]!

/** mm: slicers round, fit arcs, and let the seam of a part that touches the edge of the bed stick out by a hair. */
const TOLERANCE = 0.5
/** A wipe or a purge goes at most that far beyond the bed; for files that do not say what a move builds. mm. */
const FAR = 60

/** Judges where a file extrudes. */
export class Place {
  readonly #area: Area
  readonly #nozzles: readonly number[]
  readonly #isNozzleCertain: boolean
  readonly #outside = newMark()
  readonly #around = newMark()
  readonly #far = newMark()
  readonly #high = newMark()
  readonly #excluded = newMark()
  readonly #strip = newMark()
  #hasFeatures = false

  /** @param nozzles by tool, from the plate's own record; else what the file says for the whole project serves */
  constructor (model: ModelInfo, declared: Declared, nozzles: readonly number[] | undefined) {
    this.#area = areaOf(model, declared)
    this.#nozzles = nozzles ?? declared.nozzles
    // Areas by nozzle are the printer's own only if the file was sliced for it.
    this.#isNozzleCertain = nozzles !== undefined && isSameModel(model, declared)
  }

  /** Takes a move that extrudes on its way. */
  move (move: Move): void {
    const { feature } = move
    if (feature === 0) return this.#moveOfNothing(move)
    this.#hasFeatures = true
    if (IS_PART[feature]!) this.#moveOfPart(move)
    else if (IS_AROUND[feature]!) this.#judge(this.#around, this.#area.printable, move, TOLERANCE)
  }

  #moveOfPart (move: Move): void {
    const { printable, height, excluded, byNozzle } = this.#area
    this.#judge(this.#outside, printable, move, TOLERANCE)
    if (move.toZ > height + TOLERANCE) this.#mark(this.#high, move.toZ - height, move, move.toX, move.toY)
    for (const box of excluded) this.#judgeExcluded(box, move)
    const reach = byNozzle.length > 0 ? byNozzle[this.#nozzles[move.tool] ?? -1] : undefined
    if (reach === undefined) return
    this.#judge(this.#strip, reach, move, TOLERANCE)
    if (move.toZ > reach.height + TOLERANCE) this.#mark(this.#strip, move.toZ - reach.height, move, move.toX, move.toY)
  }

  /** Some slicers never say what a move builds: only what no wipe and no purge would do is certain then. */
  #moveOfNothing (move: Move): void {
    if (!this.#hasFeatures) this.#judge(this.#far, this.#area.printable, move, FAR)
  }

  #judge (mark: Mark, box: Box, move: Move, tolerance: number): void {
    const { fromX, fromY, toX, toY, arc } = move
    const from = beyond(box, fromX, fromY)
    const to = beyond(box, toX, toY)
    if (from > tolerance || to > tolerance) {
      return from > to ? this.#mark(mark, from, move, fromX, fromY) : this.#mark(mark, to, move, toX, toY)
    }
    if (arc === undefined || beyond(box, arc.x, arc.y) < tolerance - arc.radius) return
    for (const [x, y] of arcExtremes(arc)) {
      const far = beyond(box, x, y)
      if (far > tolerance) return this.#mark(mark, far, move, x, y)
    }
  }

  #judgeExcluded (box: Box, move: Move): void {
    const { fromX, fromY, toX, toY } = move
    if (Math.max(fromX, toX) < box.minX || Math.min(fromX, toX) > box.maxX ||
      Math.max(fromY, toY) < box.minY || Math.min(fromY, toY) > box.maxY) return
    const depth = depthInside(box, fromX, fromY, toX, toY)
    if (depth > TOLERANCE) this.#mark(this.#excluded, depth, move, toX, toY)
  }

  #mark (mark: Mark, millimetres: number, move: Move, x: number, y: number): void {
    if (!count(mark, millimetres, move.line, move.layer)) return
    mark.x = x
    mark.y = y
    mark.z = move.toZ
  }

  /** What the rest of the file cannot change. */
  get sure (): readonly Finding[] { return this.#hasFeatures ? this.end() : [] }

  end (): readonly Finding[] {
    const { printable, height } = this.#area
    const again = 'Slice it again for this printer'
    const side = ({ x, y }: Mark) => sideOf(printable, x, y)
    const place = (mark: Mark) => Object.values(side(mark)).join(' ')
    return [
      ...found('outside_area', 'stop', this.#outside, mark =>
        `extrudes at ${place(mark)}, ${rounded(mark.value)} mm beyond the printable area`, `${again}.`, side),
      ...found('outside_area', 'note', this.#around, mark =>
        `a skirt, brim or prime tower is at ${place(mark)}, ${rounded(mark.value)} mm beyond the printable area`,
      'Move it in the slicer, or print without it.', mark => ({ ...side(mark), case: 'around' })),
      ...this.#hasFeatures
        ? []
        : found('outside_area', 'stop', this.#far, mark =>
          `extrudes at ${place(mark)}, ${rounded(mark.value)} mm beyond the printable area`, `${again}.`, side),
      ...found('too_high', 'stop', this.#high, mark =>
        `extrudes at a height of ${rounded(mark.z)} mm, ${rounded(mark.value)} mm above the limit of ${rounded(height)} mm`,
      `Make the part lower, then ${again.toLowerCase()}.`,
      mark => ({ height: rounded(mark.z), limit_height: rounded(height) })),
      ...found('excluded_area', 'stop', this.#excluded, mark =>
        `extrudes ${rounded(mark.value)} mm inside an area that the printer needs free, up to X ${rounded(mark.x)} Y ${rounded(mark.y)}`,
      'Move the part away from that corner and slice it again.', mark => ({ x: rounded(mark.x), y: rounded(mark.y) })),
      ...found('other_nozzle_area', this.#isNozzleCertain ? 'stop' : 'note', this.#strip, mark =>
        `extrudes at ${place(mark)}, ${rounded(mark.value)} mm beyond the reach of the nozzle that has this filament`,
      'Move the part, or give its filament to the other nozzle, and slice it again.', side)
    ]
  }
}

function found (
  code: FindingCode, weight: Weight, mark: Mark, message: (mark: Mark) => string, remedy: string,
  more: (mark: Mark) => Finding['figures']
): readonly Finding[] {
  if (mark.times === 0) return []
  const figures = { millimetres: rounded(mark.value), most_millimetres: rounded(mark.worst), ...more(mark) }
  return [finding(code, weight, mark, { message: message(mark), remedy, figures })]
}

/** The coordinate that is wrong. */
function sideOf ({ minX, maxX }: Box, x: number, y: number): { readonly axis: string, readonly coordinate: number } {
  return x < minX || x > maxX ? { axis: 'X', coordinate: rounded(x) } : { axis: 'Y', coordinate: rounded(y) }
}
