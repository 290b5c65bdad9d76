import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Switch } from './ui.js'
import { degrees } from '../../shell/page/format.js'
import { html } from './lib.js'
import { Spark } from './sparkline.js'
import { Target } from './target.js'

/** Charts of a kind share a scale, so that they can be compared. */
const SCALES_C = { tool: 280, tool_1: 280, bed: 120, chamber: 65 }

export const setTarget = ({ route, extruder }, what) => temp =>
  attempt(t('printer.target.set', { what, value: degrees(temp) }), () =>
    call(route, { temp, ...(extruder !== undefined && takes(route, 'extruder') && { extruder }) }))

/** Without a parameter for the nozzle the route sets the active one. */
export const canSet = ({ route, extruder, active }) => has(route) &&
  (extruder === undefined || active || takes(route, 'extruder'))

export const targetText = target => target > 0 ? t('printer.target.is', { value: degrees(target) }) : t('printer.target.none')

function Heater ({ heater, points, slots }) {
  const name = t(`printer.heater.${heater.label}`)
  return html`<div class="gauge" role="group" aria-label=${name}>
    <span class="name">${name}${heater.active && html` <b class="dot" title=${t('printer.active')}>●</b>`}</span>
    <b class="now">${degrees(heater.actual)}</b>
    <${Spark} points=${points} from=${0} to=${SCALES_C[heater.key] ?? 120} className=${heater.key} target=${heater.target} />
    ${canSet(heater)
      ? html`<${Target} title=${name} text=${targetText(heater.target)} unit="°C" value=${heater.target} max=${heater.max}
          kind=${heater.key} slots=${slots} onSend=${setTarget(heater, name)} />`
      : html`<span class="faint note">${targetText(heater.target)}</span>`}
  </div>`
}

function Fan ({ fan, points }) {
  const name = t(`printer.fan.${fan.key}`)
  const set = percent => attempt(t('printer.fan.set', { what: name, value: percent }), () => call(fan.route, { percent }))
  return html`<div class="gauge" role="group" aria-label=${name}>
    <span class="name">${name}</span>
    <b class="now">${fan.percent === undefined ? '–' : `${fan.percent} %`}</b>
    <${Spark} points=${points} from=${0} to=${100} className="fan" />
    ${fan.route && has(fan.route)
      ? html`<${Target} title=${name} text=${t('printer.change')} unit="%" value=${fan.percent} max=${100} kind="fan" onSend=${set} />`
      : html`<span class="faint note">${t('printer.automatic')}</span>`}
  </div>`
}

export const setLight = on => attempt(t(on ? 'printer.light.on' : 'printer.light.off'),
  () => call('set_light_state', { state: on ? 'on' : 'off' }))

/** The spool in use first: its temperatures are wanted most often. */
export const slotsOf = ({ units, externals }) => [...units.flatMap(({ slots }) => slots), ...externals]
  .sort((a, b) => Number(b.inUse) - Number(a.inUse))

/** Heaters and fans with their history and targets, and the light. */
export const Climate = ({ view, history }) => html`<section class="card" id="temperatures" aria-label=${t('printer.temperatures')}>
  <div class="gauges">
    ${view.heaters.map(heater => html`<${Heater} key=${heater.key} heater=${heater} points=${history[heater.key]}
      slots=${slotsOf(view)} />`)}
    ${view.fans.map(fan => html`<${Fan} key=${fan.key} fan=${fan} points=${history[fan.key]} />`)}
    ${has('set_light_state') && html`<div class="gauge light"><${Switch} label=${t('printer.light')} on=${view.light} onChange=${setLight} /></div>`}
  </div></section>`
