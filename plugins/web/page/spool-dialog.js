import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call } from './api.js'
import { loadCatalogue } from './catalogue.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { placeOf } from './place.js'

const NAMED = { black: '#000000', white: '#ffffff' }
const CLEAR = 'no_filament'

const fieldsOf = slot => ({
  id: slot.catalogue,
  type: slot.type,
  color: slot.color?.startsWith('#') ? slot.color : NAMED[slot.color] ?? '#808080',
  min: slot.nozzle[0] > 0 ? String(slot.nozzle[0]) : '',
  max: slot.nozzle[1] > 0 ? String(slot.nozzle[1]) : ''
})

const describedBy = ({ filament_type: type, nozzle_temp_min: min, nozzle_temp_max: max }) =>
  ({ type, min: String(min), max: String(max) })

const numberOf = text => text === '' ? -1 : Number(text)

async function save (slot, { id, type, color, min, max }, known, onClose) {
  const done = await attempt(t('printer.spool.saved'), () => call('set_spool_details', {
    tray_id: slot.tray,
    tray_info_idx: id || CLEAR,
    ...(id && {
      tray_id_name: known?.name ?? '',
      tray_type: type,
      tray_color: color.slice(1).toUpperCase(),
      nozzle_temp_min: numberOf(min),
      nozzle_temp_max: numberOf(max)
    })
  }))
  if (done) onClose()
}

const Choice = ({ fields, known, onChange }) => html`<label>${t('printer.spool.kind')}
  <select value=${fields.id} onChange=${event => onChange(event.currentTarget.value)}>
    <option value="">${t('printer.spool.none')}</option>
    ${fields.id && !known.some(({ tray_info_idx: id }) => id === fields.id) && html`<option value=${fields.id}>${fields.id}</option>`}
    ${known.map(({ tray_info_idx: id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
  </select></label>`

const Degrees = ({ label, value, onInput }) => html`<label>${label}
  <input type="number" inputmode="numeric" min="150" max="350" value=${value} onInput=${event => onInput(event.currentTarget.value)} /></label>`

/** Edits what is loaded in a slot. */
export function SpoolDialog ({ slot, onClose }) {
  const [fields, setFields] = useState(fieldsOf(slot))
  const [known, setKnown] = useState(/** @type {any[]} */ ([]))
  useEffect(() => { void loadCatalogue().then(setKnown) }, [])
  const put = part => setFields({ ...fields, ...part })
  const find = id => known.find(({ tray_info_idx: other }) => other === id)
  const choose = id => {
    const entry = find(id)
    put({ id, ...(entry && describedBy(entry)) })
  }
  const send = event => { event.preventDefault(); void save(slot, fields, find(fields.id), onClose) }
  return html`<${Dialog} title=${t('printer.spool.details', { what: placeOf(slot) })} onClose=${onClose}>
    <form onSubmit=${send}>
      <${Choice} fields=${fields} known=${known} onChange=${choose} />
      ${fields.id && html`<label>${t('printer.spool.type')} <input type="text" maxlength="32" value=${fields.type}
        onInput=${event => put({ type: event.currentTarget.value })} /></label>
      <label>${t('printer.spool.colour')} <input type="color" value=${fields.color} onInput=${event => put({ color: event.currentTarget.value })} /></label>
      <div class="halves"><${Degrees} label=${t('printer.spool.from')} value=${fields.min} onInput=${min => put({ min })} />
        <${Degrees} label=${t('printer.spool.to')} value=${fields.max} onInput=${max => put({ max })} /></div>`}
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button><button class="primary">${t('printer.save')}</button></div>
    </form>
  <//>`
}
