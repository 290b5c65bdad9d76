import type { Pixels } from '../images.js'
import { projectionOf, type BedMm } from './bed.js'
import { isTower, type Box } from './plate-map.js'
import type { Part } from './slice-info.js'

/** Fewer pixels are the blurred edge of another object. */
const LEAST_PIXELS = 30
/** Most pixels read for one plate; further boxes are identified by name. */
const MOST_PIXELS_READ = 8_000_000

export interface Pick { readonly pixels: Pixels, readonly bedMm: BedMm }

/** The id that fills most of the box: in the pick picture red, green and blue encode an object's id. */
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
  let budget = MOST_PIXELS_READ
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

/** The first unused object with the box's name. Boxes and objects are listed in the same order. */
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
 * Gives each box the id that `skip_objects` takes: by the pick picture, else by name and order, else by order alone.
 * A wipe tower is not an object and keeps its own id.
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
