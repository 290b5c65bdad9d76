// The bed with the models on it: as a picture, or from above with models that can be moved.

import { number, t } from 'shell'
import { html, useState } from './lib.js'

/** mm, of one press of an arrow key; with Shift ten of them. */
const STEP_MM = 1
/** Between the lines of the bed. */
const GRID_MM = 50
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

const middle = ([minX, minY, maxX, maxY]) => [(minX + maxX) / 2, (minY + maxY) / 2]

/**
 * The nearest place in whole mm where a model does not lie over the edge.
 * @param {number[]} at @param {number[]} box @param {number[]} bed
 */
const within = ([x, y], [minX, minY, maxX, maxY], [width, depth]) => [[x, maxX - minX, width], [y, maxY - minY, depth]]
  .map(([at, size, room]) => Math.min(room - size / 2, Math.max(size / 2, Math.round(at))))

/**
 * A model from above. It is dragged, or moved with arrow keys.
 * @param {{ instance: any, bed: number[], onMove: (at: number[]) => void }} props
 */
function Movable ({ instance: { name, box }, bed, onMove }) {
  const [drag, setDrag] = useState(/** @type {{ from: number[], mm: number, by: number[] } | null} */ (null))
  const [x, y] = middle(box)
  const start = event => {
    const { width } = event.currentTarget.ownerSVGElement.getBoundingClientRect()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ from: [event.clientX, event.clientY], mm: Math.max(bed[0], bed[1]) / width, by: [0, 0] })
  }
  const move = event => {
    if (!drag) return
    const { from: [fromX, fromY], mm } = drag
    setDrag({ ...drag, by: [(event.clientX - fromX) * mm, (fromY - event.clientY) * mm] })
  }
  const end = () => {
    if (!drag) return
    setDrag(null)
    const at = within([x + drag.by[0], y + drag.by[1]], box, bed)
    if (Math.hypot(...drag.by) >= STEP_MM) onMove(at)
  }
  const press = event => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const step = event.shiftKey ? 10 * STEP_MM : STEP_MM
    onMove(within([x + arrow[0] * step, y + arrow[1] * step], box, bed))
  }
  const [right, up] = drag?.by ?? [0, 0]
  const where = { name, x: number(Math.round(x + right)), y: number(Math.round(y + up)) }
  return html`<rect class=${`movable ${drag ? 'held' : ''}`} x=${box[0] + right} y=${bed[1] - box[3] - up} width=${box[2] - box[0]}
    height=${box[3] - box[1]} rx="1" tabindex="0" role="button" aria-label=${t('slicing.move.label', where)} onPointerDown=${start}
    onPointerMove=${move} onPointerUp=${end} onPointerCancel=${() => setDrag(null)} onKeyDown=${press}><title>${name}</title></rect>`
}

/** Lines across the bed. @param {number[]} bed */
const gridOf = ([width, depth]) => [
  ...Array.from({ length: Math.ceil(width / GRID_MM) - 1 }, (_, at) => `M${(at + 1) * GRID_MM} 0v${depth}`),
  ...Array.from({ length: Math.ceil(depth / GRID_MM) - 1 }, (_, at) => `M0 ${depth - (at + 1) * GRID_MM}h${width}`)
].join('')

/** The picture is square, with the bed in its middle. */
function Above ({ placed: { bed, excluded, instances }, onMove }) {
  const size = Math.max(bed[0], bed[1])
  return html`<svg class="above" viewBox=${`${(bed[0] - size) / 2} ${(bed[1] - size) / 2} ${size} ${size}`}>
    <path class="grid" d=${gridOf(bed)} /><rect class="edge" width=${bed[0]} height=${bed[1]} rx="3" />
    ${excluded.map(({ minX, minY, maxX, maxY }) => html`<rect class="taken" x=${minX} y=${bed[1] - maxY} width=${maxX - minX}
      height=${maxY - minY} />`)}
    ${instances.map(instance => html`<${Movable} key=${instance.id} instance=${instance} bed=${bed}
      onMove=${at => onMove(instance, at)} />`)}</svg>`
}

/**
 * @param {{ placed: any, isAbove: boolean, onAbove: (isAbove: boolean) => void,
 *   onMove?: (instance: any, at: number[]) => void }} props
 */
export function Bed ({ placed, isAbove, onAbove, onMove }) {
  const { picture, bed, problem, isOld } = placed
  return html`<section class="card bed" aria-label=${t('slicing.bedView')}>
    <div class="picture">${picture && html`<img src=${picture} alt=${t('slicing.bedView')} class=${isOld ? 'old' : ''} />`}
      ${isAbove && bed && onMove && html`<${Above} placed=${placed} onMove=${onMove} />`}</div>
    ${!picture && problem === '' && html`<p class="boot" role="status">…</p>`}
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    ${onMove && html`<div class="buttons"><button type="button" class="small" aria-pressed=${isAbove}
      onClick=${() => onAbove(!isAbove)}>${t('slicing.move')}</button>${isAbove && html`<small class="faint">${t('slicing.move.how')}</small>`}</div>`}</section>`
}
