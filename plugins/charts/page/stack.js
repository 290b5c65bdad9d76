// Stacked columns over time, with the amounts of the column under the pointer.

import { number } from 'shell'
import { html, useWidth } from './lib.js'
import { topOf } from './stack-model.js'

const HEIGHT = 230
const TOP = 10
const BOTTOM = 24
const LEFT = 60
const STEPS = 4
const LABEL_WIDTH = 74
const LARGEST_COLUMN = 56

/** The parts of a column from the bottom up. */
function rectsOf (parts, scale) {
  let below = 0
  return parts.filter(({ value }) => value > 0).map(part => {
    const top = scale(below + part.value)
    const rect = { ...part, y: top, height: Math.max(scale(below) - top - 1, 1) }
    below += part.value
    return rect
  })
}

/** What is not drawn is read: each column with its amounts. */
const Values = ({ columns, textOf, label }) => html`<div class="hidden"><table><caption>${label}</caption>
  <tbody>${columns.map(({ label: name, value, parts }) => html`<tr><th scope="row">${name}</th><td>${textOf(value)}</td>
    <td>${parts.filter(part => part.value > 0).map(part => `${part.text} ${textOf(part.value)}`).join(', ')}</td></tr>`)}</tbody>
</table></div>`

/** @param {any} props `columns` have a label, a short one, a value and parts: each a class, a text and a value */
export function Stack ({ columns, textOf, unit, label, chosen, onChoose }) {
  const [place, width] = useWidth()
  const top = topOf(Math.max(...columns.map(({ value }) => value)))
  const scale = value => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM)
  const step = Math.max(0, width - LEFT) / columns.length
  const column = Math.min(step * 0.72, LARGEST_COLUMN)
  const every = Math.ceil(LABEL_WIDTH / Math.max(step, 1))
  const choose = event => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const at = Math.floor((event.clientX - left - LEFT) / step)
    onChoose(at >= 0 && at < columns.length ? at : -1)
  }
  return html`<figure class="stack" ref=${place}>
    <svg width=${width} height=${HEIGHT} aria-hidden="true" onPointerMove=${choose} onPointerDown=${choose}
      onPointerLeave=${() => onChoose(-1)}>
      ${Array.from({ length: STEPS + 1 }, (_, at) => at * top / STEPS).map(value => html`<g class="tick" key=${value}>
        <path d=${`M${LEFT} ${scale(value)}H${width}`} /><text x=${LEFT - 8} y=${scale(value) + 4} text-anchor="end">${
          number(value, { maximumFractionDigits: 2 })}${value === top && unit ? ` ${unit}` : ''}</text></g>`)}
      ${columns.map(({ at, short, parts }, number) => {
        const x = LEFT + (number + 0.5) * step
        return html`<g key=${at} class=${number === chosen ? 'chosen' : ''}>
          ${rectsOf(parts, scale).map(rect => html`<rect class=${rect.color} x=${x - column / 2} y=${rect.y}
            width=${column} height=${rect.height} rx="2" />`)}
          ${(columns.length - 1 - number) % every === 0 && html`<text x=${number === columns.length - 1 ? x + column / 2 : x} y=${HEIGHT - 6}
            text-anchor=${number === columns.length - 1 ? 'end' : 'middle'}>${short}</text>`}</g>`
      })}
    </svg>
    <${Values} columns=${columns} textOf=${textOf} label=${label} />
  </figure>`
}
