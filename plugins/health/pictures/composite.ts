import type { Picture } from '../analysis/picture.js'
import { COLORS, BADGES } from './colors.js'
import { PANEL_HIGH } from './panel.js'
import { arranged, type Size } from './images.js'
import { cut, text } from './text.js'
import type { PictureContent } from './scene.js'

const HEADER = 32
const GAP = 2
const LONGEST_NAME = 27

export interface Panels {
  readonly thumbnail: Picture | null
  readonly layout: Picture | null
  readonly raw: Picture
  readonly diff: Picture | null
  readonly annotated: Picture
  readonly heat: Picture
  readonly health: Picture
}

const NAMES = ['PROJECT', 'LAYOUT', 'CAMERA', 'DELTA', 'DETECTION', 'HEATMAP'] as const

function header ({ context, status }: PictureContent, width: number): string {
  const { jobName, layer, totalLayers, remainingMinutes, progressPct } = context
  const narrow = width < 700
  const room = width - 16
  const right = `L${layer}/${totalLayers}  ${remainingMinutes}m`
  return text(8, 17, cut(jobName, LONGEST_NAME), { size: narrow ? 9 : 11, color: COLORS.gold }) +
    text(width - 8, 17, right, { size: narrow ? 9 : 11, color: COLORS.value, anchor: 'end' }) +
    `<rect x="8" y="24" width="${room}" height="4" fill="${COLORS.dim}"/>` +
    `<rect x="8" y="24" width="${(room * Math.min(100, progressPct) / 100).toFixed(1)}" height="4" fill="${BADGES[status.word].ink}"/>`
}

function frameOf ({ width, height }: Size, left: number, top: number, name: string, empty: boolean): string {
  const words = empty
    ? `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#141414"/>` +
      text(left + width / 2, top + height / 2 + 5, 'N/A', { size: 12, color: COLORS.dim, anchor: 'middle' })
    : ''
  return `${words}<rect x="${left + width - name.length * 6.6 - 10}" y="${top + 2}" width="${name.length * 6.6 + 8}" height="13" fill="#000" fill-opacity="0.6"/>` +
    text(left + width - 6, top + 12, name, { size: 7, color: COLORS.label, anchor: 'end' })
}

/** All pictures on one sheet: the plate as planned, the camera frame, and the findings. */
export async function composite (view: PictureContent, size: Size, panels: Panels): Promise<Picture> {
  const { width, height } = size
  const wide = 2 * width + GAP
  const grid = [panels.thumbnail, panels.layout, panels.raw, panels.diff, panels.annotated, panels.heat]
  const place = (at: number) => ({ left: at % 2 * (width + GAP), top: HEADER + Math.floor(at / 2) * (height + GAP) })
  const captions = grid.map((picture, at) => {
    const { left, top } = place(at)
    // The inset of the detection takes the place of its caption.
    return at === 4 && width >= 200 ? '' : frameOf(size, left, top, NAMES[at] ?? '', picture === null)
  })
  const parts = grid.flatMap((picture, at) => picture === null ? [] : [{ picture, ...place(at) }])
  const foot = { picture: panels.health, left: 0, top: HEADER + 3 * height + 2 * GAP }
  const whole = { width: wide, height: foot.top + PANEL_HIGH }
  return await arranged(whole, [...parts, foot], header(view, wide) + captions.join(''))
}
