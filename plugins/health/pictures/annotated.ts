import { airZone, HOT } from '../analysis/brightness.js'
import { plateOf } from '../analysis/improved/geometry.js'
import type { CellMap } from '../analysis/improved/cell-grid.js'
import { WIDTH } from '../analysis/index.js'
import { boxOf, type Box, type Picture } from '../analysis/picture.js'
import { BADGES, COLORS, heatColor, VISIBILITY_LABELS } from './colors.js'
import { overlaid } from './images.js'
import { cut, text } from './text.js'
import { ageText, type Scene, type PictureContent } from './scene.js'

const rect = ({ left, top, right, bottom }: Box, attributes: string) =>
  `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" ${attributes}/>`

/** The outline of the plate as a polygon, in pixels. */
const plateShape = ({ context }: PictureContent, { width, height }: Picture) =>
  plateOf(context).map(([x, y]) => `${(x * width).toFixed(0)},${(y * height).toFixed(0)}`).join(' ')

/** The box of a cell, scaled from the analysed picture to the shown one. */
function cellBox ({ columns }: CellMap, cell: number, { width, full }: { width: number, full: Picture }): Box {
  const side = 16 * width / Math.min(WIDTH, full.width)
  const [x, y] = [cell % columns * side, Math.floor(cell / columns) * side]
  return { left: Math.round(x), top: Math.round(y), right: Math.round(x + side), bottom: Math.round(y + side) }
}

function cells ({ view, picture, full }: Scene): string {
  const { cells: maps } = view.analysis
  if (!maps) return ''
  const { tangle, lasting } = maps
  return [...tangle.values].map((value, cell) => {
    if (value === 0) return ''
    const box = cellBox(tangle, cell, { width: picture.width, full })
    const per = lasting.values[cell] ?? 0
    return per > 0
      ? rect(box, `fill="${COLORS.crit}" fill-opacity="${((40 + 160 * per) / 255).toFixed(2)}"`)
      : rect(box, `fill="none" stroke="${COLORS.info}" stroke-opacity="0.35"`)
  }).join('')
}

/** Tints the hot pixels of the air zone by the heat scale. */
function withHotPixels (picture: Picture): Picture {
  const data = new Uint8Array(picture.data)
  const { left, top, right, bottom } = airZone(picture)
  for (let y = top; y < bottom; y++) {
    for (let x = left, at = (y * picture.width + left) * 3; x < right; x++, at += 3) {
      const mean = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
      if (mean <= HOT) continue
      heatColor(mean / 255).forEach((value, channel) => {
        data[at + channel] = (data[at + channel] ?? 0) * (1 - 160 / 255) + value * 160 / 255
      })
    }
  }
  return { ...picture, data }
}

const MOST_BOXES = 50
const LONGEST_LABEL = 16

/** Detections of models with their certainty. */
function modelBoxes ({ boxes }: PictureContent, { width, height }: Picture): string {
  return boxes.slice(0, MOST_BOXES).map(({ left, top, right, bottom, score, label }) => {
    const box = boxOf({ width, height, data: NO_PIXELS }, left, top, right, bottom)
    const words = `${cut(label, LONGEST_LABEL)} ${Math.round(score * 100)}%`
    return rect(box, `fill="none" stroke="${COLORS.hot}" stroke-width="2"`) +
      text(box.left + 3, Math.max(9, box.top - 3), words, { size: 7, color: COLORS.hot })
  }).join('')
}
const NO_PIXELS = new Uint8Array(0)

/** Narrower pictures have no space for figures. */
const LEAST_WIDE = 200

interface Bar { readonly name: string, readonly value: number, readonly full: number }

function barsOf ({ analysis: { hot, strands, edges, cells: maps } }: PictureContent): readonly Bar[] {
  const fresh = maps ? Math.max(0, ...maps.novelty.values) : 0
  return [
    { name: 'HOT', value: hot, full: 0.15 },
    { name: 'STRAND', value: strands, full: 0.2 },
    edges === undefined ? { name: 'NEW', value: fresh, full: 0.3 } : { name: 'EDGE', value: edges, full: 0.15 }
  ]
}

function inset (view: PictureContent, width: number): string {
  if (width < LEAST_WIDE) return ''
  const { status, analysis, context: { layer }, referenceAgeS } = view
  const [left, top] = [width - 138, 8]
  const { back, ink } = BADGES[status.word]
  const bars = barsOf(view).map(({ name, value, full }, at) => {
    const y = top + 38 + at * 13
    return text(left + 6, y + 6, name, { size: 6, color: COLORS.label }) +
      `<rect x="${left + 48}" y="${y}" width="74" height="6" fill="#333"/>` +
      `<rect x="${left + 48}" y="${y}" width="${(74 * Math.min(1, value / full)).toFixed(1)}" height="6" fill="${value >= full ? COLORS.crit : COLORS.hot}"/>`
  })
  const age = referenceAgeS === null ? 'NO REF' : `REF ${ageText(referenceAgeS)}`
  return `<rect x="${left}" y="${top}" width="130" height="90" fill="#000" fill-opacity="0.75" stroke="#ffffff33"/>` +
    `<rect x="${left + 1}" y="${top + 1}" width="128" height="16" fill="${back}"/>` +
    text(left + 65, top + 12, status.word, { size: 7, color: ink, anchor: 'middle' }) +
    text(left + 6, top + 30, `SCORE ${analysis.anomaly.toFixed(3)}`, { size: 7, color: COLORS.value }) +
    bars.join('') + text(left + 6, top + 85, VISIBILITY_LABELS[status.sight] || `L${layer}  ${age}`, { size: 6, color: COLORS.label })
}

/** The frame with the analysed zones and the findings. */
export async function annotated (scene: Scene): Promise<Picture> {
  const { view, picture } = scene
  const improved = view.profile === 'improved'
  const plate = improved
    ? `<polygon points="${plateShape(view, picture)}" fill="${COLORS.ok}" fill-opacity="0.06" stroke="${COLORS.ok}" stroke-opacity="0.9"/>`
    : rect(boxOf(picture, 0.2, 0.35, 0.8, 0.8), `fill="${COLORS.ok}" fill-opacity="0.1" stroke="${COLORS.ok}" stroke-opacity="0.9"`)
  const zone = rect(airZone(picture), `fill="none" stroke="${COLORS.warn}" stroke-opacity="0.9"`)
  const drawn = zone + plate + cells(scene) + modelBoxes(view, picture) + inset(view, picture.width)
  return await overlaid(improved ? picture : withHotPixels(picture), drawn)
}
