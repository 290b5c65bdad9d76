// The dialogue in which a spool is added, changed, weighed or archived.

import { Dialog } from 'components'
import { call, t } from 'shell'
import { html, spoolName, useState } from './lib.js'

const MATERIALS = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PA', 'PA-CF', 'PC', 'PVA', 'PET-CF']
const NET_G = 1000

const Field = ({ label, hint = '', children }) => html`<label class="field"><span>${label}</span>${children}
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

/** The body of the request: what is left now is stored as what was used. @param {HTMLFormElement} form */
function valuesOf (form) {
  const data = new FormData(form)
  const text = name => String(data.get(name) ?? '').trim()
  const [net, left] = [text('net'), text('left')]
  return {
    name: text('name'),
    material: text('material'),
    color: data.has('known') ? text('color') : '',
    ...(net !== '' && { net_g: Number(net) }),
    ...(net !== '' && left !== '' && { used_g: Math.max(0, Number(net) - Number(left)) })
  }
}

/** @param {{ spool?: any, onClose: () => void, onDone: () => Promise<void> }} props without a spool it adds one */
export function Edit ({ spool, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const [isKnown, setKnown] = useState(spool === undefined || spool.color !== '')
  const send = async work => {
    try {
      await work()
      onClose()
      await onDone()
    } catch (error) {
      setProblem(t('spools.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  const save = event => {
    event.preventDefault()
    const values = valuesOf(event.currentTarget)
    void send(() => spool ? call('PATCH', `spools/${encodeURIComponent(spool.id)}`, values) : call('POST', 'spools', values))
  }
  const archive = () => send(() => call('PATCH', `spools/${encodeURIComponent(spool.id)}`, { archived: true }))
  return html`<${Dialog} title=${t(spool ? 'spools.edit.title' : 'spools.add')} onClose=${onClose}>
    <form class="edit" onSubmit=${save}>
      <${Field} label=${t('spools.name')} hint=${t('spools.name.hint')}>
        <input name="name" required maxlength="100" value=${spool === undefined ? '' : spoolName(spool)} /><//>
      <div class="fields">
        <${Field} label=${t('spools.material')}>
          <input name="material" required maxlength="40" list="materials" value=${spool?.material ?? ''} /><//>
        <datalist id="materials">${MATERIALS.map(one => html`<option key=${one} value=${one} />`)}</datalist>
        <${Field} label=${t('spools.color')}><span class="colour">
          <input type="color" name="color" disabled=${!isKnown} value=${spool?.color || '#2f6fe0'} /></span><//>
        <${Field} label=${t('spools.net')}><input type="number" name="net" min="1" max="100000" value=${spool ? spool.net_g ?? '' : NET_G} /><//>
        <${Field} label=${t('spools.now')} hint=${t('spools.now.hint')}>
          <input type="number" name="left" min="0" max="100000" step="any" value=${spool ? spool.left_g ?? '' : NET_G} /><//>
      </div>
      <label class="check"><input type="checkbox" name="known" checked=${isKnown} onChange=${({ target }) => setKnown(target.checked)} />
        ${t('spools.color.known')}</label>
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end">
        ${spool && html`<button type="button" class="danger" title=${t('spools.gone.sure')} onClick=${archive}>
          ${t('spools.gone')}</button><span class="space" />`}
        <button type="button" onClick=${onClose}>${t('spools.cancel')}</button>
        <button class="primary">${t('spools.save')}</button>
      </div>
    </form>
  <//>`
}
