import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { Switch } from './ui.js'
import { html } from './lib.js'

const DETECTORS = ['spaghetti', 'airprinting', 'purgechutepileup', 'nozzleclumping', 'buildplate_marker']
const LEVELS = ['low', 'medium', 'high']

const routeOf = name => `set_${name}_detector`
const set = (name, label, params) => attempt(t('printer.detectors.set', { what: label }), () => call(routeOf(name), params))

function Detector ({ name, settings }) {
  const label = t(`printer.detectors.${name}`)
  const on = settings[`${name}_detector`] === true
  const level = settings[`${name}_detector_sensitivity`]
  const extra = level ? { sensitivity: level } : {}
  return html`<div class="setting"><${Switch} label=${label} on=${on} onChange=${next => set(name, label, { enabled: next, ...extra })} />
    ${level && html`<select aria-label=${t('printer.detectors.level', { what: label })} value=${level} disabled=${!on}
      onChange=${event => set(name, label, { enabled: on, sensitivity: event.currentTarget.value })}>
      ${LEVELS.map(each => html`<option key=${each} value=${each}>${t(`printer.detectors.${each}`)}</option>`)}</select>`}</div>`
}

/** The printer's own detectors. */
export function Detectors ({ view }) {
  const offered = DETECTORS.filter(name => view.capabilities[`has_${name}_detector_support`] && has(routeOf(name)))
  return html`<div role="group" aria-labelledby="detectors-title"><h3 id="detectors-title">${t('printer.detectors')}</h3>
    ${offered.map(name => html`<${Detector} key=${name} name=${name} settings=${view.settings} />`)}
    ${offered.length === 0 && html`<p class="faint">${t('printer.detectors.none')}</p>`}</div>`
}
