import { hasText, t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { words } from '../../shell/page/format.js'
import { html, useState } from './lib.js'

const DIAMETERS = ['0.2', '0.4', '0.6', '0.8']
const MATERIALS = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'e3d']

const materialOf = name => {
  const key = `printer.nozzles.${String(name).toLowerCase()}`
  return hasText(key) ? t(key) : words(name)
}

async function toggle (active) {
  const next = active === 'left' ? 'right' : 'left'
  const yes = await confirm({
    title: t(`printer.nozzles.change.${next}`), text: t('printer.nozzles.change.sure'), action: t('printer.nozzles.change.yes')
  })
  const params = takes('toggle_active_tool', 'tool') ? { tool: next === 'left' ? 1 : 0 } : {}
  if (yes) await attempt(t('printer.nozzles.changed'), () => call('toggle_active_tool', params))
}

function Fit () {
  const [diameter, setDiameter] = useState('0.4')
  const [material, setMaterial] = useState('hardened_steel')
  const send = async event => {
    event.preventDefault()
    const yes = await confirm({
      title: t('printer.nozzles.save.title'),
      text: t('printer.nozzles.save.sure', { diameter, material: materialOf(material).toLowerCase() }),
      action: t('printer.save')
    })
    if (yes) await attempt(t('printer.nozzles.saved'), () => call('set_nozzle_details', { nozzle_diameter: Number(diameter), nozzle_type: material }))
  }
  return html`<form class="inline" onSubmit=${send}>
    <label>${t('printer.nozzles.diameter')} <select value=${diameter} onChange=${event => setDiameter(event.currentTarget.value)}>
      ${DIAMETERS.map(each => html`<option key=${each} value=${each}>${each} mm</option>`)}</select></label>
    <label>${t('printer.nozzles.material')} <select value=${material} onChange=${event => setMaterial(event.currentTarget.value)}>
      ${MATERIALS.map(each => html`<option key=${each} value=${each}>${materialOf(each)}</option>`)}</select></label>
    <button class="small">${t('printer.nozzles.save')}</button></form>`
}

/** The fitted nozzles, and which of two is active. */
export function Nozzles ({ view: { nozzles, job } }) {
  const { dual, active, list } = nozzles
  return html`<div role="group" aria-labelledby="nozzles-title"><h3 id="nozzles-title">${t('printer.nozzles')}</h3>
    <ul class="plain">${list.map(({ label, diameter, material, flow }) => html`<li key=${label}><b>${t(`printer.nozzles.${label}`)}</b>
      ${' '}${diameter || '?'} mm ${materialOf(material).toLowerCase()} <span class="faint">${flow.toLowerCase()}${dual && label === active ? ` · ${t('printer.active')}` : ''}</span></li>`)}</ul>
    <div class="buttons small">
      ${dual && has('toggle_active_tool') && html`<button type="button" disabled=${job.isBusy} onClick=${() => toggle(active)}>${t('printer.nozzles.change')}</button>`}
      ${has('refresh_nozzles') && html`<button type="button" onClick=${() => attempt(t('printer.nozzles.asked'), () => call('refresh_nozzles'))}>${t('printer.nozzles.read')}</button>`}
    </div>
    ${has('set_nozzle_details') && html`<details><summary>${t('printer.nozzles.fitted')}</summary><${Fit} /></details>`}</div>`
}
