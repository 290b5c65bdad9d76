import type { HeightMap, Outline } from '../../../toolpath/index.js'
import { blobsOf } from './blobs.js'

/** Steps of a height map below the top of an object that count as its top: 3 mm. */
const TOP_STEPS = 300
/** An object with a smaller share of its cells at the top is thin-walled or pointed. */
const LEAST_SHARE = 0.4

/**
 * The same outline, with thin-walled and pointed objects among what is only left out of the comparison: a vase is dark
 * inside, and a tip is smaller than what a pose is off by.
 */
export function withoutHollow (outline: Outline): Outline {
  const { kinds: { part, other }, columns } = outline
  const objects = blobsOf(Uint8Array.from(part.tops, top => top > 0 ? 1 : 0), columns, 1)
  const hollow = objects.filter(({ pixels }) => {
    const top = pixels.reduce((most, cell) => Math.max(most, part.tops[cell]!), 0)
    return pixels.filter(cell => part.tops[cell]! >= top - TOP_STEPS).length < LEAST_SHARE * pixels.length
  })
  if (hollow.length === 0) return outline
  const copy = ({ tops, bottoms }: HeightMap) => ({ tops: Uint16Array.from(tops), bottoms: Uint16Array.from(bottoms) })
  const [solid, rest] = [copy(part), copy(other)]
  for (const cell of hollow.flatMap(({ pixels }) => pixels)) {
    const below = rest.tops[cell] === 0 ? Infinity : rest.bottoms[cell]!
    rest.bottoms[cell] = Math.min(below, part.bottoms[cell]!)
    rest.tops[cell] = Math.max(rest.tops[cell]!, part.tops[cell]!)
    solid.tops[cell] = 0
    solid.bottoms[cell] = 0
  }
  return { ...outline, kinds: { ...outline.kinds, part: solid, other: rest } }
}
