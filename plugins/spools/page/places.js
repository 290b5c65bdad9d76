// Where spools are kept.

import { call, number, t } from 'shell'
import { Field, FormDialog, html, Icon, inUse, useState } from './lib.js'

const KINDS = ['shelf', 'dryer', 'ams', 'holder', 'other']

function PlaceDialog ({ place, act, onClose }) {
  const send = async form => {
    const data = new FormData(form)
    const [name, kind, capacity, notes] = ['name', 'kind', 'capacity', 'notes'].map(key => String(data.get(key) ?? '').trim())
    const values = { name, kind, capacity: capacity === '' ? null : Number(capacity), notes }
    await (place ? call('PATCH', 'spools/places', { id: place.id, ...values }) : call('POST', 'spools/places', values))
    await act(async () => {})
  }
  return html`<${FormDialog} title=${t(place ? 'spools.places.change' : 'spools.places.add')} yes=${t('spools.save')} onSend=${send} onClose=${onClose}>
    <${Field} label=${t('spools.name')} hint=${t('spools.places.hint')}><input name="name" required maxlength="80" autofocus defaultValue=${place?.name ?? ''} /><//>
    <div class="fields">
      <${Field} label=${t('spools.places.kind')}><select name="kind">
        ${KINDS.map(kind => html`<option key=${kind} value=${kind} selected=${kind === (place?.kind ?? 'shelf')}>${t(`spools.kind.${kind}`)}</option>`)}</select><//>
      <${Field} label=${t('spools.places.capacity')}><input type="number" name="capacity" min="1" max="100000" defaultValue=${place?.capacity ?? ''} /><//>
    </div>
    <${Field} label=${t('spools.notes')}><input name="notes" maxlength="1000" defaultValue=${place?.notes ?? ''} /><//><//>`
}

export function Places ({ inventory, isOurs, act, onShow }) {
  const [edited, setEdited] = useState(/** @type {{ place?: any } | null} */ (null))
  const places = inUse(inventory.places)
  const archive = place => act(() => call('PATCH', 'spools/places', { id: place.id, archived: true }))
  return html`<section class="card" aria-labelledby="places-title"><header><h2 id="places-title">${t('spools.view.places')}</h2>
      ${isOurs && html`<button type="button" onClick=${() => setEdited({})}>${t('spools.places.add')}</button>`}</header>
    ${places.length === 0 && html`<p class="boot">${t('spools.places.none')}</p>`}
    <ul class="rows">${places.map(place => {
      const { id, name, kind, capacity, spools, notes } = place
      return html`<li class="row" key=${id}><span class="row-main"><b>${name}</b><small>${[t(`spools.kind.${kind}`), notes].filter(Boolean).join(' · ')}</small></span>
        <span class=${capacity !== null && spools > capacity ? 'badge warn' : 'faint'}>${capacity === null
          ? t('spools.count', { count: number(spools) })
          : t('spools.places.of', { count: number(spools), capacity: number(capacity) })}</span>
        <span class="row-end"><button type="button" class="small" onClick=${() => onShow(id)}>${t('spools.places.show')}</button>
          ${isOurs && html`<button type="button" class="small" aria-label=${t('spools.change', { name })} onClick=${() => setEdited({ place })}>${t('spools.change.short')}</button>`}
          ${isOurs && spools === 0 && html`<button type="button" class="small icon-only quiet" aria-label=${t('spools.places.remove', { name })} onClick=${() => archive(place)}><${Icon} name="close" /></button>`}</span></li>`
    })}</ul>
    ${edited && html`<${PlaceDialog} place=${edited.place} act=${act} onClose=${() => setEdited(null)} />`}</section>`
}
