import { setImmediate } from 'node:timers/promises'
import type { TrackChunk } from './page/decode-track.js'
import { FEATURES, type Feature } from './read/features.data.js'

const SIDE_PX = 1024
/** mm around the bed, for what lies beyond it. */
const MARGIN_MM = 10
const LINE_MM = 0.42
const GROUND = '#1E1E1E'
const BED = '#2E3136'
const BED_EDGE = '#6B6F76'

/** Colours of what a move builds; related ones look alike. */
export const FEATURE_COLORS: Readonly<Record<Feature, string>> = {
  none: '#9AA0A6',
  outer_wall: '#FF8A3D',
  inner_wall: '#FFD24A',
  overhang_wall: '#4C6FFF',
  sparse_infill: '#C0392B',
  solid_infill: '#B35CFF',
  top_surface: '#FF5A5A',
  bottom_surface: '#6D8BFF',
  bridge: '#4FB3FF',
  gap_infill: '#FFFFFF',
  ironing: '#FFB3B3',
  skirt: '#2F8F6B',
  brim: '#2FA37A',
  support: '#33D17A',
  support_interface: '#1FA055',
  prime_tower: '#8FD3C8',
  custom: '#7FE0D0'
}

export interface LayerDrawing {
  /** PNG. */
  readonly png: Buffer
  readonly width: number
  readonly height: number
  /** What is printed in the layer. */
  readonly features: readonly Feature[]
}

const rounded = (value: number): number => Math.round(value * 10) / 10

/** The path of what is extruded, by feature, as SVG path data in mm. */
function addPaths (paths: Map<Feature, string[]>, { start, x, y, extruded, feature, count }: TrackChunk): void {
  let [atX, atY] = [start[0]!, start[1]!]
  let isDrawing: Feature | undefined
  for (let at = 0; at < count; at++) {
    const [toX, toY] = [x[at]!, y[at]!]
    const name = extruded[at]! > 0 ? FEATURES[feature[at]!] ?? 'custom' : undefined
    if (name !== undefined) {
      const parts = paths.get(name) ?? []
      paths.set(name, parts)
      if (isDrawing !== name) parts.push(`M${rounded(atX)} ${rounded(atY)}`)
      parts.push(`L${rounded(toX)} ${rounded(toY)}`)
    }
    isDrawing = name
    atX = toX
    atY = toY
  }
}

/** The bed from above, with what is extruded in the chunks. @param bed mm */
export async function drawLayer (
  chunks: readonly TrackChunk[], [bedX, bedY]: readonly number[]
): Promise<LayerDrawing> {
  const [wide, deep] = [bedX! + 2 * MARGIN_MM, bedY! + 2 * MARGIN_MM]
  const scale = SIDE_PX / Math.max(wide, deep)
  const [width, height] = [Math.round(wide * scale), Math.round(deep * scale)]
  const paths = new Map<Feature, string[]>()
  for (const chunk of chunks) {
    addPaths(paths, chunk)
    await setImmediate() // a large layer must not delay printers
  }
  const lines = [...paths].map(([name, parts]) => `<path d="${parts.join('')}" stroke="${FEATURE_COLORS[name]}"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="${GROUND}"/>` +
    `<g transform="translate(${MARGIN_MM * scale} ${height - MARGIN_MM * scale}) scale(${scale} ${-scale})">` +
    `<rect width="${bedX}" height="${bedY}" fill="${BED}" stroke="${BED_EDGE}"/>` +
    `<g fill="none" stroke-width="${LINE_MM}" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g>` +
    '</g></svg>'
  const { default: sharp } = await import('sharp') // only with the first picture
  const png = await sharp(Buffer.from(svg), { unlimited: true }).png().toBuffer()
  return { png, width, height, features: FEATURES.filter(name => paths.has(name)) }
}
