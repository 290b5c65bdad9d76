import { round1, tag } from './tag.js'

const SIZE = 3.6

/** The mark of a series, at the end of its line and in the legend, to tell lines apart without colour. */
export function shape (series: number, x: number, y: number): string {
  const attributes = { class: `f${series} k` }
  const [r, cx, cy] = [SIZE, round1(x), round1(y)]
  switch (series % 4) {
    case 1: return tag('circle', { ...attributes, cx, cy, r })
    case 2: return tag('rect', { ...attributes, x: cx - r, y: cy - r, width: 2 * r, height: 2 * r })
    case 3: return tag('path', { ...attributes, d: `M${cx} ${round1(cy - r - 1)}l4.6 8h-9.2z` })
    default: return tag('path', { ...attributes, d: `M${cx} ${round1(cy - r - 1)}l4.6 4.6-4.6 4.6-4.6-4.6z` })
  }
}
