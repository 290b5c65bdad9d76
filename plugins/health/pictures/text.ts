import { GLYPHS } from './font.data.js'

export interface TextStyle {
  /** Height of a capital in pixels. */
  readonly size: number
  readonly color: string
  /** @default 'start' */
  readonly anchor?: 'start' | 'middle' | 'end'
}

const GRID_HIGH = 6
/** Distance from one letter to the next, in units of the glyph grid. */
const ADVANCE = 5.4
const NO_GLYPH = '\uFFFD'
const ACCENTS = /\p{Mark}/gu
/** Stroke width relative to the height. */
const STROKE = 0.15

/** Maps a text to the available glyphs: capitals without accents. */
const spelled = (content: string): string[] => [...content.normalize('NFD').replace(ACCENTS, '').toUpperCase()]
  .map(letter => letter in GLYPHS ? letter : NO_GLYPH)

export const textWidth = (content: string, size: number): number =>
  Math.max(0, spelled(content).length * ADVANCE - 1.4) * size / GRID_HIGH

/** Truncates a text to so many letters, with an ellipsis. */
export const cut = (content: string, most: number): string => {
  const letters = [...content]
  return letters.length <= most ? content : `${letters.slice(0, most - 1).join('')}…`
}

/** A line of text as an SVG path, with `y` as its baseline. Strokes only, so no content needs escaping. */
export function text (x: number, y: number, content: string, { size, color, anchor = 'start' }: TextStyle): string {
  const unit = size / GRID_HIGH
  const width = textWidth(content, size)
  const left = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x
  const strokes = spelled(content).flatMap((letter, at) => {
    const from = left + at * ADVANCE * unit
    return (GLYPHS[letter] ?? '').split(' ').filter(stroke => stroke !== '').map(stroke =>
      `M${(stroke.match(/../g) ?? []).map(([column = '0', row = '0']) =>
        `${(from + Number(column) * unit).toFixed(1)} ${(y - size + Number(row) * unit).toFixed(1)}`).join('L')}`)
  })
  return `<path d="${strokes.join('')}" fill="none" stroke="${color}" stroke-width="${Math.max(1, size * STROKE).toFixed(2)}" ` +
    'stroke-linecap="round" stroke-linejoin="round"/>'
}
