import type { Pixels } from '../images.js'
import { projectionOf, type BedMm } from './bed.js'
import { isTower, type Box } from './plate-map.js'
import type { Part } from './slice-info.js'

/** Fewer pixels than these are the blurred edge of something else. */
const LEAST_PIXELS = 30
/** Work that one plate may cause; boxes beyond go by name. */
const MOST_LOOKED_AT = 8_000_000

export interface Pick { readonly pixels: Pixels, readonly bedMm: BedMm }

/** The number that most of the box shows: red, green and blue of the picture in which colours are numbers. */
function mostShown ({ data, width, height }: Pixels, area: { x: number, y: number, width: number, height: number },
  isTaken: (id: number) => boolean): number | undefined {
  const counts = new Map<number, number>()
  const [x0, y0] = [Math.max(0, Math.floor(area.x)), Math.max(0, Math.floor(area.y))]
  const [x1, y1] = [Math.min(width, Math.ceil(area.x + area.width)), Math.min(height, Math.ceil(area.y + area.height))]
  for (let y = y0; y < y1; y++) {
    for (let at = (y * width + x0) * 4; at < (y * width + x1) * 4; at += 4) {
      if (data[at + 3] !== 255) continue
      const id = data.readUIntLE(at, 3)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  const [best] = [...counts].filter(([id, count]) => id > 0 && count >= LEAST_PIXELS && !isTaken(id))
    .sort(([, a], [, b]) => b - a)
  return best?.[0]
}

function byPicture (boxes: readonly Box[], parts: readonly Part[], { pixels, bedMm }: Pick): Map<Box, number> {
  const found = new Map<Box, number>()
  const taken = new Set<number>()
  const known = new Set(parts.map(({ id }) => id))
  const isTaken = (id: number) => taken.has(id) || (known.size > 0 && !known.has(id))
  const projection = projectionOf(bedMm, pixels)
  let budget = MOST_LOOKED_AT
  for (const box of boxes) {
    const area = projection.rectangle(box.bounds)
    budget -= Math.min(area.width, pixels.width) * Math.min(area.height, pixels.height)
    const id = budget > 0 ? mostShown(pixels, area, isTaken) : undefined
    if (id === undefined) continue
    taken.add(id)
    found.set(box, id)
  }
  return found
}

/** The first object of the box's name that no other box has. Lists of both keep one order. */
function byName (boxes: readonly Box[], parts: readonly Part[], taken: ReadonlySet<number>): Map<Box, number> {
  const queues = new Map<string, number[]>()
  for (const { id, name } of parts.filter(({ id }) => !taken.has(id))) {
    queues.set(name, [...queues.get(name) ?? [], id])
  }
  const found = new Map<Box, number>()
  for (const box of boxes) {
    const id = queues.get(box.name)?.shift()
    if (id !== undefined) found.set(box, id)
  }
  return found
}

/**
 * Gives each box the number under which its object can be left out of a job: by the picture of numbers, else by
 * name and order, else by order alone. A wipe tower is no object and keeps its own.
 */
export function identify (boxes: readonly Box[], parts: readonly Part[], pick: Pick | undefined): readonly Box[] {
  const objects = boxes.filter(({ name }) => !isTower(name))
  const shown = pick ? byPicture(objects, parts, pick) : new Map<Box, number>()
  const unshown = objects.filter(box => !shown.has(box))
  const named = byName(unshown, parts, new Set(shown.values()))
  const taken = new Set([...shown.values(), ...named.values()])
  return boxes.map(box => {
    const place = objects.indexOf(box)
    const ordered = place < 0 ? undefined : parts[place]?.id
    const fallback = ordered !== undefined && !taken.has(ordered) ? ordered : box.id
    return { ...box, id: shown.get(box) ?? named.get(box) ?? fallback }
  })
}
