// The dialogue in which a drying plan is added or changed.

import { Dialog, html } from 'components'
import { useState } from 'preact/hooks'
import { call, t } from 'shell'

const Field = ({ label, hint = '', children }) => html`<label class="field"><span>${label}</span>${children}
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

const NumberField = ({ name, label, value, min, max, hint = '' }) => html`<${Field} label=${label} hint=${hint}>
  <input type="number" name=${name} min=${min} max=${max} defaultValue=${value ?? ''} /><//>`

/** @param {HTMLFormElement} form */
function valuesOf (form) {
  const data = new FormData(form)
  const text = name => String(data.get(name) ?? '').trim()
  const number = name => text(name) === '' ? null : Number(text(name))
  return {
    name: text('name'),
    printer: text('printer'),
    materials: text('materials').split(',').map(one => one.trim()).filter(Boolean),
    humidity_percent: number('humidity'),
    days: number('days'),
    from: text('from'),
    until: text('until'),
    time_zone: text('zone'),
    celsius: number('celsius'),
    hours: number('hours'),
    power_group: text('group'),
    rotate: data.has('rotate'),
    holds_queue: data.has('holds')
  }
}

export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** @param {{ plan?: any, printers: string[], onClose: () => void, onDone: () => Promise<unknown> }} props */
export function Plan ({ plan, printers, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const names = [...new Set([...printers, ...plan?.printer ? [plan.printer] : []])]
  const send = async event => {
    event.preventDefault()
    if (runs) return
    const values = valuesOf(event.currentTarget)
    if (values.humidity_percent === null && values.days === null) return setProblem(t('drying.give_due'))
    if ((values.from === '') !== (values.until === '')) return setProblem(t('drying.give_hours'))
    setRuns(true)
    try {
      if (plan) await call('PATCH', `drying_plans/${plan.id}`, { ...values, ...(values.printer !== plan.printer && { unit: null }) })
      else await call('POST', 'drying_plans', values)
      onClose()
      await onDone()
    } catch (error) {
      setProblem(t('drying.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<${Dialog} wide title=${t(plan ? 'drying.change' : 'drying.add')} onClose=${onClose}><form class="edit" onSubmit=${send}>
    <div class="fields">
      <${Field} label=${t('drying.field.name')}><input name="name" required maxlength="60" autofocus defaultValue=${plan?.name ?? ''} /><//>
      <${Field} label=${t('drying.field.printer')}><select name="printer"><option value="">${t('drying.field.printer.all')}</option>
        ${names.map(name => html`<option key=${name} value=${name} selected=${name === plan?.printer}>${name}</option>`)}</select><//>
    </div>
    <${Field} label=${t('drying.field.materials')} hint=${t('drying.field.materials.hint')}>
      <input name="materials" maxlength="400" defaultValue=${plan?.materials.join(', ') ?? ''} /><//>
    <div class="fields">
      <${NumberField} name="humidity" label=${t('drying.field.humidity')} min="1" max="100" value=${plan ? plan.humidity_percent : 30} hint=${t('drying.field.due.hint')} />
      <${NumberField} name="days" label=${t('drying.field.days')} min="1" max="365" value=${plan?.days} />
    </div>
    <div class="fields">
      <${Field} label=${t('drying.field.from')} hint=${t('drying.field.from.hint')}><input type="time" name="from" defaultValue=${plan?.from ?? ''} /><//>
      <${Field} label=${t('drying.field.until')}><input type="time" name="until" defaultValue=${plan?.until ?? ''} /><//>
      <${Field} label=${t('drying.field.zone')}><input name="zone" required maxlength="60" defaultValue=${plan?.time_zone ?? ownZone()} /><//>
    </div>
    <div class="fields">
      <${NumberField} name="celsius" label=${t('drying.field.celsius')} min="45" max="85" value=${plan?.celsius} hint=${t('drying.field.celsius.hint')} />
      <${NumberField} name="hours" label=${t('drying.field.hours')} min="1" max="24" value=${plan?.hours} hint=${t('drying.field.hours.hint')} />
      <${Field} label=${t('drying.field.group')} hint=${t('drying.field.group.hint')}><input name="group" maxlength="40" defaultValue=${plan?.power_group ?? ''} /><//>
    </div>
    <label class="check"><input type="checkbox" name="rotate" defaultChecked=${plan?.rotate === true} /> ${t('drying.field.rotate')}</label>
    <label class="check"><input type="checkbox" name="holds" defaultChecked=${plan?.holds_queue === true} /> ${t('drying.field.holds')}</label>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('drying.cancel')}</button><button class="primary" disabled=${runs}>${t('drying.save')}</button></div>
  </form><//>`
}
