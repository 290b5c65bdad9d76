import { attempt, confirm } from './dialogs.js'
import { call } from './api.js'
import { Dialog } from './dialog.js'
import { minutesText, words } from './format.js'
import { html, useState } from './lib.js'

const LIMITS_C = { AMS_HT: [45, 85], AMS_2_PRO: [45, 65] }
const IDLE = new Set(['OFF', 'UNKNOWN', ''])

async function stop (unit) {
  const yes = await confirm({ title: 'Stop drying?', text: `${unit.name} stops heating; the remaining time is lost.`, action: 'Stop drying' })
  if (yes) await attempt('Drying stopped', () => call('turn_off_ams_dryer', { ams_id: unit.id }))
}

function StartDialog ({ unit, onClose }) {
  const [from, to] = LIMITS_C[unit.model] ?? [45, 65]
  const [temp, setTemp] = useState('55')
  const [hours, setHours] = useState('8')
  const send = async event => {
    event.preventDefault()
    const what = { ams_id: unit.id, target_temp: Number(temp), duration_hours: Number(hours) }
    if (await attempt('Drying started', () => call('turn_on_ams_dryer', what))) onClose()
  }
  return html`<${Dialog} title=${`Dry in ${unit.name}`} onClose=${onClose}><form onSubmit=${send}>
    <p class="faint">The unit heats up. Filament cannot be loaded from it while it is drying.</p>
    <div class="halves"><label>Temperature, °C <input type="number" min=${from} max=${to} required value=${temp}
        onInput=${event => setTemp(event.currentTarget.value)} /></label>
      <label>Hours <input type="number" min="1" max="48" required value=${hours}
        onInput=${event => setHours(event.currentTarget.value)} /></label></div>
    <div class="buttons end"><button type="button" onClick=${onClose}>Cancel</button><button class="primary">Start drying</button></div>
  </form><//>`
}

function textOf ({ state, temp_target: temp, remaining_minutes: minutes }) {
  const target = temp > 0 ? ` at ${temp} °C` : ''
  return `${words(state)}${target}${minutes > 0 ? `, ${minutesText(minutes)} left` : ''}`
}

/** The dryer of a unit. */
export function Dryer ({ unit }) {
  const [asks, setAsks] = useState(false)
  const { dryer } = unit
  const isOff = IDLE.has(dryer.state)
  return html`<div class="dryer"><span class="faint">${isOff ? 'Dryer off' : textOf(dryer)}</span>
    ${isOff
      ? html`<button type="button" class="small" onClick=${() => setAsks(true)} aria-label=${`Dry in ${unit.name} …`}>Dry …</button>`
      : html`<button type="button" class="small" onClick=${() => stop(unit)} aria-label=${`Stop drying in ${unit.name}`}>Stop drying</button>`}
    ${dryer.refusal_message && html`<span class="faint">${dryer.refusal_message}</span>`}
    ${asks && html`<${StartDialog} unit=${unit} onClose=${() => setAsks(false)} />`}
  </div>`
}
