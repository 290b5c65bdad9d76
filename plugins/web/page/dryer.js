import { hasText, t, timeText } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call } from './api.js'
import { Dialog } from './dialog.js'
import { minutesText, words } from '../../shell/page/format.js'
import { html, useState } from './lib.js'

const LIMITS_C = { AMS_HT: [45, 85], AMS_2_PRO: [45, 65] }
const HOUR_MS = 3_600_000
const IDLE = new Set(['OFF', 'UNKNOWN', ''])

async function stop (unit) {
  const yes = await confirm({
    title: t('printer.dryer.stop.title'), text: t('printer.dryer.stop.sure', { unit: unit.name }), action: t('printer.dryer.stop')
  })
  if (yes) await attempt(t('printer.dryer.stopped'), () => call('turn_off_ams_dryer', { ams_id: unit.id }))
}

function StartDialog ({ unit, onClose }) {
  const [from, to] = LIMITS_C[unit.model] ?? [45, 65]
  const [temp, setTemp] = useState('55')
  const [hours, setHours] = useState('8')
  const send = async event => {
    event.preventDefault()
    const what = { ams_id: unit.id, target_temp: Number(temp), duration_hours: Number(hours) }
    if (await attempt(t('printer.dryer.started'), () => call('turn_on_ams_dryer', what))) onClose()
  }
  return html`<${Dialog} title=${t('printer.dryer.title', { unit: unit.name })} onClose=${onClose}><form onSubmit=${send}>
    <p class="faint">${t('printer.dryer.about')}</p>
    <div class="halves"><label>${t('printer.dryer.temp')} <input type="number" min=${from} max=${to} required value=${temp}
        onInput=${event => setTemp(event.currentTarget.value)} /></label>
      <label>${t('printer.dryer.hours')} <input type="number" min="1" max="48" required value=${hours}
        onInput=${event => setHours(event.currentTarget.value)} /></label></div>
    ${Number(hours) > 0 && html`<p>${t('printer.dryer.until', { time: timeText(Date.now() + Number(hours) * HOUR_MS) })}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button><button class="primary">${t('printer.dryer.start')}</button></div>
  </form><//>`
}

function textOf ({ state, temp_target: temp, remaining_minutes: minutes }) {
  const key = `printer.dryer.state.${String(state).toLowerCase()}`
  const target = temp > 0 ? t('printer.dryer.at', { temp }) : ''
  const left = minutes > 0 ? t('printer.dryer.left', { time: minutesText(minutes) }) : ''
  return `${hasText(key) ? t(key) : words(state)}${target}${left}`
}

/** The dryer of a unit. */
export function Dryer ({ unit }) {
  const [asks, setAsks] = useState(false)
  const { dryer } = unit
  const isOff = IDLE.has(dryer.state)
  return html`<div class="dryer"><span class="faint">${isOff ? t('printer.dryer.off') : textOf(dryer)}</span>
    ${isOff
      ? html`<button type="button" class="small" onClick=${() => setAsks(true)} aria-label=${t('printer.dryer.dry.in', { unit: unit.name })}>${t('printer.dryer.dry')}</button>`
      : html`<button type="button" class="small" onClick=${() => stop(unit)} aria-label=${t('printer.dryer.stop.in', { unit: unit.name })}>${t('printer.dryer.stop')}</button>`}
    ${dryer.refusal_message && html`<span class="faint">${dryer.refusal_message}</span>`}
    ${asks && html`<${StartDialog} unit=${unit} onClose=${() => setAsks(false)} />`}
  </div>`
}
