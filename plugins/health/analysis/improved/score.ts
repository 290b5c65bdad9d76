import type { JobContext } from '../../types.js'
import type { Grey } from '../pixels.js'
import { softFloor } from '../reference/score.js'
import { CELL, densest, densestAt, gridOf, standOut, tangles, veiled, type CellMap } from './cell-grid.js'
import { counterpartOf, once, type Counterpart } from './frame-registration.js'
import { geometryOf, regionOf, sunkBy } from './geometry.js'
import { ordinaryOf, plateViewOf, type PlateView } from './plate-view.js'
import { chancesOf, featuresOf, type CellFeatures } from './cell-features.js'
import { textureOf, type CellTexture } from './cell-texture.js'
import { scoreOf, suspicionOf } from './suspicion.js'
import { trackToolhead, tracked, type Head } from './toolhead-tracker.js'
import type { Look, AnalysisState, AnalysedFrame } from './analysis-state.js'
import type { Spot, Still } from './motion-detection.js'
import { edgesOf } from './edge-map.js'
import { renewed } from './baseline-update.js'
import { ridgesOf, smooth } from './ridges.js'
import { FACTOR, downscale } from './translation-search.js'
import {
  edgeMapOf, emptyAs, middleOf, otherSizes, similarityElsewhere, smoothStep, withHidden, without, type EdgeMap
} from './moved-object-filter.js'

export interface ImprovedScore {
  readonly anomaly: number
  /** Density of the worst place, 0 to 1. */
  readonly cluster: number
  readonly tangle: CellMap
  readonly novelty: CellMap
  /** New in this analysis and in an earlier one, and at rest meanwhile. */
  readonly lasting: CellMap
  /** Share of the plate behind the tool head. */
  readonly hidden: number
  /** What was measured of its cells; undefined as long as there is nothing to compare with. */
  readonly features?: CellFeatures
  readonly memory: AnalysisState
}

/** Likeness below which a cell is altogether new, and above which it is altogether known. */
const NEW = 0.2
const KNOWN = 0.8
/** Density to score, without anything learned: 0.115 makes 0.08, 0.25 makes 0.2. */
const SCALE = { at: 0.81, power: 1.27 }
/** Below this nothing is found. */
const CLEAN = 0.05
/** One picture alone may warn but never alarm. */
const ALONE = { from: 0.55, scale: 0.8, share: 0.95 }
/** What was held for new is let go below this. */
const RELEASED = 0.1
/** Earlier frames that are remembered. */
const MOST_LOOKS = 3
/** How far things shift from frame to frame that do not move by themselves, in pixels of an edge map. */
const STILL: Still = { side: 1, up: 5, down: 1 }
const STILL_PLATE: Still = { side: 1, up: 1, down: 1 }

/** A plate that travels is seen from a new side at every place, so two good baselines are enough for it. */
const MOST_MATCHES = 2
/** Baselines, the one that shows the plate best first: a plate that fits none well is compared all the same. */
const matchesOf = (now: AnalysedFrame, baselines: readonly AnalysedFrame[], context: JobContext): Counterpart[] =>
  baselines.map(view => counterpartOf(now, view, context)).sort((a, b) => b.fit - a.fit)

/** Tangles that no baseline shows. */
function noveltyOf (tangle: CellMap, baselines: readonly Counterpart[], held: CellMap | undefined): CellMap {
  const values = tangle.values.map((value, cell) => {
    if (value === 0) return 0
    let best = 0
    for (const then of baselines) if (best < KNOWN) best = Math.max(best, then.like(tangle, cell, KNOWN))
    return Math.max(value * (1 - smoothStep(best, NEW, KNOWN)), (held?.values[cell] ?? 0) > 0 ? value : 0)
  })
  return { ...tangle, values }
}

const within = (map: CellMap, region: Uint8Array | undefined): CellMap =>
  ({ ...map, values: map.values.map((value, cell) => region?.[cell] === 1 ? value : 0) })

const scoreOfTwo = (cluster: number) => 1 - Math.exp(-((cluster / SCALE.at) ** SCALE.power))
const scoreAlone = (cluster: number, critical: number) =>
  Math.min(ALONE.share * critical, 1 - Math.exp(-Math.max(0, cluster - ALONE.from) / ALONE.scale))

/** The nozzle is below what is found of the head, by this share of its height. */
const NOZZLE = 0.15

/** Cells that a spot covers for a good part. */
function coveredBy (spot: Spot | undefined, grey: Grey): Uint8Array {
  const { columns, rows } = gridOf(grey)
  const cells = new Uint8Array(columns * rows)
  if (!spot) return cells
  const [left, top] = [spot.x * FACTOR, spot.y * FACTOR]
  const [right, bottom] = [left + spot.width * FACTOR, top + spot.height * FACTOR * (1 + NOZZLE)]
  for (let cell = 0; cell < cells.length; cell++) {
    const x = cell % columns * CELL
    const y = Math.floor(cell / columns) * CELL
    const shared = Math.max(0, Math.min(right, x + CELL) - Math.max(left, x)) *
      Math.max(0, Math.min(bottom, y + CELL) - Math.max(top, y))
    if (shared > CELL * CELL / 4) cells[cell] = 1
  }
  return cells
}

/** A stored reference is all there is to know the head by when nothing was analysed before. */
const earlierEdges = (looks: readonly Look[], baselines: readonly AnalysedFrame[]): AnalysedFrame['downscaled'][] =>
  looks.length > 0 ? looks.map(({ edges }) => edges) : baselines.map(({ downscaled }) => edgesOf(downscaled))

/** What was found in an earlier frame, without the tool head that was not known then. */
function withoutHead (look: Look, head: Head, all: readonly Look[]): Look {
  const spot = tracked(look.edges, all.filter(other => other !== look).map(({ edges }) => edges), head)
  if (!spot) return look
  const hidden = coveredBy(spot, look.grey)
  const [novelty, lasting] = [veiled(look.novelty, hidden), veiled(look.lasting, hidden)]
  return { ...look, tangle: veiled(look.tangle, hidden), novelty, lasting }
}

export interface ImprovedInput {
  /** In which strands stand out. */
  readonly grey: Grey
  readonly context: JobContext
  readonly memory: AnalysisState
  /** ms since the epoch. */
  readonly now: number
  /** Score at which a verdict is critical. */
  readonly critical: number
}

/** Looks for tangled strands on or above the plate that were not there before and that stay. */
export function improvedScore ({ grey, context, memory, now, critical }: ImprovedInput): ImprovedScore {
  const ridges = ridgesOf(grey, smooth(grey))
  const everywhere = tangles(grey, ridges)
  const region = regionOf(context, everywhere.columns, everywhere.rows)
  const downscaled = downscale(grey)
  const edges = edgesOf(downscaled)
  const isNear = (spot: Spot) => coveredBy(spot, grey).some((covered, cell) => covered === 1 && region?.[cell] === 1)
  const travels = geometryOf(context.series).slinger
  const sameSize = ({ grey: one }: AnalysedFrame) => one.width === grey.width && one.height === grey.height
  const remembered = memory.looks.filter(sameSize)
  const { head, spot } = trackToolhead(edges, earlierEdges(remembered, memory.baselines.filter(sameSize)),
    memory.head,
    travels ? STILL_PLATE : STILL, isNear)
  const looks = head && head !== memory.head ? remembered.map(look => withoutHead(look, head, remembered)) : remembered
  const hidden = coveredBy(spot, grey)
  const tangle = veiled(within(everywhere, region), hidden)
  const texture = textureOf(grey, ridges)
  const { columns, rows } = tangle
  const marks = veiled({ ...tangle, values: standOut(grey, ridges) }, hidden).values
  const plate = plateViewOf(context, columns, rows, marks)
  const known: AnalysisState = { ...memory, looks, ...(head && { head }) }
  const seen: Seen = { context, memory: known, tangle, texture, edges, hidden, plate, critical }
  const fresh: AnalysedFrame = {
    grey,
    downscaled,
    at: now,
    sunk: sunkBy(context),
    tangle,
    density: { ...tangle, values: texture.density }
  }
  const matches = matchesOf(fresh, memory.baselines.filter(sameSize), context)
  const [best] = matches
  const behindHead = { hidden: hiddenShare(hidden, region) }
  if (!best) return { ...alone(fresh, seen), ...behindHead }

  const found = looks.length === 0
    ? unconfirmed(fresh, noveltyOf(tangle, matches, heldOf(memory, tangle)), seen)
    : confirmed(fresh, matches, seen)
  return { ...found, ...behindHead }
}

type Judged = Omit<ImprovedScore, 'hidden'>

const hiddenShare = (hidden: Uint8Array, region: Uint8Array | undefined): number => region === undefined
  ? 0
  : region.reduce((sum, inside, cell) => sum + (inside === 1 ? hidden[cell] ?? 0 : 0), 0) /
    Math.max(1, region.reduce((sum, inside) => sum + inside, 0))

interface Seen {
  readonly context: JobContext
  readonly memory: AnalysisState
  readonly tangle: CellMap
  readonly texture: CellTexture
  readonly edges: AnalysedFrame['downscaled']
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array
  readonly plate: PlateView
  readonly critical: number
}

function confirmed (view: AnalysedFrame, matches: readonly Counterpart[], seen: Seen): Judged {
  const { context, memory, tangle, edges, hidden, plate } = seen
  const { looks, head } = memory
  const travels = geometryOf(context.series).slinger
  const earlier = looks.map(look => ({ look, then: counterpartOf(view, look, context) }))
  const compared = travels ? matches.slice(0, MOST_MATCHES) : matches
  const features = featuresOf({
    tangle,
    texture: seen.texture,
    hidden,
    plate,
    baselines: compared.map(then => ({ view: then.view, then })),
    looks: earlier,
    ordinary: ordinaryOf({ tangle, plate, hidden, travels }),
    held: heldOf(memory, tangle),
    travels,
    isHeadKnown: isHeadSure(seen),
    hasTrees: context.settings.support === 'tree'
  })
  const { novelty } = features
  const lasting = withHidden(chancesOf(features, tangle), hidden, earlier[0])
  const cluster = densest(lasting)
  const suspicion = suspicionOf(cluster, memory.suspicion)
  const anomaly = scoreOf(suspicion, travels)
  const [match] = matches as [Counterpart]
  const next = renewed({ view, match, context, memory, lasting, clean: anomaly < CLEAN })
  return {
    anomaly: Math.max(softFloor(context), anomaly),
    cluster,
    tangle,
    novelty,
    lasting,
    features,
    memory: {
      ...next,
      ...(head && { head }),
      suspicion,
      looks: [{ ...view, edges, tangle, novelty, lasting, hidden }, ...looks].slice(0, MOST_LOOKS)
    }
  }
}

/** Nothing to compare with: what looks tangled may be a rough plate. */
function alone (view: AnalysedFrame, seen: Seen): Judged {
  const { context, memory, tangle, edges, critical } = seen
  const cluster = densest(tangle)
  const nothing = emptyAs(tangle)
  const look: Look = { ...view, edges, tangle, novelty: nothing, lasting: nothing, hidden: seen.hidden }
  return {
    anomaly: Math.max(softFloor(context), scoreAlone(cluster, critical)),
    cluster,
    tangle,
    novelty: nothing,
    lasting: nothing,
    memory: { ...memory, baselines: [view], candidates: [], looks: [look] }
  }
}

/** Compared with a baseline but with no frame before this one: the tool head is known from there alone. */
function unconfirmed (view: AnalysedFrame, found: CellMap, seen: Seen): Judged {
  const { context, memory, tangle, edges, critical } = seen
  const novelty = withoutMovedObjects(found, view, memory.baselines, true)
  const cluster = densest(novelty)
  const score = isHeadSure(seen) ? scoreOfTwo(cluster) : scoreAlone(cluster, critical) // it may be the head that is new
  const anomaly = Math.max(softFloor(context), Math.min(ALONE.share * critical, score))
  const look: Look = { ...view, edges, tangle, novelty, lasting: emptyAs(novelty), hidden: seen.hidden }
  return { anomaly, cluster, tangle, novelty, lasting: novelty, memory: { ...memory, looks: [look] } }
}

/** What is held while it still looks tangled. */
function heldOf ({ held }: AnalysisState, tangle: CellMap): CellMap | undefined {
  if (held?.values.length !== tangle.values.length) return undefined
  return { ...held, values: held.values.map((value, cell) => (tangle.values[cell] ?? 0) < RELEASED ? 0 : value) }
}

/** So like another place of an earlier frame, it is a thing that moves about: the tool head. */
const WANDERS = 0.55
/** Cells around its middle that the head covers. */
const HEAD_REACH = 2
/** It has not more places than these that are worth a look. */
const MOST_PEAKS = 5
/** Found in fewer pieces, what is taken for the head may be only a part of it, a cable that goes with it. */
const SURE_VOTES = 12
const isHeadSure = ({ hidden, memory: { head } }: Seen) => hidden.includes(1) && (head?.votes ?? 0) >= SURE_VOTES
/** Less than this is not worth a look at other sizes. */
const SUSPICIOUS = 0.1

/**
 * What lasts, without what was seen elsewhere before.
 * @param thorough whether it is looked for nearer and farther too, because the head is not known for sure
 */
function withoutMovedObjects (lasting: CellMap, now: AnalysedFrame, earlier: readonly AnalysedFrame[],
  thorough: boolean): CellMap {
  let map = lasting
  let small: EdgeMap | undefined
  const others = earlier.map(({ grey }) => once(() => edgeMapOf(grey)))
  const sizes = others.map(other => once(() => otherSizes(other())))
  for (let look = 0; look < MOST_PEAKS; look++) {
    const { cell, mean } = densestAt(map)
    if (mean < CLEAN) break
    const own = small ??= edgeMapOf(now.grey)
    const [x, y] = middleOf(map, cell)
    const wandered = others.some(other => similarityElsewhere(own, other(), x, y) >= WANDERS) ||
      (thorough && mean > SUSPICIOUS && sizes.some(all => all().some(({ size, edges }) =>
        similarityElsewhere(own, edges, x, y, size) >= WANDERS)))
    if (!wandered) break
    map = without(map, cell, HEAD_REACH)
  }
  return map
}
