// A drawing of each printer model from the front: by line and proportion, with its spools, its light, and its part.

import { html } from './components.js'
import { ANY_SHAPE, SHAPES } from './printer-models.data.js'

const GROUND = 186
const MIDDLE = 120
/** What a part of 100 % is high. */
const PART = 46

/** @param {{ x: number, y: number, nozzles: 1 | 2 }} props `y` of the tip */
const Head = ({ x, y, nozzles }) => {
  const wide = nozzles === 2 ? 32 : 24
  return html`<g>
    <rect class="head" x=${x - wide / 2} y=${y - 27} width=${wide} height="20" rx="4" />
    <path class="tip" d=${(nozzles === 2 ? [-7, 7] : [0]).map(at => `M${x + at - 4} ${y - 7}h8l-2.4 7h-3.2Z`).join('')} />
  </g>`
}

/** A part that has grown to a share of its height, standing on the bed: the rest is outside of the inner drawing. */
const Part = ({ x, bed, share, color }) => share > 0 && html`<svg x=${x - 30} y=${bed - PART * share} width="60" height=${PART * share}
  viewBox=${`-30 ${-PART * share} 60 ${PART * share}`}>
  <path class="part" fill=${color} d="M-20 0c-8-16-2-26 4-32 3-4 3-9 2-14h28c-1 5-1 10 2 14 6 6 12 16 4 32Z" />
</svg>`

const Spools = ({ spools, y, middle, gap }) => spools.map((spool, at) => {
  const x = middle + (at - (spools.length - 1) / 2) * gap
  return html`<g key=${at}>
    <circle class=${spool.color ? 'spool' : 'spool none'} cx=${x} cy=${y} r="11.5" fill=${spool.color || 'none'} />
    <circle class="hub" cx=${x} cy=${y} r="3.6" />
  </g>`
})

/** The unit on top of a cabinet. */
const Unit = ({ top, spools }) => {
  const width = Math.max(1, spools.length) * 27 + 14
  return html`<g>
    <rect class="unit" x=${MIDDLE - width / 2} y=${top - 35} width=${width} height="33" rx="9" />
    <${Spools} spools=${spools} y=${top - 18.5} middle=${MIDDLE} gap=${27} />
  </g>`
}

const SCREENS = {
  corner: ({ left, top }) => html`<rect class="screen" x=${left + 10} y=${top + 5} width="34" height="17" rx="3" />`,
  keys: ({ left, top }) => html`<g><rect class="screen" x=${left + 10} y=${top + 7} width="26" height="12" rx="2" />
    <circle class="key" cx=${left + 44} cy=${top + 13} r="4" /></g>`,
  wide: ({ left, top }) => html`<rect class="screen" x=${left + 10} y=${top + 4} width="46" height="18" rx="3" />`,
  right: ({ left, top, width }) => html`<rect class="screen" x=${left + width - 50} y=${top + 4} width="40" height="20" rx="3" />`
}

function Cabinet ({ shape, share, color, units, isLit }) {
  const { width, height, nozzles } = shape
  const [left, top] = [MIDDLE - width / 2, GROUND - 5 - height]
  const [windowTop, windowEnd] = [top + 27, GROUND - 17]
  const tip = windowTop + 36
  const bed = share > 0 ? tip + PART * share : windowEnd - 22
  const Screen = SCREENS[shape.screen]
  return html`<g>
    <path class="foot" d=${`M${left + 12} ${GROUND - 6}h18v6h-18ZM${left + width - 30} ${GROUND - 6}h18v6h-18Z`} />
    <rect class="body" x=${left} y=${top} width=${width} height=${height} rx="11" />
    <rect class=${`glass ${isLit ? 'lit' : ''}`} x=${left + 10} y=${windowTop} width=${width - 20} height=${windowEnd - windowTop} rx="6" />
    ${shape.kind === 'frame' && html`<path class="rod" d=${`M${left + 22} ${windowTop}V${windowEnd}M${left + width - 22} ${windowTop}V${windowEnd}`} />`}
    <path class="rod" d=${`M${left + 10} ${windowTop + 14}h${width - 20}`} />
    ${shape.rack && html`<path class="rod" d=${`M${left + width - 34} ${windowTop + 24}h16m-16 0v9m8-9v9m8-9v9`} />`}
    <path class="bed" d=${`M${left + 20} ${bed}h${width - 40}v4h-${width - 40}Z`} />
    <${Part} x=${MIDDLE} bed=${bed} share=${share} color=${color} />
    <${Head} x=${share > 0 ? MIDDLE + 6 : left + 36} y=${tip} nozzles=${nozzles} />
    <${Screen} left=${left} top=${top} width=${width} />
    ${units.length > 0 && html`<${Unit} top=${top} spools=${units} />`}
  </g>`
}

function Slinger ({ shape, share, color, units }) {
  const { width, height, kind } = shape
  const middle = units.length > 0 ? MIDDLE - 26 : MIDDLE
  const left = middle - width / 2
  const [top, bed] = [GROUND - height, GROUND - 34]
  const tip = share > 0 ? bed - PART * share : top + 46
  const columns = kind === 'arm' ? [left + width - 14] : [left, left + width - 12]
  const stand = middle + width / 2 + 34
  return html`<g>
    ${columns.map(x => html`<rect key=${x} class="body" x=${x} y=${top} width="12" height=${height - 8} rx="5" />`)}
    ${kind === 'bridge' && html`<rect class="body" x=${left} y=${top} width=${width} height="10" rx="5" />`}
    <rect class="body" x=${left - 4} y=${GROUND - 26} width=${width + 8} height="24" rx="8" />
    <rect class="screen" x=${left + width - 44} y=${GROUND - 22} width="36" height="15" rx="3" />
    <path class="rod" d=${`M${left + (kind === 'arm' ? 6 : 10)} ${tip - 20}h${width - (kind === 'arm' ? 12 : 20)}`} />
    <path class="bed" d=${`M${left + 14} ${bed}h${width - 40}v4h-${width - 40}Z`} />
    <${Part} x=${middle - 8} bed=${bed} share=${share} color=${color} />
    <${Head} x=${share > 0 ? middle - 4 : left + 34} y=${tip} nozzles=${1} />
    ${units.length > 0 && html`<g>
      <path class="rod" d=${`M${stand} ${GROUND - 4}v-86m-18 86h36`} />
      <${Spools} spools=${units.slice(0, 2)} y=${GROUND - 76} middle=${stand} gap=${27} />
      <${Spools} spools=${units.slice(2, 4)} y=${GROUND - 44} middle=${stand} gap=${27} />
    </g>`}
  </g>`
}

/**
 * @param {object} props
 * @param {string} props.model such as `X1C`; empty while unknown
 * @param {{ color: string }[]} [props.spools] of the first unit, with `#rrggbb`, or empty for an empty slot
 * @param {number} [props.percent] of the part on the bed
 * @param {string} [props.color] of the part, `#rrggbb`
 * @param {boolean} [props.isLit] its lamp is on
 * @param {boolean} [props.isHot] the bed glows
 */
export function PrinterDrawing ({ model, spools = [], percent = 0, color = '', isLit = false, isHot = false }) {
  const shape = SHAPES[model] ?? ANY_SHAPE
  const Kind = shape.kind === 'cabinet' || shape.kind === 'frame' ? Cabinet : Slinger
  return html`<svg class=${`drawing ${isHot ? 'hot' : ''}`} viewBox="0 0 240 200" aria-hidden="true">
    <ellipse class="shade" cx="120" cy=${GROUND + 1} rx="96" ry="5" />
    <${Kind} shape=${shape} share=${Math.min(100, Math.max(0, percent)) / 100} color=${color || 'currentColor'}
      units=${spools.slice(0, 4)} isLit=${isLit} />
  </svg>`
}
