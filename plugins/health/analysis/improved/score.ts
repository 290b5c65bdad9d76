import type { JobContext } from '../../types.js'
import { clamp01, type Grey } from '../pixels.js'
import { softFloor } from '../reference/score.js'
import { CELL, densest, densestAt, mostAround, tangles, type CellMap } from './cells.js'
import { geometryOf, regionOf } from './geometry.js'
import { likeness, type Search } from './likeness.js'
import type { Memory, View } from './memory.js'
import { renewed } from './renew.js'
import { ridgesOf, smooth } from './ridges.js'
import { shiftOf, thumbOf } from './shift.js'
import { likenessElsewhere, middleOf, outlined, without } from './wanderer.js'

export interface ImprovedScore {
  readonly anomaly: number
  /** Density of the worst place, 0 to 1. */
  readonly cluster: number
  readonly tangle: CellMap
  readonly novelty: CellMap
  /** New in this analysis and in the one before, and at rest meanwhile. */
  readonly lasting: CellMap
  readonly memory: Memory
}

/** Likeness below which a cell is altogether new, and above which it is altogether known. */
const NEW = 0.35
const KNOWN = 0.7
/** Likeness to the frame before, from which a cell may be at rest and above which it is. */
const MOVES = 0.4
const RESTS = 0.7
/** Cluster to score: 0.03 makes 0.08, 0.08 makes 0.2. */
const SCALE = 0.36
const CLEAN = 0.03
/** One picture alone may warn but never alarm. */
const ALONE = { from: 0.55, scale: 0.8, share: 0.95 }
/** What was held for new is let go below this. */
const RELEASED = 0.1
/** A plate that is found nowhere in the baselines cannot be compared. */
const LEAST_FIT = 0.3

const smoothStep = (value: number, from: number, to: number) => {
  const share = clamp01((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/** A baseline, and where in it that is found which now lies at a place. */
export interface Match { readonly view: View, readonly x: number, readonly y: number, readonly fit: number }

/** Baselines that show the plate, the best first. */
function matchesOf (now: View, baselines: readonly View[]): Match[] {
  return baselines.map(view => {
    const { x, y, fit } = now.thumb && view.thumb ? shiftOf(now.thumb, view.thumb) : { x: 0, y: 0, fit: 1 }
    return { view, x, y, fit }
  }).filter(({ fit }) => fit >= LEAST_FIT).sort((a, b) => b.fit - a.fit)
}

/** A plate that travels is seen from a new side at every place, so two good baselines are enough for it. */
const MOST_MATCHES = 2

function searchAround (context: JobContext, { x, y }: { x: number, y: number }): Search {
  const { up, down, slinger } = geometryOf(context.series)
  const side = slinger ? 8 : 2
  return { fromX: x - side, toX: x + side, fromY: y - up, toY: y + down }
}

const place = ({ columns }: CellMap, cell: number) => ({
  left: cell % columns * CELL,
  top: Math.floor(cell / columns) * CELL
})

/** Tangles that no baseline shows. */
function noveltyOf (grey: Grey, tangle: CellMap, matches: readonly Match[], context: JobContext,
  held: CellMap | undefined): CellMap {
  const searches = matches.map(match => ({ before: match.view.grey, search: searchAround(context, match) }))
  const values = tangle.values.map((value, cell) => {
    if (value === 0) return 0
    const { left, top } = place(tangle, cell)
    let best = 0
    for (const { before, search } of searches) {
      if (best < KNOWN) best = Math.max(best, likeness(grey, before, left, top, search, KNOWN))
    }
    return Math.max(value * (1 - smoothStep(best, NEW, KNOWN)), (held?.values[cell] ?? 0) > 0 ? value : 0)
  })
  return { ...tangle, values }
}

/**
 * What is new now and was new before at the same place of the plate or next to it, and looks the same: strands lie
 * where they fell, while the tool head has moved on.
 */
function lastingOf (now: View, novelty: CellMap, last: Memory['last'], context: JobContext): CellMap {
  const { columns, rows } = novelty
  if (last?.novelty.columns !== columns || last.novelty.rows !== rows) return empty(novelty)
  const byX = last.x - now.x
  const byY = last.y - now.y
  const search = searchAround(context, { x: -byX, y: -byY })
  const values = novelty.values.map((value, cell) => {
    if (value === 0) return 0
    const column = cell % columns - Math.round(byX / CELL)
    const row = Math.floor(cell / columns) - Math.round(byY / CELL)
    if (column < 0 || row < 0 || column >= columns || row >= rows) return 0
    const before = mostAround(last.novelty, row * columns + column)
    if (before === 0) return 0
    const { left, top } = place(novelty, cell)
    return Math.min(value, before) * smoothStep(likeness(now.grey, last.grey, left, top, search, RESTS), MOVES, RESTS)
  })
  return { columns, rows, values }
}

const within = (map: CellMap, region: Uint8Array | undefined): CellMap =>
  ({ ...map, values: map.values.map((value, cell) => region?.[cell] === 1 ? value : 0) })

const empty = (map: CellMap): CellMap => ({ ...map, values: new Float32Array(map.values.length) })

const scoreOf = (cluster: number) => 1 - Math.exp(-cluster / SCALE)
const scoreAlone = (cluster: number, critical: number) =>
  Math.min(ALONE.share * critical, 1 - Math.exp(-Math.max(0, cluster - ALONE.from) / ALONE.scale))

export interface ImprovedInput {
  readonly grey: Grey
  readonly context: JobContext
  readonly memory: Memory
  /** ms since the epoch. */
  readonly now: number
  /** Score at which a verdict is critical. */
  readonly critical: number
}

/** Looks for tangled strands on or above the plate that were not there before and that stay. */
export function improvedScore ({ grey, context, memory, now, critical }: ImprovedInput): ImprovedScore {
  const everywhere = tangles(grey, ridgesOf(grey, smooth(grey)))
  const tangle = within(everywhere, regionOf(context, everywhere.columns, everywhere.rows))
  const thumb = geometryOf(context.series).slinger ? thumbOf(grey) : undefined
  const fresh: View = { grey, ...(thumb && { thumb }), at: now, x: 0, y: 0 }
  const usable = memory.baselines.filter(({ grey: one }) => one.width === grey.width && one.height === grey.height)
  const matches = matchesOf(fresh, usable)
  const [best] = matches
  const floor = softFloor(context)
  if (!best) return alone(fresh, tangle, memory, floor, critical)

  const view: View = { ...fresh, x: best.view.x + best.x, y: best.view.y + best.y }
  const compared = thumb ? matches.slice(0, MOST_MATCHES) : matches
  const novelty = noveltyOf(grey, tangle, compared, context, heldOf(memory, tangle))
  if (!memory.last) return unconfirmed(view, tangle, novelty, memory, floor, critical)
  const lasting = withoutWanderers(lastingOf(view, novelty, memory.last, context), view, [...memory.baselines,
    ...memory.candidates])
  const cluster = densest(lasting)
  const clean = cluster < CLEAN
  const next = renewed({ view, match: best, context, memory, lasting, clean })
  return {
    anomaly: Math.max(floor, scoreOf(cluster)),
    cluster,
    tangle,
    novelty,
    lasting,
    memory: {
      ...next,
      last: { ...view, novelty }
    }
  }
}

/** Nothing to compare with: what looks tangled may be a rough plate. */
function alone (view: View, tangle: CellMap, memory: Memory, floor: number, critical: number): ImprovedScore {
  const cluster = densest(tangle)
  const nothing = empty(tangle)
  return {
    anomaly: Math.max(floor, scoreAlone(cluster, critical)),
    cluster,
    tangle,
    novelty: nothing,
    lasting: nothing,
    memory: { ...memory, baselines: [view], candidates: [], last: { ...view, novelty: nothing } }
  }
}

/** Compared with a baseline but with no frame before this one. */
function unconfirmed (view: View, tangle: CellMap, novelty: CellMap, memory: Memory, floor: number,
  critical: number): ImprovedScore {
  const cluster = densest(novelty)
  const anomaly = Math.max(floor, Math.min(ALONE.share * critical, scoreOf(cluster)))
  return { anomaly, cluster, tangle, novelty, lasting: novelty, memory: { ...memory, last: { ...view, novelty } } }
}

/** What is held while it still looks tangled. */
function heldOf ({ held }: Memory, tangle: CellMap): CellMap | undefined {
  if (held?.values.length !== tangle.values.length) return undefined
  return { ...held, values: held.values.map((value, cell) => (tangle.values[cell] ?? 0) < RELEASED ? 0 : value) }
}

/** So like another place of an earlier frame, it is a thing that moves about: the tool head. */
const WANDERS = 0.45
/** Cells around its middle that the head covers. */
const HEAD_REACH = 2
/** It has not more places than these that are worth a look. */
const MOST_LOOKS = 5

/** What lasts, without what was seen elsewhere before. */
function withoutWanderers (lasting: CellMap, now: View, earlier: readonly View[]): CellMap {
  let map = lasting
  let small: { now: Grey, earlier: readonly Grey[] } | undefined
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { cell, mean } = densestAt(map)
    if (mean < CLEAN) break
    small ??= { now: outlined(now.grey), earlier: earlier.map(({ grey }) => outlined(grey)) }
    const { now: own, earlier: others } = small
    const [x, y] = middleOf(map, cell)
    const likes = others.map(other => likenessElsewhere(own, other, x, y))

    if (!likes.some(l => l >= WANDERS)) break
    map = without(map, cell, HEAD_REACH)
  }
  return map
}
