import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { words } from './format.js'
import { html, useState } from './lib.js'

const DIAMETERS = ['0.2', '0.4', '0.6', '0.8']
const MATERIALS = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'e3d']

async function toggle (active) {
  const next = active === 'left' ? 'right' : 'left'
  const yes = await confirm({ title: `Change to the ${next} nozzle?`, text: 'The toolhead moves to change the nozzle.', action: 'Change' })
  if (yes) await attempt(`The ${next} nozzle is active`, () => call('toggle_active_tool'))
}

function Fit ({ dual, active }) {
  const [diameter, setDiameter] = useState('0.4')
  const [material, setMaterial] = useState('hardened_steel')
  const send = async event => {
    event.preventDefault()
    const yes = await confirm({
      title: 'Change the nozzle settings?',
      text: `The printer will assume a ${dual ? `${active} ` : ''}nozzle of ${diameter} mm, ${words(material).toLowerCase()}. Wrong settings spoil prints.`,
      action: 'Save'
    })
    if (yes) await attempt('Nozzle saved', () => call('set_nozzle_details', { nozzle_diameter: Number(diameter), nozzle_type: material }))
  }
  return html`<form class="inline" onSubmit=${send}>
    <label>Diameter <select value=${diameter} onChange=${event => setDiameter(event.currentTarget.value)}>
      ${DIAMETERS.map(each => html`<option key=${each} value=${each}>${each} mm</option>`)}</select></label>
    <label>Material <select value=${material} onChange=${event => setMaterial(event.currentTarget.value)}>
      ${MATERIALS.map(each => html`<option key=${each} value=${each}>${words(each)}</option>`)}</select></label>
    <button class="small">Save …</button></form>`
}

/** Which nozzles are fitted, and which of two is in use. */
export function Nozzles ({ view: { nozzles, job } }) {
  const { dual, active, list } = nozzles
  return html`<div role="group" aria-labelledby="nozzles-title"><h3 id="nozzles-title">Nozzles</h3>
    <ul class="plain">${list.map(({ label, diameter, material, flow }) => html`<li key=${label}><b>${label}</b>
      ${' '}${diameter || '?'} mm ${material.toLowerCase()} <span class="faint">${flow.toLowerCase()}${dual && label.toLowerCase() === active ? ' · active' : ''}</span></li>`)}</ul>
    <div class="buttons small">
      ${dual && has('toggle_active_tool') && html`<button type="button" disabled=${job.isBusy} onClick=${() => toggle(active)}>Change nozzle</button>`}
      ${has('refresh_nozzles') && html`<button type="button" onClick=${() => attempt('Nozzle data requested', () => call('refresh_nozzles'))}>Read nozzles</button>`}
    </div>
    ${has('set_nozzle_details') && html`<details><summary>I changed the nozzle</summary><${Fit} dual=${dual} active=${active} /></details>`}</div>`
}
