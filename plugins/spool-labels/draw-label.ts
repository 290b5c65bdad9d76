import encodeQR from 'qr'
import { fitText, plainText } from './fit-text.js'
import type { Letters } from './types.js'

/** What a label says; empty texts are left out. */
export interface LabelContent {
  readonly id: string
  readonly name: string
  readonly material: string
  readonly brand: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  readonly nozzleC: readonly [low: number, high: number] | undefined
  readonly bedC: number | undefined
  readonly netGrams: number | undefined
  /** What its QR code says. */
  readonly address: string
}

/** A filled area: an SVG path in mm, from the upper left corner of the page. */
export interface Shape {
  readonly path: string
  readonly fill: string
}

const INK = '#000000'
const QUIET_MODULES = 2
const HEX_COLOR = /^#[0-9a-f]{6}$/i
/** Letters below this cannot be read, mm. */
const SMALLEST = 1.7

interface Place { readonly x: number, readonly y: number, readonly width: number, readonly height: number }

const rounded = (value: number): number => Math.round(value * 1000) / 1000

export const rectangle = ({ x, y, width, height }: Place): string => {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(rounded)
  return `M${left} ${top}H${right}V${bottom}H${left}Z`
}

/** Dark modules in a row are drawn as one rectangle, so that no hairlines are between them. */
function qrPath (text: string, { x, y, width: side }: Place): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES })
  const module = side / rows.length
  return rows.flatMap((row, top) => row.flatMap((isDark, left) => {
    if (!isDark || row[left - 1] === true) return []
    let end = left
    while (row[end] === true) end++
    return [rectangle({ x: x + left * module, y: y + top * module, width: (end - left) * module, height: module })]
  })).join('')
}

/** A nozzle, and a bed: words would need a language. */
const NOZZLE = [[0, 0.8], [0.7, 0.8], [0.7, 0.4], [0.48, 0], [0.22, 0], [0, 0.4]] as const
const nozzlePath = (x: number, y: number, size: number): string =>
  `M${NOZZLE.map(([right, up]) => `${rounded(x + right * size)} ${rounded(y - up * size)}`).join('L')}Z`
const bedPath = (x: number, y: number, size: number): string =>
  rectangle({ x, y: y - size * 0.22, width: size * 0.9, height: size * 0.2 })

/** The colour of the filament, with a line around it that shows white too. */
function swatch (place: Place, color: string): Shape[] {
  if (!HEX_COLOR.test(color)) return []
  const line = 0.25
  const inner = { x: place.x + line, y: place.y + line, width: place.width - 2 * line, height: place.height - 2 * line }
  return [{ path: rectangle(place), fill: INK }, { path: rectangle(inner), fill: color }]
}

/** All texts of a label, as they are drawn. */
export const textsOf = ({ id, name, material, brand, netGrams }: LabelContent) => ({
  title: plainText(name) || plainText(material),
  kind: plainText([material, brand].filter(text => text !== '').join(' · ')),
  foot: plainText([id, ...netGrams === undefined ? [] : [`${Math.round(netGrams)} g`]].join(' · '))
})

const temperature = ([low, high]: readonly [number, number]) => low === high ? `${low} °C` : `${low}–${high} °C`

/** Draws a label into its place on a page; nothing is drawn outside of it. */
export function drawLabel (face: Letters, content: LabelContent, place: Place): Shape[] {
  const margin = Math.min(2, place.height * 0.07)
  const height = place.height - 2 * margin
  const qrSide = Math.min(height, place.width * 0.45)
  const qr = { x: place.x + margin, y: place.y + (place.height - qrSide) / 2, width: qrSide, height: qrSide }
  const x = qr.x + qrSide + 0.8
  const width = place.x + place.width - margin - x
  const shapes: Shape[] = [{ path: qrPath(content.address, qr), fill: INK }]
  const write = (text: string, baseline: number, size: number, from = x) => {
    if (text !== '') shapes.push({ path: face.outline(text, from, baseline, size), fill: INK })
  }
  const { title, kind, foot } = textsOf(content)
  const top = place.y + margin
  shapes.push(...swatch({ x, y: top, width, height: height * 0.14 }, content.color))

  const smallest = Math.max(SMALLEST, height * 0.12)
  const titled = fitText(face, title, { width, size: Math.max(smallest, height * 0.165), smallest, lines: 2 })
  let baseline = top + height * 0.18
  for (const line of titled.lines) write(line, baseline += titled.size * 1.08, titled.size)

  const small = { width, size: Math.max(SMALLEST, height * 0.115), smallest: SMALLEST }
  const footed = fitText(face, foot, { ...small, size: Math.max(SMALLEST, height * 0.09) })
  const bottom = top + height - footed.size * 0.25
  const heats = heatsOf(face, content, x, bottom - footed.size * 1.35, small)
  const kinded = fitText(face, kind, small)
  write(footed.lines[0] ?? '', bottom, footed.size)
  shapes.push(...heats.shapes)
  write(kinded.lines[0] ?? '', bottom - footed.size * 1.35 - heats.height, kinded.size)
  return shapes
}

/** Temperatures of the nozzle and of the bed, one beside the other. */
function heatsOf (face: Letters, { nozzleC, bedC }: LabelContent, x: number, baseline: number,
  room: { readonly width: number, readonly size: number }): { readonly shapes: Shape[], readonly height: number } {
  const heats = [
    ...nozzleC === undefined ? [] : [{ icon: nozzlePath, text: temperature(nozzleC) }],
    ...bedC === undefined ? [] : [{ icon: bedPath, text: `${bedC} °C` }]
  ]
  if (heats.length === 0) return { shapes: [], height: 0 }
  const ems = heats.reduce((sum, { text }) => sum + 1.1 + face.widthOf(text), (heats.length - 1) * 0.6)
  const size = Math.min(room.size, room.width / ems)
  const shapes: Shape[] = []
  let left = x
  for (const { icon, text } of heats) {
    shapes.push({ path: icon(left, baseline, size), fill: INK })
    shapes.push({ path: face.outline(text, left + 1.1 * size, baseline, size), fill: INK })
    left += (1.7 + face.widthOf(text)) * size
  }
  return { shapes, height: room.size * 1.3 }
}
