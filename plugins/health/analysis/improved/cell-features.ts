import type { AnalysedFrame } from './analysis-state.js'
import { mostAround, type CellMap } from './cell-grid.js'
import { meanAround, type CellTexture } from './cell-texture.js'
import type { Registration } from './frame-registration.js'
import type { PlateView } from './plate-view.js'
import { TANGLE_TREES } from './trees.data.js'
import { chanceOf } from './trees.js'

/** The features of a cell, in the order that the trees were trained with. */
export const FEATURES = [
  'tangle', 'density', 'disorder', 'contrast', 'spread', 'tangleAround', 'densityAround', 'disorderAround', 'newness',
  'tangleThenLeast', 'tangleThenMost', 'densityThen', 'rest1', 'rest2', 'rest3', 'tangle1', 'tangle2', 'tangle3',
  'tangleAround1', 'tangleAround2', 'tangleAround3', 'hidden1', 'hidden2', 'hiddenAround', 'inside', 'sheet', 'ordinary',
  'overOrdinary', 'travels', 'headKnown', 'trees', 'earlier', 'newAround', 'stayed', 'stayed2', 'edgeAround'
] as const

/** Similarity at which the search for a better place ends. */
const ENOUGH = 0.9
const FRAMES = 3
const UNKNOWN = -1

export interface FeatureInput {
  /** Cells that do not look tangled at all get no features. */
  readonly tangle: CellMap
  readonly texture: CellTexture
  readonly hidden: Uint8Array
  readonly plate: PlateView
  /** The best match first. */
  readonly baselines: readonly Registration[]
  /** The previous frames, the newest first. */
  readonly frames: readonly Registration<AnalysedFrame>[]
  readonly ordinary: number
  /** Cells that are suspicious although their baselines were dropped. */
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
  const { tangle, texture, hidden, plate, baselines, frames, ordinary } = input
  const cells: number[] = []
  for (let cell = 0; cell < tangle.values.length; cell++) {
    if ((tangle.values[cell] as number) > 0) cells.push(cell)
  }
  const rows = new Float32Array(cells.length * FEATURES.length)
  const newness = new Float32Array(tangle.values.length)
  for (const cell of cells) {
    let best = baselines.length === 0 ? UNKNOWN : 0
    for (const one of baselines) if (best < ENOUGH) best = Math.max(best, one.similarity(tangle, cell, ENOUGH))
    newness[cell] = (input.held?.values[cell] ?? 0) > 0 ? 1 : 1 - best
  }
  const newMap: CellMap = { ...tangle, values: newness.map((value, cell) => value * (tangle.values[cell] as number)) }
  cells.forEach((cell, index) => {
    const background = baselines.map(one => at(one.previous.tangle, one.cellOf(tangle, cell), mostAround))
      .filter(value => value !== UNKNOWN)
    const density = baselines.map(one => at(one.previous.density, one.cellOf(tangle, cell), meanOf))
      .filter(value => value !== UNKNOWN)
    const past = Array.from({ length: FRAMES }, (_, back) => {
      const one = frames[back]
      const there = one?.cellOf(tangle, cell)
      if (!one || there === undefined) return { rest: UNKNOWN, most: UNKNOWN, mean: UNKNOWN, hidden: UNKNOWN }
      return {
        rest: one.similarity(tangle, cell, ENOUGH),
        most: mostAround(one.previous.tangle, there),
        mean: meanOf(one.previous.tangle, there),
        hidden: one.previous.hidden[there] as number
      }
    })
    const own = tangle.values[cell] as number
    const [first, second, third] = past as [typeof past[0] & object, typeof past[0] & object, typeof past[0] & object]
    const tops = past.map(({ most }) => most).sort((a, b) => b - a)
    rows.set([
      own, texture.density[cell] as number, texture.disorder[cell] as number, texture.contrast[cell] as number,
      texture.spread[cell] as number, meanOf(tangle, cell), meanAround(tangle, texture.density, cell),
      texture.disorderAround[cell] as number, newness[cell] as number,
      background.length === 0 ? UNKNOWN : Math.min(...background),
      background.length === 0 ? UNKNOWN : Math.max(...background),
      density.length === 0 ? UNKNOWN : density.reduce((sum, value) => sum + value, 0) / density.length,
      first.rest, second.rest, third.rest, first.most, second.most, third.most, first.mean, second.mean, third.mean,
      first.hidden, second.hidden, meanAround(tangle, hidden, cell),
      plate.inside === undefined ? 0.5 : plate.inside[cell] as number, plate.sheet[cell] as number, ordinary,
      own - ordinary, input.travels ? 1 : 0, input.isHeadKnown ? 1 : 0, input.hasTrees ? 1 : 0, frames.length,
      meanOf(newMap, cell), Math.min(own, tops[0] ?? UNKNOWN), Math.min(own, tops[1] ?? UNKNOWN),
      meanAround(tangle, texture.spread, cell)
    ], index * FEATURES.length)
  })
  return { cells, novelty: newMap, rows }
}

/** Probability for each cell that it shows a tangle. */
export function chancesOf ({ cells, rows }: CellFeatures, like: CellMap): CellMap {
  const values = new Float32Array(like.values.length)
  cells.forEach((cell, index) => { values[cell] = chanceOf(TANGLE_TREES, rows, index * FEATURES.length) })
  return { ...like, values }
}
