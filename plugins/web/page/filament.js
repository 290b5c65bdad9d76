import { t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Card } from './ui.js'
import { Dryer } from './dryer.js'
import { html, useState } from './lib.js'
import { Spool } from './spool.js'
import { SpoolDialog } from './spool-dialog.js'

async function unload () {
  const yes = await confirm({
    title: t('printer.filament.unload.title'),
    text: t('printer.filament.unload.sure'),
    action: t('printer.filament.unload')
  })
  if (yes) await attempt(t('printer.filament.unloading'), () => call('unload_filament'))
}

const Humidity = ({ unit }) => html`<span class="faint air">
  ${unit.humidity && html`<span>${t('printer.filament.humidity', { value: unit.humidity })}</span>`}
  ${unit.temp !== undefined && html`<span>${Math.round(unit.temp)} °C</span>`}</span>`

const Unit = ({ unit, busy, onEdit }) => html`<section class="unit" aria-label=${unit.name}>
  <header><h3>${unit.name}</h3>${unit.side && html`<span class="faint">${t(`printer.side.${unit.side}`)}</span>`}
    <span class="space"></span><${Humidity} unit=${unit} /></header>
  <div class=${`slots ${unit.slots.length === 1 ? 'single' : ''}`}>
    ${unit.slots.map(slot => html`<${Spool} key=${slot.slot} slot=${slot} busy=${busy} onEdit=${onEdit} />`)}</div>
  ${unit.dryer && has('turn_on_ams_dryer') && html`<${Dryer} unit=${unit} />`}
</section>`

const ANSWERS = [['resume', 'printer.filament.retry'], ['done', 'printer.filament.done'], ['abort', 'printer.filament.abort']]
const abortQuestion = () => ({
  title: t('printer.filament.abort.title'), text: t('printer.filament.abort.sure'), action: t('printer.filament.abort'), danger: true
})

async function answer (cmd) {
  if (cmd === 'abort' && !await confirm(abortQuestion())) return
  const params = { cmd, ...(cmd === 'resume' && takes('send_ams_control_command', 'resume_print') && { resume_print: false }) }
  await attempt(t('printer.sent'), () => call('send_ams_control_command', params))
}

/** A filament change in progress, and its actions. */
const Feeding = ({ text }) => html`<p class="feeding" role="status"><b>${text}</b>
  ${ANSWERS.filter(([cmd]) => takes('send_ams_control_command', 'cmd', cmd)).map(([cmd, label]) => html`
    <button key=${cmd} type="button" class="small" onClick=${() => answer(cmd)}>${t(label)}</button>`)}</p>`

/** Spools in AMS units and in external holders. */
export function Filament ({ view }) {
  const [edited, setEdited] = useState(/** @type {any} */ (undefined))
  const busy = view.job.isBusy && !view.job.isPaused
  const button = html`<div class="buttons small">
    <button type="button" disabled=${busy || !view.loaded} onClick=${unload}>${t('printer.filament.unload')}</button></div>`
  return html`<${Card} id="filament" title=${t('printer.filament')} extra=${button}>
    ${view.feeding && html`<${Feeding} text=${view.feeding} />`}
    ${view.units.length === 0 && html`<p class="faint">${t('printer.filament.no_ams')}</p>`}
    <div class="units">${view.units.map(unit => html`<${Unit} key=${unit.id} unit=${unit} busy=${busy} onEdit=${setEdited} />`)}
    <section class="unit" aria-label=${t('printer.place.externals')}><header><h3>${t('printer.place.externals')}</h3></header>
      <div class="slots">${view.externals.map(slot => html`<${Spool} key=${slot.tray} slot=${slot} busy=${busy} onEdit=${setEdited} />`)}</div>
    </section></div>
    ${edited && html`<${SpoolDialog} slot=${edited} onClose=${() => setEdited(undefined)} />`}
  <//>`
}
