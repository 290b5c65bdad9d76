import type { BedArea } from '../types.js'

/** A footprint, mm. */
export interface Footprint { readonly width: number, readonly depth: number }

export interface Spot {
  /** Lower left corner. */
  readonly x: number
  readonly y: number
  /** By 90°. */
  readonly isTurned: boolean
}

export interface PackBed {
  readonly width: number
  readonly depth: number
  readonly marginMm: number
  readonly spacingMm: number
  /** Where nothing may lie. */
  readonly taken: readonly BedArea[]
}

/** Rounding. */
const SLACK_MM = 1e-6
/** Steps of the search for the smallest part of the bed that holds everything. */
const SEARCH_STEPS = 7

export const overlaps = (a: BedArea, b: BedArea, slack = SLACK_MM): boolean =>
  a.minX < b.maxX - slack && b.minX < a.maxX - slack && a.minY < b.maxY - slack && b.minY < a.maxY - slack
const holds = (a: BedArea, b: BedArea): boolean =>
  a.minX <= b.minX + SLACK_MM && a.minY <= b.minY + SLACK_MM &&
  a.maxX >= b.maxX - SLACK_MM && a.maxY >= b.maxY - SLACK_MM
const isRoom = ({ minX, minY, maxX, maxY }: BedArea): boolean => maxX - minX > SLACK_MM && maxY - minY > SLACK_MM

/** What of an area is left around another one: up to four areas that overlap each other. */
const around = (area: BedArea, taken: BedArea): BedArea[] => [
  { ...area, maxX: taken.minX },
  { ...area, minX: taken.maxX },
  { ...area, maxY: taken.minY },
  { ...area, minY: taken.maxY }
].filter(isRoom)

/** How a place is chosen: by what is left beside a footprint across and along, and where it is. */
interface Method {
  readonly mayTurn: boolean
  readonly cost: (across: number, along: number, x: number, y: number) => readonly number[]
}

const leastWaste: Method['cost'] = (across, along, x, y) => [Math.min(across, along), Math.max(across, along), y, x]
const inRows: Method['cost'] = (_across, _along, x, y) => [y, x]

/** No rule is the best for all parts: the first one that places them all is taken. */
const METHODS: readonly Method[] = [
  { mayTurn: false, cost: leastWaste },
  { mayTurn: false, cost: inRows },
  { mayTurn: true, cost: leastWaste },
  { mayTurn: true, cost: inRows }
]

/** The free room of a bed as the largest rectangles that fit into it (the "MaxRects" method). */
class FreeRoom {
  #areas: BedArea[]

  constructor (area: BedArea) { this.#areas = [area] }

  take (taken: BedArea): void {
    const cut = this.#areas.flatMap(area => overlaps(area, taken) ? around(area, taken) : [area])
    this.#areas = cut.filter((area, index) => !cut.some((other, its) =>
      its !== index && holds(other, area) && (its < index || !holds(area, other))))
  }

  /** The best place by a rule, unturned if both are as good. */
  find (footprint: Footprint, { mayTurn, cost }: Method): Spot | undefined {
    let best: Spot | undefined
    let least: readonly number[] = [Infinity]
    for (const isTurned of mayTurn ? [false, true] : [false]) {
      const { width, depth } = isTurned ? { width: footprint.depth, depth: footprint.width } : footprint
      for (const { minX, minY, maxX, maxY } of this.#areas) {
        const [across, along] = [maxX - minX - width, maxY - minY - depth]
        if (across < -SLACK_MM || along < -SLACK_MM) continue
        const its = cost(across, along, minX, minY)
        if (!isLess(its, least)) continue
        least = its
        best = { x: minX, y: minY, isTurned }
      }
    }
    return best
  }
}

function isLess (a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - (b[i] ?? Infinity)
    if (Math.abs(difference) > SLACK_MM) return difference < 0
  }
  return false
}

const areaOf = ({ x, y, isTurned }: Spot, { width, depth }: Footprint): BedArea =>
  ({ minX: x, minY: y, maxX: x + (isTurned ? depth : width), maxY: y + (isTurned ? width : depth) })

/** Places footprints, the longest first, in a part of the bed around its centre. Each has its spacing on two sides. */
function fill (footprints: readonly Footprint[], bed: PackBed, share: number, method: Method): (Spot | undefined)[] {
  const { width, depth, marginMm, spacingMm, taken } = bed
  const [halfX, halfY] = [(width / 2 - marginMm) * share, (depth / 2 - marginMm) * share]
  const room = new FreeRoom({
    minX: width / 2 - halfX,
    minY: depth / 2 - halfY,
    maxX: width / 2 + halfX + spacingMm,
    maxY: depth / 2 + halfY + spacingMm
  })
  const withSpacing = (area: BedArea): BedArea =>
    ({ ...area, maxX: area.maxX + spacingMm, maxY: area.maxY + spacingMm })
  for (const area of taken) room.take(withSpacing(area))
  const longest = ({ width, depth }: Footprint): number => Math.max(width, depth)
  const order = footprints.map((_, index) => index).sort((a, b) =>
    longest(footprints[b]!) - longest(footprints[a]!) || a - b)
  const spots: (Spot | undefined)[] = footprints.map(() => undefined)
  for (const index of order) {
    const { width, depth } = footprints[index]!
    const spot = room.find({ width: width + spacingMm, depth: depth + spacingMm }, method)
    if (spot === undefined) continue
    spots[index] = spot
    room.take(withSpacing(areaOf(spot, footprints[index]!)))
  }
  return spots
}

const isWhole = (spots: readonly (Spot | undefined)[]): spots is Spot[] => !spots.includes(undefined)

/** Moves everything to the middle of the bed, or as far as what is taken allows. */
function centred (spots: readonly Spot[], footprints: readonly Footprint[], bed: PackBed): readonly Spot[] {
  const { width, depth, marginMm, spacingMm, taken } = bed
  const areas = spots.map((spot, index) => areaOf(spot, footprints[index]!))
  const middle = (low: readonly number[], high: readonly number[]): number => (Math.min(...low) + Math.max(...high)) / 2
  const shiftX = width / 2 - middle(areas.map(({ minX }) => minX), areas.map(({ maxX }) => maxX))
  const shiftY = depth / 2 - middle(areas.map(({ minY }) => minY), areas.map(({ maxY }) => maxY))
  const printable = { minX: marginMm, minY: marginMm, maxX: width - marginMm, maxY: depth - marginMm }
  const isFree = (dx: number, dy: number): boolean => areas.every(area => {
    const here = { minX: area.minX + dx, minY: area.minY + dy, maxX: area.maxX + dx, maxY: area.maxY + dy }
    const wide = {
      minX: here.minX - spacingMm, minY: here.minY - spacingMm, maxX: here.maxX + spacingMm, maxY: here.maxY + spacingMm
    }
    return holds(printable, here) && !taken.some(other => overlaps(wide, other))
  })
  const tries = [1, 0.75, 0.5, 0.25].flatMap(share => [[share, share], [share, 0], [0, share]] as const)
  const [shareX, shareY] = tries.find(([x, y]) => isFree(shiftX * x, shiftY * y)) ?? [0, 0]
  return spots.map(({ x, y, isTurned }) => ({ x: x + shiftX * shareX, y: y + shiftY * shareY, isTurned }))
}

/**
 * Arranges footprints on a bed, close together around its centre. They are turned only when they do not fit otherwise.
 * Equal arguments have equal results.
 * @returns a spot for each; undefined for those that have no room
 */
export function pack (footprints: readonly Footprint[], bed: PackBed): readonly (Spot | undefined)[] {
  if (footprints.length === 0) return []
  let most: readonly (Spot | undefined)[] = []
  for (const method of METHODS) {
    const spots = fill(footprints, bed, 1, method)
    if (isWhole(spots)) return centred(closer(spots, footprints, bed, method), footprints, bed)
    if (spots.filter(Boolean).length > most.filter(Boolean).length) most = spots
  }
  return most.length > 0 ? most : footprints.map(() => undefined)
}

/** The same within the smallest part of the bed that holds everything. */
function closer (
  spots: readonly Spot[], footprints: readonly Footprint[], bed: PackBed, method: Method
): readonly Spot[] {
  let best = spots
  let [low, high] = [0, 1]
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const share = (low + high) / 2
    const tried = fill(footprints, bed, share, method)
    if (isWhole(tried)) {
      best = tried
      high = share
    } else {
      low = share
    }
  }
  return best
}
