import type { AnalysedFrame, Look } from './analysis-state.js'
import { mostAround, type CellMap } from './cell-grid.js'
import { meanAround, type CellTexture } from './cell-texture.js'
import type { Counterpart } from './frame-registration.js'
import type { PlateView } from './plate-view.js'
import { TANGLE_TREES } from './trees.data.js'
import { chanceOf } from './trees.js'

/** What is measured of a cell, in the order in which the trees know it. */
export const FEATURES = [
  'tangle', 'density', 'disorder', 'contrast', 'spread', 'tangleAround', 'densityAround', 'disorderAround', 'newness',
  'tangleThenLeast', 'tangleThenMost', 'densityThen', 'rest1', 'rest2', 'rest3', 'tangle1', 'tangle2', 'tangle3',
  'tangleAround1', 'tangleAround2', 'tangleAround3', 'hidden1', 'hidden2', 'hiddenAround', 'inside', 'sheet', 'ordinary',
  'overOrdinary', 'travels', 'headKnown', 'trees', 'earlier', 'newAround', 'stayed', 'stayed2', 'edgeAround'
] as const

/** Likeness at which the search for a better place ends. */
const ENOUGH = 0.9
const LOOKS = 3
const UNKNOWN = -1

export interface EarlierLook { readonly look: Look, readonly then: Counterpart }
export interface EarlierBaseline { readonly view: AnalysedFrame, readonly then: Counterpart }

export interface FeatureInput {
  /** Cells that do not look tangled at all are not measured. */
  readonly tangle: CellMap
  readonly texture: CellTexture
  readonly hidden: Uint8Array
  readonly plate: PlateView
  /** Best known state of the plate, the best first. */
  readonly baselines: readonly EarlierBaseline[]
  /** The last frames, the newest first. */
  readonly looks: readonly EarlierLook[]
  readonly ordinary: number
  /** What is suspicious although there is no baseline of before any more. */
  readonly held: CellMap | undefined
  readonly travels: boolean
  readonly isHeadKnown: boolean
  readonly hasTrees: boolean
}

export interface CellFeatures {
  readonly cells: readonly number[]
  /** Tangles that no baseline shows. */
  readonly novelty: CellMap
  /** One row of `FEATURES` for each cell. */
  readonly rows: Float32Array
}

const at = (map: CellMap | undefined, cell: number | undefined, of: (map: CellMap, cell: number) => number): number =>
  map === undefined || cell === undefined ? UNKNOWN : of(map, cell)
const meanOf = (map: CellMap, cell: number): number => meanAround(map, map.values, cell)

export function featuresOf (input: FeatureInput): CellFeatures {
  const { tangle, texture, hidden, plate, baselines, looks, ordinary } = input
  const cells: number[] = []
  for (let cell = 0; cell < tangle.values.length; cell++) {
    if ((tangle.values[cell] as number) > 0) cells.push(cell)
  }
  const rows = new Float32Array(cells.length * FEATURES.length)
  const newness = new Float32Array(tangle.values.length)
  for (const cell of cells) {
    let best = baselines.length === 0 ? UNKNOWN : 0
    for (const { then } of baselines) if (best < ENOUGH) best = Math.max(best, then.like(tangle, cell, ENOUGH))
    newness[cell] = (input.held?.values[cell] ?? 0) > 0 ? 1 : 1 - best
  }
  const newMap: CellMap = { ...tangle, values: newness.map((value, cell) => value * (tangle.values[cell] as number)) }
  cells.forEach((cell, index) => {
    const then = baselines.map(({ view, then: one }) => at(view.tangle, one.cellOf(tangle, cell), mostAround))
      .filter(value => value !== UNKNOWN)
    const density = baselines.map(({ view, then: one }) => at(view.density, one.cellOf(tangle, cell), meanOf))
      .filter(value => value !== UNKNOWN)
    const past = Array.from({ length: LOOKS }, (_, back) => {
      const one = looks[back]
      const there = one?.then.cellOf(tangle, cell)
      if (!one || there === undefined) return { rest: UNKNOWN, most: UNKNOWN, mean: UNKNOWN, hidden: UNKNOWN }
      return {
        rest: one.then.like(tangle, cell, ENOUGH),
        most: mostAround(one.look.tangle, there),
        mean: meanOf(one.look.tangle, there),
        hidden: one.look.hidden[there] as number
      }
    })
    const own = tangle.values[cell] as number
    const [first, second, third] = past as [typeof past[0] & object, typeof past[0] & object, typeof past[0] & object]
    const tops = past.map(({ most }) => most).sort((a, b) => b - a)
    rows.set([
      own, texture.density[cell] as number, texture.disorder[cell] as number, texture.contrast[cell] as number,
      texture.spread[cell] as number, meanOf(tangle, cell), meanAround(tangle, texture.density, cell),
      texture.disorderAround[cell] as number, newness[cell] as number,
      then.length === 0 ? UNKNOWN : Math.min(...then), then.length === 0 ? UNKNOWN : Math.max(...then),
      density.length === 0 ? UNKNOWN : density.reduce((sum, value) => sum + value, 0) / density.length,
      first.rest, second.rest, third.rest, first.most, second.most, third.most, first.mean, second.mean, third.mean,
      first.hidden, second.hidden, meanAround(tangle, hidden, cell),
      plate.inside === undefined ? 0.5 : plate.inside[cell] as number, plate.sheet[cell] as number, ordinary,
      own - ordinary, input.travels ? 1 : 0, input.isHeadKnown ? 1 : 0, input.hasTrees ? 1 : 0, looks.length,
      meanOf(newMap, cell), Math.min(own, tops[0] ?? UNKNOWN), Math.min(own, tops[1] ?? UNKNOWN),
      meanAround(tangle, texture.spread, cell)
    ], index * FEATURES.length)
  })
  return { cells, novelty: newMap, rows }
}

/** How likely each cell shows a tangle. */
export function chancesOf ({ cells, rows }: CellFeatures, like: CellMap): CellMap {
  const values = new Float32Array(like.values.length)
  cells.forEach((cell, index) => { values[cell] = chanceOf(TANGLE_TREES, rows, index * FEATURES.length) })
  return { ...like, values }
}
