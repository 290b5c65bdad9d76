import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Card } from './ui.js'
import { Dryer } from './dryer.js'
import { html, useState } from './lib.js'
import { Spool } from './spool.js'
import { SpoolDialog } from './spool-dialog.js'

async function unload () {
  const yes = await confirm({
    title: 'Unload the filament?',
    text: 'The nozzle heats up, and the filament is cut and retracted.',
    action: 'Unload'
  })
  if (yes) await attempt('Unloading filament', () => call('unload_filament'))
}

const Humidity = ({ unit }) => html`<span class="faint air">
  ${unit.humidity && html`<span>Humidity ${unit.humidity}</span>`}
  ${unit.temp !== undefined && html`<span>${Math.round(unit.temp)} °C</span>`}</span>`

const Unit = ({ unit, busy, onEdit }) => html`<section class="unit" aria-label=${unit.name}>
  <header><h3>${unit.name}</h3>${unit.side && html`<span class="faint">${unit.side}</span>`}
    <span class="space"></span><${Humidity} unit=${unit} /></header>
  <div class=${`slots ${unit.slots.length === 1 ? 'single' : ''}`}>
    ${unit.slots.map(slot => html`<${Spool} key=${slot.slot} slot=${slot} busy=${busy} onEdit=${onEdit} />`)}</div>
  ${unit.dryer && has('turn_on_ams_dryer') && html`<${Dryer} unit=${unit} />`}
</section>`

const ANSWERS = [['resume', 'Retry'], ['done', 'Done'], ['abort', 'Abort']]
const ABORT = { title: 'Abort the change?', text: 'Loading or unloading stops where it is.', action: 'Abort', danger: true }

async function answer (cmd) {
  if (cmd === 'abort' && !await confirm(ABORT)) return
  const params = { cmd, ...(cmd === 'resume' && takes('send_ams_control_command', 'resume_print') && { resume_print: false }) }
  await attempt('Sent', () => call('send_ams_control_command', params))
}

/** A change of filament that is under way, and what may be said to it. */
const Feeding = ({ text }) => html`<p class="feeding" role="status"><b>${text}</b>
  ${ANSWERS.filter(([cmd]) => takes('send_ams_control_command', 'cmd', cmd)).map(([cmd, label]) => html`
    <button key=${cmd} type="button" class="small" onClick=${() => answer(cmd)}>${label}</button>`)}</p>`

/** Spools: in the units and outside of them. */
export function Filament ({ view }) {
  const [edited, setEdited] = useState(/** @type {any} */ (undefined))
  const busy = view.job.isBusy && !view.job.isPaused
  const button = html`<div class="buttons small">
    <button type="button" disabled=${busy || !view.loaded} onClick=${unload}>Unload</button></div>`
  return html`<${Card} id="filament" title="Filament" extra=${button}>
    ${view.feeding && html`<${Feeding} text=${view.feeding} />`}
    ${view.units.map(unit => html`<${Unit} key=${unit.id} unit=${unit} busy=${busy} onEdit=${setEdited} />`)}
    ${view.units.length === 0 && html`<p class="faint">No AMS connected.</p>`}
    <section class="unit" aria-label="External spools"><header><h3>External</h3></header>
      <div class="slots">${view.externals.map(slot => html`<${Spool} key=${slot.tray} slot=${slot} busy=${busy} onEdit=${setEdited} />`)}</div>
    </section>
    ${edited && html`<${SpoolDialog} slot=${edited} onClose=${() => setEdited(undefined)} />`}
  <//>`
}
