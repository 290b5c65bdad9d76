import { attempt } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Card } from './ui.js'
import { degrees } from './format.js'
import { html } from './lib.js'
import { NumberForm } from './number-form.js'
import { Spark } from './sparkline.js'

/** Charts of a kind share a scale, so that they can be compared. */
const SCALES_C = { tool: 280, tool_1: 280, bed: 120, chamber: 65 }

const setTarget = ({ route, label, extruder }) => temp =>
  attempt(`${label}: target ${temp} °C`, () =>
    call(route, { temp, ...(extruder !== undefined && takes(route, 'extruder') && { extruder }) }))

/** Without a parameter for the nozzle, only the active one can be meant. */
const canSet = ({ route, extruder, active }) => has(route) &&
  (extruder === undefined || active || takes(route, 'extruder'))

const Heater = ({ heater, points }) => html`<div class="row" role="group" aria-label=${heater.label}>
  <span class="name">${heater.label}${heater.active && html` <b class="dot" title="active">●</b>`}</span>
  <b class="now">${degrees(heater.actual)}</b>
  <${Spark} points=${points} from=${0} to=${SCALES_C[heater.key] ?? 120} look=${heater.key} target=${heater.target} />
  ${canSet(heater)
    ? html`<${NumberForm} label=${`${heater.label}, target`} unit="°C" value=${heater.target} max=${heater.max}
        onSend=${setTarget(heater)} />`
    : html`<span class="faint note">${heater.target > 0 ? `target ${degrees(heater.target)}` : 'not active'}</span>`}
</div>`

/** Heaters: what they are, were, and shall be. */
export const Temperatures = ({ view, history }) => html`<${Card} id="temperatures" title="Temperatures">
  ${view.heaters.map(heater => html`<${Heater} key=${heater.key} heater=${heater} points=${history[heater.key]} />`)}
<//>`

const setFan = ({ route, label }) => percent => attempt(`${label} fan: ${percent} %`, () => call(route, { percent }))

const Fan = ({ fan, points }) => html`<div class="row" role="group" aria-label=${`${fan.label} fan`}>
  <span class="name">${fan.label}</span>
  <b class="now">${fan.percent === undefined ? '–' : `${fan.percent} %`}</b>
  <${Spark} points=${points} from=${0} to=${100} look="fan" />
  ${fan.route && has(fan.route)
    ? html`<${NumberForm} label=${`${fan.label} fan`} unit="%" value=${fan.percent} max=${100} onSend=${setFan(fan)} />`
    : html`<span class="faint note">automatic</span>`}
</div>`

export const Fans = ({ view, history }) => html`<${Card} id="fans" title="Fans">
  ${view.fans.map(fan => html`<${Fan} key=${fan.key} fan=${fan} points=${history[fan.key]} />`)}
<//>`
