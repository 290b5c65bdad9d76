import type { JobContext } from '../../types.js'
import type { Thresholds } from '../../verdict.js'
import type { Grey } from '../picture.js'
import { softFloor } from '../reference/score.js'
import { CELL, densest, gridOf, masked, standOut, tangles, type CellMap } from './cell-grid.js'
import { registerFrame, type Comparison, type Registration } from './frame-registration.js'
import { geometryOf, regionOf, sunkBy } from './geometry.js'
import { grainOf, ordinaryOf, plateViewOf, type PlateView } from './plate-view.js'
import { chancesOf, featuresOf, type CellFeatures } from './cell-features.js'
import { textureOf, type CellTexture } from './cell-texture.js'
import { CLEAN, scoreOf, suspicionOf } from './suspicion.js'
import { locateHead, trackToolhead, type Head } from './toolhead-tracker.js'
import type { AnalysedFrame, AnalysisState, GreyFrame } from './analysis-state.js'
import type { Spot, StaticShift } from './motion-detection.js'
import { edgesOf } from './edge-map.js'
import { updatedBaselines } from './baseline-update.js'
import { inBytes, ridgesOf, smooth } from './ridges.js'
import { FACTOR, downscale } from './downscale.js'
import { smoothStep } from './smooth-step.js'
import { emptyAs, withHidden, withoutMovedObjects } from './moved-object-filter.js'

export interface ImprovedScore {
  readonly anomaly: number
  /** Nothing was there to compare the frame with. */
  readonly isFirst?: true
  /** Density of the worst place, 0 to 1. */
  readonly cluster: number
  readonly tangle: CellMap
  readonly novelty: CellMap
  /** New in this analysis and an earlier one, and at rest in between. */
  readonly lasting: CellMap
  /** Share of the plate behind the tool head. */
  readonly hidden: number
  /** Features of the cells; undefined while there is nothing to compare with. */
  readonly features?: CellFeatures
  readonly memory: AnalysisState
}

/** Similarity below which a cell is entirely new, and above which it is entirely known. */
const NEW = 0.2
const KNOWN = 0.8
/** Density to score, where no trained model applies: 0.115 gives 0.08, 0.25 gives 0.2. */
const SCALE = { at: 0.81, power: 1.27 }
/** Share of the limit that a first frame reaches at most: of a warning alone, of critical beside a reference. */
const ALONE = { from: 0.55, scale: 0.8, share: 0.95 }
/** A held cell is released when it looks less tangled than this. */
const RELEASED = 0.1
/** Previous frames that are remembered. */
const MOST_FRAMES = 3
/** How far static things shift from frame to frame, in pixels of an edge map. */
const SINKING_BED: StaticShift = { side: 1, up: 5, down: 1 }
const MOVING_BED: StaticShift = { side: 1, up: 1, down: 1 }

/** A moving bed looks different at every position, so only its two best baselines are used. */
const MOST_MATCHES = 2
/** Baselines, the best match first; even poor matches are compared. */
const matchesOf = (frame: GreyFrame, baselines: readonly GreyFrame[], comparison: Comparison): Registration[] =>
  baselines.map(baseline => registerFrame(frame, baseline, comparison)).sort((a, b) => b.fit - a.fit)

/** Tangles that no baseline shows. */
function noveltyOf (tangle: CellMap, baselines: readonly Registration[], held: CellMap | undefined): CellMap {
  const values = tangle.values.map((value, cell) => {
    if (value === 0) return 0
    let best = 0
    for (const one of baselines) if (best < KNOWN) best = Math.max(best, one.similarity(tangle, cell, KNOWN))
    return Math.max(value * (1 - smoothStep(best, NEW, KNOWN)), (held?.values[cell] ?? 0) > 0 ? value : 0)
  })
  return { ...tangle, values }
}

const within = (map: CellMap, region: Uint8Array | undefined): CellMap =>
  ({ ...map, values: map.values.map((value, cell) => region?.[cell] === 1 ? value : 0) })

const scoreOfTwo = (cluster: number) => 1 - Math.exp(-((cluster / SCALE.at) ** SCALE.power))
const scoreAlone = (cluster: number) => 1 - Math.exp(-Math.max(0, cluster - ALONE.from) / ALONE.scale)

/** The nozzle extends below the detected head by this share of its height. */
const NOZZLE = 0.15

/** Cells of which a spot covers more than a quarter. */
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

/** When no frame was analysed before, the head can be learned from a stored reference only. */
const previousEdges = (frames: readonly AnalysedFrame[], baselines: readonly GreyFrame[]): GreyFrame['downscaled'][] =>
  frames.length > 0 ? frames.map(({ edges }) => edges) : baselines.map(({ downscaled }) => edgesOf(downscaled))

/** Removes the tool head from the findings of a previous frame, whose analysis did not know it yet. */
function withoutHead (frame: AnalysedFrame, head: Head, all: readonly AnalysedFrame[]): AnalysedFrame {
  const spot = locateHead(frame.edges, all.filter(other => other !== frame).map(({ edges }) => edges), head)
  if (!spot) return frame
  const hidden = coveredBy(spot, frame.grey)
  const [novelty, lasting] = [masked(frame.novelty, hidden), masked(frame.lasting, hidden)]
  return { ...frame, tangle: masked(frame.tangle, hidden), novelty, lasting }
}

export interface ImprovedInput {
  /** Strands must stand out in it. */
  readonly grey: Grey
  readonly context: JobContext
  readonly memory: AnalysisState
  /** ms since the epoch. */
  readonly now: number
  readonly thresholds: Thresholds
}

/** Scores tangled strands on or above the plate that were not there before and that stay. */
export function improvedScore ({ grey, context, memory, now, thresholds }: ImprovedInput): ImprovedScore {
  const smoothed = smooth(grey)
  const ridges = ridgesOf(grey, smoothed)
  const everywhere = tangles(grey, ridges)
  const region = regionOf(context, everywhere.columns, everywhere.rows)
  const downscaled = downscale(grey)
  const edges = edgesOf(downscaled)
  const isNear = (spot: Spot) => coveredBy(spot, grey).some((covered, cell) => covered === 1 && region?.[cell] === 1)
  const travels = geometryOf(context.series).slinger
  const sameSize = ({ grey: one }: GreyFrame) => one.width === grey.width && one.height === grey.height
  const remembered = memory.frames.filter(sameSize)
  const { head, spot } = trackToolhead(edges, previousEdges(remembered, memory.baselines.filter(sameSize)),
    memory.head, travels ? MOVING_BED : SINKING_BED, isNear)
  const frames = head && head !== memory.head ? remembered.map(one => withoutHead(one, head, remembered)) : remembered
  const hidden = coveredBy(spot, grey)
  const tangle = masked(within(everywhere, region), hidden)
  const texture = textureOf(grey, ridges)
  const { columns, rows } = tangle
  const marks = masked({ ...tangle, values: standOut(grey, ridges) }, hidden).values
  const plate = plateViewOf(context, columns, rows, marks)
  const known: AnalysisState = { ...memory, frames, ...(head && { head }) }
  const ordinary = ordinaryOf({ tangle, plate, hidden, travels })
  const comparison: Comparison = { context, region, grain: grainOf({ tangle, plate, hidden, travels }) }
  const maps: FrameMaps =
    { context, comparison, ordinary, memory: known, tangle, texture, edges, hidden, plate, thresholds }
  const frame: GreyFrame = {
    grey,
    smoothed: inBytes(grey, smoothed),
    downscaled,
    at: now,
    sunk: sunkBy(context),
    tangle,
    density: { ...tangle, values: texture.density }
  }
  const matches = matchesOf(frame, memory.baselines.filter(sameSize), comparison)
  const [best] = matches
  const behindHead = { hidden: hiddenShare(hidden, region) }
  if (!best) return { ...alone(frame, maps), ...behindHead }

  const found = frames.length === 0
    ? unconfirmed(frame, noveltyOf(tangle, matches, heldOf(memory, tangle)), maps)
    : confirmed(frame, matches, maps)
  return { ...found, ...behindHead }
}

type Judged = Omit<ImprovedScore, 'hidden'>

const hiddenShare = (hidden: Uint8Array, region: Uint8Array | undefined): number => region === undefined
  ? 0
  : region.reduce((sum, inside, cell) => sum + (inside === 1 ? hidden[cell] ?? 0 : 0), 0) /
    Math.max(1, region.reduce((sum, inside) => sum + inside, 0))

/** What was extracted from a frame, and what it is judged by. */
interface FrameMaps {
  readonly context: JobContext
  readonly comparison: Comparison
  readonly ordinary: number
  readonly memory: AnalysisState
  readonly tangle: CellMap
  readonly texture: CellTexture
  readonly edges: GreyFrame['downscaled']
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array
  readonly plate: PlateView
  readonly thresholds: Thresholds
}

/** Judged by baselines and previous frames. */
function confirmed (frame: GreyFrame, matches: readonly Registration[], maps: FrameMaps): Judged {
  const { context, memory, tangle, edges, hidden, plate } = maps
  const { frames, head } = memory
  const travels = geometryOf(context.series).slinger
  const registered = frames.map(previous => registerFrame(frame, previous, maps.comparison))
  const compared = travels ? matches.slice(0, MOST_MATCHES) : matches
  const features = featuresOf({
    tangle,
    texture: maps.texture,
    hidden,
    plate,
    baselines: compared,
    frames: registered,
    ordinary: maps.ordinary,
    held: heldOf(memory, tangle),
    travels,
    isHeadKnown: isHeadSure(maps),
    hasTrees: context.settings.support === 'tree'
  })
  const { novelty } = features
  const lasting = withHidden(chancesOf(features, tangle), hidden, registered[0])
  const cluster = densest(lasting)
  const suspicion = suspicionOf(cluster, memory.suspicion)
  const anomaly = scoreOf(suspicion, travels)
  const [match] = matches as [Registration]
  const next = updatedBaselines({ frame, match, context, memory, lasting, clean: anomaly < CLEAN })
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
      frames: [{ ...frame, edges, tangle, novelty, lasting, hidden }, ...frames].slice(0, MOST_FRAMES)
    }
  }
}

/** With nothing to compare with: what looks tangled may be a rough plate, so it causes no warning yet. */
function alone (frame: GreyFrame, maps: FrameMaps): Judged {
  const { context, memory, tangle, edges, thresholds } = maps
  const cluster = densest(tangle)
  const nothing = emptyAs(tangle)
  const analysed: AnalysedFrame = { ...frame, edges, tangle, novelty: nothing, lasting: nothing, hidden: maps.hidden }
  return {
    anomaly: Math.max(softFloor(context), ALONE.share * thresholds.warning * scoreAlone(cluster)),
    isFirst: true,
    cluster,
    tangle,
    novelty: nothing,
    lasting: nothing,
    memory: { ...memory, baselines: [frame], candidates: [], frames: [analysed] }
  }
}

/** With a baseline but no previous frame: the tool head is known from the baseline only. */
function unconfirmed (frame: GreyFrame, found: CellMap, maps: FrameMaps): Judged {
  const { context, memory, tangle, edges, thresholds } = maps
  const novelty = withoutMovedObjects(found, frame, memory.baselines, true)
  const cluster = densest(novelty)
  const score = isHeadSure(maps) ? scoreOfTwo(cluster) : scoreAlone(cluster) // what is new may be the head
  const anomaly = Math.max(softFloor(context), Math.min(ALONE.share * thresholds.critical, score))
  const analysed: AnalysedFrame = { ...frame, edges, tangle, novelty, lasting: emptyAs(novelty), hidden: maps.hidden }
  return { anomaly, cluster, tangle, novelty, lasting: novelty, memory: { ...memory, frames: [analysed] } }
}

/** Held cells that still look tangled. */
function heldOf ({ held }: AnalysisState, tangle: CellMap): CellMap | undefined {
  if (held?.values.length !== tangle.values.length) return undefined
  return { ...held, values: held.values.map((value, cell) => (tangle.values[cell] ?? 0) < RELEASED ? 0 : value) }
}

/** With fewer votes the template may be only a part of the head, or a cable that moves with it. */
const SURE_VOTES = 12
const isHeadSure = ({ hidden, memory: { head } }: FrameMaps) => hidden.includes(1) && (head?.votes ?? 0) >= SURE_VOTES
