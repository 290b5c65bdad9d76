const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** What no document may hold, and marks that turn the direction of the text around them. */
// eslint-disable-next-line no-control-regex
const UNFIT = /[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]|\p{Surrogate}/gu

/** Names come from the archive: they are shown, never obeyed. */
export const escape = (text: string): string =>
  text.replace(UNFIT, '\uFFFD').replace(/[&<>"']/g, character => ENTITIES[character] ?? '')

const LONGEST_NAME = 60
export const shorten = (text: string, most = LONGEST_NAME): string => {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

const round = (value: number): number => Number.isFinite(value) ? Math.round(value * 10) / 10 : 0

/** An element; numbers are rounded, texts escaped, children taken as they are. */
export function element (name: string, attributes: Readonly<Record<string, string | number>>, ...children: string[]):
string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escape(value)}"`).join('')
  return `<${name}${written}>${children.join('')}</${name}>`
}

export const svg = (width: number, height: number, ...children: string[]): string =>
  element('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${round(width)} ${round(height)}` },
    ...children)

/** Digits as strokes on a grid of 4 by 6: a machine without fonts draws no text at all. */
const STROKES: Readonly<Record<string, string>> = {
  0: 'M0 0H4V6H0Z',
  1: 'M1 1L2 0V6',
  2: 'M0 0H4V3H0V6H4',
  3: 'M0 0H4V6H0M1 3H4',
  4: 'M0 0V3H4M4 0V6',
  5: 'M4 0H0V3H4V6H0',
  6: 'M4 0H0V6H4V3H0',
  7: 'M0 0H4L1 6',
  8: 'M0 0H4V6H0ZM0 3H4',
  9: 'M4 3H0V0H4V6H0'
}
const ADVANCE = 5.6

export const digitsWidth = (text: string, size: number): number => (text.length * ADVANCE - 1.6) * size / 6

/** A whole number in strokes. @param size height, px */
export function digits (text: string, x: number, y: number, size: number, color: string): string {
  const scale = size / 6
  const glyphs = [...text].map((digit, at) =>
    element('path', { d: STROKES[digit] ?? '', transform: `translate(${at * ADVANCE} 0)` }))
  return element('g', {
    transform: `translate(${round(x)} ${round(y)}) scale(${scale.toFixed(3)})`,
    fill: 'none',
    stroke: color,
    'stroke-width': '1',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round'
  }, ...glyphs)
}
