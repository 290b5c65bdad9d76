import { projectionOf, type BedMm } from '../read/bed.js'
import type { Box } from '../read/plate-map.js'
import { digits, digitsWidth, element } from './svg.js'

/** Distinguishable with any colour vision; repeated when there are more objects. */
const PALETTE = ['#FF5050', '#50C850', '#508CFF', '#FFC800', '#FF64FF', '#00DCDC', '#FFA032', '#B4FF64']

export interface Paint {
  readonly names: readonly string[]
  colorOf (name: string): string
}

/** One colour for each name, in the order in which names turn up. */
export function paintOf (boxes: readonly Box[]): Paint {
  const names = [...new Set(boxes.map(({ name }) => name))]
  return { names, colorOf: name => PALETTE[names.indexOf(name) % PALETTE.length] ?? '' }
}

const area = ({ bounds: [xMin, yMin, xMax, yMax] }: Box): number => (xMax - xMin) * (yMax - yMin)

const LABEL_PX = 11
const PAD = 3

interface Area { readonly x: number, readonly y: number, readonly width: number, readonly height: number }

const overlaps = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const isWithin = ({ x, y, width, height }: Area, pixels: { width: number, height: number }): boolean =>
  x >= 0 && y >= 0 && x + width <= pixels.width && y + height <= pixels.height

/** Labels try the places around their box until one is free. Beyond so many they take the first. */
const MOST_TRIED = 150

function placeFor (box: Area, size: { width: number, height: number }, taken: readonly Area[],
  pixels: { width: number, height: number }): Area {
  const below = box.y + box.height
  const places: Area[] = [
    { ...size, x: box.x, y: box.y },
    { ...size, x: box.x, y: box.y - size.height },
    { ...size, x: box.x, y: below },
    { ...size, x: box.x + box.width, y: box.y },
    { ...size, x: box.x - size.width, y: below - size.height }
  ]
  const isFree = (place: Area) => isWithin(place, pixels) && !taken.some(other => overlaps(place, other))
  return (taken.length < MOST_TRIED ? places.find(isFree) : undefined) ?? { ...size, x: box.x, y: box.y }
}

/** The object's number on a dark ground. */
function numberOf (text: string, { x, y, width, height }: Area, color: string, k: number): string {
  const ground = element('rect', { x, y, width, height, fill: '#1E1E1E', 'fill-opacity': '0.78' })
  return ground + digits(text, x + PAD * k, y + PAD * k, LABEL_PX * k, color)
}

/**
 * Outlines of objects as the camera from above sees them, larger ones below.
 * @param k px of the drawing to one px of a picture 512 px wide
 */
export function drawBoxes (boxes: readonly Box[], bed: BedMm, pixels: { width: number, height: number }, k: number):
string {
  const projection = projectionOf(bed, pixels)
  const { colorOf } = paintOf(boxes)
  const ordered = boxes.toSorted((a, b) => area(b) - area(a))
  const frames = ordered.map(({ name, bounds }) => element('rect', {
    ...projection.rectangle(bounds),
    fill: colorOf(name),
    'fill-opacity': '0.16',
    stroke: colorOf(name),
    'stroke-opacity': '0.9',
    'stroke-width': 2 * k
  }))
  const taken: Area[] = []
  const numbers = ordered.map(({ id, name, bounds }) => {
    const text = String(Math.max(0, id))
    const size = { width: digitsWidth(text, LABEL_PX * k) + 2 * PAD * k, height: (LABEL_PX + 2 * PAD) * k }
    const place = placeFor(projection.rectangle(bounds), size, taken, pixels)
    taken.push(place)
    return numberOf(text, place, colorOf(name), k)
  })
  return frames.join('') + numbers.join('')
}
