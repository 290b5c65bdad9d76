export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Characters that XML forbids, and control characters that reorder bidirectional text. */
// eslint-disable-next-line no-control-regex
const UNFIT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]|\p{Surrogate}/gu

const ENTITIES: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for content and double-quoted attributes of SVG and HTML. */
export const escapeText = (text: string): string =>
  text.replace(UNFIT, '\uFFFD').replace(/[&<>"]/g, character => ENTITIES[character] ?? '')

/** A coordinate with one decimal; NaN becomes 0, so that a drawing is never broken. */
export const round1 = (value: number): number => Number.isFinite(value) ? Math.round(value * 10) / 10 : 0

const attribute = (value: string | number) =>
  typeof value === 'number' ? String(round1(value)) : escapeText(value)

/** An element. Attributes are escaped, undefined ones are omitted; children are SVG already. */
export function tag (name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => value === undefined ? '' : ` ${key}="${attribute(value)}"`).join('')
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`
}

/** A text element; its content is escaped. */
export const label = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
  tag('text', { x, y, ...attributes }, escapeText(content))

/** Part of a text element. */
export const span = (content: string, className: string): string =>
  tag('tspan', { class: className }, escapeText(content))

/** Mean character width of a wide sans-serif font, relative to the font size. */
const CHARACTER = 0.6

/** Approximate width of a text, in units of the drawing. */
export const widthOf = (text: string, size: number): number => [...text].length * size * CHARACTER

/** Truncates a text to a width. */
export function fit (text: string, width: number, size: number): string {
  const characters = [...text]
  const most = Math.max(1, Math.floor(width / (size * CHARACTER)))
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('').trimEnd()}…`
}
