import { CHART_STYLE } from './style.js'
import { escapeText, label, tag, widthOf, fit } from './tag.js'

/** Size of every drawing in user units: small, so that text stays legible on a narrow screen. */
export const WIDTH = 400
export const HEIGHT = 300
/** Margin at the left and right. */
export const EDGE = 14

export interface Frame {
  /** Unique on a page: lower-case letters, digits, hyphens. */
  readonly id: string
  readonly title: string
  /** Describes the drawing with its current values, for screen readers. */
  readonly description: string
  /** A short remark at the right of the title. */
  readonly remark?: string | undefined
  /** SVG text. */
  readonly body: string
}

const TITLE_SIZE = 15
const TEXT_SIZE = 12
const TITLE_Y = 24

/** Wraps a body: accessible name and description, style, background, title. */
export function frame ({ id, title, description, remark, body }: Frame): string {
  const name = `prnd-${id}`
  return tag('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'prnd-chart',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-labelledby': `${name}-title`,
    'aria-describedby': `${name}-desc`
  },
  tag('title', { id: `${name}-title` }, escapeText(title)),
  tag('desc', { id: `${name}-desc` }, escapeText(description)),
  `<style>${CHART_STYLE}</style>`,
  tag('rect', { class: 'bg', width: WIDTH, height: HEIGHT }),
  label(EDGE, TITLE_Y, title, { class: 'h' }),
  remark === undefined ? '' : remarkText(remark, title),
  body)
}

const remarkText = (remark: string, title: string) => label(WIDTH - EDGE, TITLE_Y,
  fit(remark, WIDTH - 3 * EDGE - widthOf(title, TITLE_SIZE), TEXT_SIZE), { class: 'm', 'text-anchor': 'end' })

export interface Note extends Pick<Frame, 'id' | 'title'> {
  /** A few words, such as `no data`. */
  readonly text: string
  /** A sentence that explains it. */
  readonly detail?: string
}

/** A drawing that explains why there is no chart. */
export const note = ({ id, title, text, detail = '' }: Note): string => frame({
  id,
  title,
  description: detail === '' ? text : `${text}. ${detail}`,
  body: label(WIDTH / 2, HEIGHT / 2, text, { class: 'm big', 'text-anchor': 'middle' }) +
    label(WIDTH / 2, HEIGHT / 2 + 24, detail, { class: 'm', 'text-anchor': 'middle' })
})
