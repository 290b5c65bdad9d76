import { composeImage, sidesOf } from '../images.js'
import { projectionOf, type BedMm } from '../read/bed.js'
import type { Box } from '../read/plate-map.js'
import { drawBoxes, paintOf } from './boxes.js'
import { digits, digitsWidth, element, escape, shorten, svg } from './svg.js'

const WIDTH_PX = 1024
const ROW_PX = 34
const MARGIN_PX = 20
const GRID_MM = 50
const INK = '#DCDCDC'
const LEGEND_GROUND = '#1E1E1E'
/** Of legends longer than this only the beginning is drawn. */
const MOST_ROWS = 60

/** The bed with a line every five centimetres. */
function ground (bed: BedMm, width: number, height: number, whole: number): string {
  const { rectangle } = projectionOf(bed, { width, height })
  const [w, d] = bed
  const lines = (most: number, at: (mm: number) => readonly [number, number, number, number]) =>
    Array.from({ length: Math.floor(most / GRID_MM) + 1 }, (_, step) => {
      const { x, y, width: dx, height: dy } = rectangle(at(step * GRID_MM))
      return element('path', { d: `M${x} ${y}l${dx} ${dy}`, stroke: '#45484D', 'stroke-width': 1 })
    }).join('')
  return svg(width, whole,
    element('rect', { width, height: whole, fill: LEGEND_GROUND }),
    element('rect', { ...rectangle([0, 0, w, d]), fill: '#2E3136', stroke: '#6B6F76', 'stroke-width': 2 }),
    lines(w, mm => [mm, 0, mm, d]), lines(d, mm => [0, mm, w, mm]))
}

interface Row { readonly name: string, readonly ids: readonly number[] }

const rowsOf = (boxes: readonly Box[]): Row[] => paintOf(boxes).names.map(name =>
  ({ name, ids: boxes.filter(box => box.name === name).map(({ id }) => Math.max(0, id)) }))

const MOST_IDS = 12

function legendRow ({ name, ids }: Row, at: number, top: number, color: string): string {
  const y = top + MARGIN_PX + at * ROW_PX
  const shown = ids.slice(0, MOST_IDS)
  let x = WIDTH_PX - MARGIN_PX
  const numbers = shown.toReversed().map(id => {
    x -= digitsWidth(String(id), 14) + 14
    return digits(String(id), x, y + 3, 14, color)
  })
  const text = escape(shorten(name.replace(/\.stl$/i, '') || '(no name)')) + (ids.length > 1 ? ` (${ids.length})` : '')
  return element('rect', { x: MARGIN_PX, y, width: 20, height: 20, fill: color, 'fill-opacity': '0.86' }) +
    `<text x="${MARGIN_PX + 34}" y="${y + 16}" fill="${INK}" font-family="sans-serif" font-size="19">${text}</text>` +
    numbers.join('')
}

/**
 * The view from above with every object's outline, number and name.
 * @param top the slicer's picture, a PNG
 * @returns PNG
 */
export async function drawLayout (top: Buffer, boxes: readonly Box[], bed: BedMm): Promise<Buffer> {
  const sides = sidesOf(top)
  const height = Math.max(1, Math.min(4 * WIDTH_PX, Math.round(WIDTH_PX * sides.height / sides.width)))
  const rows = rowsOf(boxes).slice(0, MOST_ROWS)
  const whole = height + 2 * MARGIN_PX + rows.length * ROW_PX
  const { colorOf } = paintOf(boxes)
  const above = svg(WIDTH_PX, whole,
    drawBoxes(boxes, bed, { width: WIDTH_PX, height }, WIDTH_PX / 512),
    ...rows.map((row, at) => legendRow(row, at, height, colorOf(row.name))))
  return await composeImage(ground(bed, WIDTH_PX, height, whole), top, { width: WIDTH_PX, height }, above)
}
