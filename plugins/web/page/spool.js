import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { html } from './lib.js'

const nameOf = ({ label, kind }) => `${label}${kind ? `, ${kind}` : ''}`

async function load (slot) {
  const yes = await confirm({
    title: `Load ${slot.kind || 'filament'} from ${slot.label.toLowerCase()}?`,
    text: 'The nozzle heats up, the loaded filament is retracted, and this filament is loaded.',
    action: 'Load'
  })
  const place = slot.ams < 0 || !takes('load_filament', 'ams_id') ? { slot: slot.slot } : { slot: slot.slot, ams_id: slot.ams }
  if (yes) await attempt('Loading filament', () => call('load_filament', place))
}

const scan = ({ ams, slot }) => attempt('Reading tag', () => call('refresh_spool_rfid', { ams_id: ams, slot_id: slot }))

/** Without a parameter for the unit, only the first one can be meant. */
const canLoad = ({ ams }) => ams <= 0 || takes('load_filament', 'ams_id')

const Menu = ({ slot, busy, onEdit }) => html`<details class="menu">
  <summary aria-label=${`Actions for ${nameOf(slot)}`}>⋯</summary><div>
    <button type="button" disabled=${busy || !slot.there || !canLoad(slot)} onClick=${() => load(slot)}>Load</button>
    <button type="button" onClick=${() => onEdit(slot)}>Edit details …</button>
    ${slot.ams >= 0 && has('refresh_spool_rfid') && html`
      <button type="button" disabled=${busy || !slot.there} onClick=${() => scan(slot)}>Read tag</button>`}
  </div></details>`

/** Of an empty place nothing is said. */
const Left = ({ left, kind }) => left === undefined
  ? kind !== '' && html`<span class="left faint" title="The remaining amount is unknown">? %</span>`
  : html`<span class="left">${left} %</span>`

/** A place for a spool, with what is in it. */
export const Spool = ({ slot, busy, onEdit }) => html`<div class=${`spool ${slot.inUse ? 'used' : ''}`} role="group" aria-label=${nameOf(slot)}>
  <span class=${`swatch ${slot.color ? '' : 'none'}`} style=${slot.color ? { background: slot.color } : {}}
    title=${slot.color ?? 'no colour'}></span>
  <span class="what"><b>${slot.kind || (slot.there ? 'Unknown' : 'Empty')}</b>
    <span class="faint">${slot.label}${slot.inUse ? ' · in use' : ''}</span></span>
  <span><${Left} left=${slot.left} kind=${slot.kind} /></span>
  <${Menu} slot=${slot} busy=${busy} onEdit=${onEdit} />
  ${slot.left !== undefined && html`<meter min="0" max="100" low="15" value=${slot.left} aria-label=${`${nameOf(slot)}: remaining`}></meter>`}
</div>`
