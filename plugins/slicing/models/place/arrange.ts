import { shownSize } from '../check/problems.js'
import type { Vector } from '../mesh/mesh.js'
import { Refusal } from '../refusal.js'
import type { BedArea, PlacedPart, PlacePlan } from '../types.js'
import { overlaps, pack } from './pack.js'

/** A part with the size that it has on the bed. */
export interface SizedPart {
  readonly part: PlacedPart
  readonly sizeMm: Vector
}

/** Where one copy of a part lies. */
export interface ArrangedCopy {
  /** Of the plan. */
  readonly part: number
  /** Middle of its box on the bed. */
  readonly x: number
  readonly y: number
  readonly isTurned: boolean
}

const SLACK_MM = 1e-3

function refuse ({ part: { name }, sizeMm }: SizedPart, plan: PlacePlan, remedy: string): never {
  throw new Refusal('fit', name, shownSize(sizeMm), shownSize(plan.bedMm), remedy)
}

/** Refuses what fits on no bed of this size, alone and turned. */
function checkSize (sized: SizedPart, plan: PlacePlan): void {
  const { sizeMm: [width, depth, height] } = sized
  const { bedMm, marginMm } = plan
  const [roomX, roomY] = [bedMm[0] - 2 * marginMm, bedMm[1] - 2 * marginMm]
  const shareOf = (across: number, along: number): number => Math.min(roomX / across, roomY / along)
  const share = Math.min(Math.max(shareOf(width, depth), shareOf(depth, width)), bedMm[2] / height)
  if (share >= 1 - SLACK_MM / Math.max(width, depth, height)) return
  const percent = Math.floor(share * 100)
  const what = height > bedMm[2] + SLACK_MM ? 'it is too high' : 'it is too wide, also when turned'
  const scaling = percent >= 1 ? `, or scale it to at most ${percent} %` : ''
  const apart = sized.part.part === undefined ? ' If the file holds several parts, place them one by one.' : ''
  refuse(sized, plan, `${what}. Rotate it, cut it into pieces${scaling}.${apart}`)
}

/** Parts with a place of their own, which must be free. */
function fixedAreas (sized: readonly SizedPart[], plan: PlacePlan): Map<number, BedArea> {
  const areas = new Map<number, BedArea>()
  sized.forEach((one, index) => {
    const { part: { at, copies = 1, name }, sizeMm: [width, depth] } = one
    if (at === undefined) return
    if (copies !== 1) throw new Refusal('bad', name, 'only one copy can have a place of its own. Have the copies arranged')
    const [x, y] = at
    const area = { minX: x - width / 2, minY: y - depth / 2, maxX: x + width / 2, maxY: y + depth / 2 }
    const isOutside = area.minX < -SLACK_MM || area.minY < -SLACK_MM ||
      area.maxX > plan.bedMm[0] + SLACK_MM || area.maxY > plan.bedMm[1] + SLACK_MM
    if (isOutside) refuse(one, plan, 'it would lie over the edge. Move it towards the middle')
    if (plan.excluded.some(other => overlaps(area, other, SLACK_MM))) {
      refuse(one, plan, 'it would lie where the printer cannot print. Move it')
    }
    for (const [other, its] of areas) {
      if (overlaps(area, its, SLACK_MM)) refuse(one, plan, `it would lie on '${sized[other]!.part.name}'. Move one of them`)
    }
    areas.set(index, area)
  })
  return areas
}

/** @param free the part of each copy that is arranged, with its spot where there is room */
function refuseCopies (
  sized: readonly SizedPart[], free: readonly number[], spots: readonly unknown[], plan: PlacePlan
): never {
  const index = free[spots.indexOf(undefined)]!
  const wanted = free.filter(other => other === index).length
  const fitting = free.filter((other, i) => other === index && spots[i] !== undefined).length
  const others = sized.length > 1 ? ' beside the other parts' : ''
  const copies = wanted === 1 ? `there is no room for it${others}` : `${fitting} of ${wanted} copies fit${others}`
  refuse(sized[index]!, plan, `${copies}. Place the rest on another plate, or scale the parts down`)
}

/**
 * Arranges all copies of all parts.
 * @throws Refusal for what does not fit
 */
export function arrange (sized: readonly SizedPart[], plan: PlacePlan): readonly ArrangedCopy[] {
  for (const one of sized) checkSize(one, plan)
  const fixed = fixedAreas(sized, plan)
  const free = sized.flatMap(({ part: { copies = 1 } }, index) =>
    fixed.has(index) ? [] : Array.from({ length: copies }, () => index))
  const footprints = free.map(index => ({ width: sized[index]!.sizeMm[0], depth: sized[index]!.sizeMm[1] }))
  const spots = pack(footprints, {
    width: plan.bedMm[0],
    depth: plan.bedMm[1],
    marginMm: plan.marginMm,
    spacingMm: plan.spacingMm,
    taken: [...plan.excluded, ...fixed.values()]
  })
  if (spots.includes(undefined)) refuseCopies(sized, free, spots, plan)
  const arranged = spots.map((spot, i): ArrangedCopy => {
    const { width, depth } = footprints[i]!
    const [across, along] = spot!.isTurned ? [depth, width] : [width, depth]
    return { part: free[i]!, x: spot!.x + across / 2, y: spot!.y + along / 2, isTurned: spot!.isTurned }
  })
  const placed = [...fixed].map(([part, { minX, minY, maxX, maxY }]): ArrangedCopy =>
    ({ part, x: (minX + maxX) / 2, y: (minY + maxY) / 2, isTurned: false }))
  return [...placed, ...arranged].sort((a, b) => a.part - b.part) // stable: copies keep their order
}
