import { Dialog } from 'components'
import { t } from 'shell'
import { runAll } from './acts.js'
import { html, useState } from './lib.js'

const Field = ({ name, most }) => html`<label>${t(`fleet.field.${name}`)} ${name === 'file'
  ? html`<input type="file" name="file" required accept=".3mf,.gcode" />`
  : name === 'tags'
    ? html`<input type="text" name="tags" maxlength="400" />`
    : html`<input type="number" name=${name} min="0" max=${most} />`}</label>`

const valuesOf = form => {
  const data = new FormData(form)
  const file = data.get('file')
  const tags = String(data.get('tags') ?? '').split(',').map(tag => tag.trim()).filter(tag => tag !== '')
  return {
    ...(file && { file }),
    ...(data.has('tags') && { tags }),
    ...Object.fromEntries(['bed', 'nozzle'].filter(name => data.get(name)).map(name => [name, Number(data.get(name))]))
  }
}

const markOf = ended => ended === undefined ? '' : ended === '' ? ` – ${t('fleet.done')}` : ` – ${ended}`

/** The lowest limit of all printers; undefined if no model is known. */
function lowestOf (printers, name) {
  const known = printers.map(printer => printer[name]).filter(most => most !== null)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** Asks for confirmation, then shows the outcome for every printer. */
export function ActDialog ({ act, printers, onClose }) {
  const [ends, setEnds] = useState(/** @type {Record<string, string>} */ ({}))
  const [runs, setRuns] = useState(false)
  /** Those that it was sent to: what it does to them may be that it no longer fits. */
  const [sent, setSent] = useState(/** @type {any[] | undefined} */ (undefined))
  const fitting = sent ?? printers.filter(act.fits)
  const over = fitting.length > 0 && fitting.every(({ name }) => name in ends)
  const send = async event => {
    event.preventDefault()
    const values = valuesOf(event.currentTarget)
    setRuns(true)
    setSent(fitting)
    await runAll(act, fitting.map(({ name }) => name), values,
      (name, problem) => setEnds(known => ({ ...known, [name]: problem })))
  }
  const most = { bed: lowestOf(fitting, 'bed_max_c'), nozzle: lowestOf(fitting, 'nozzle_max_c') }
  return html`<${Dialog} title=${t(`fleet.act.${act.id}`)} onClose=${onClose}>
    <form class="act" onSubmit=${send}>
      <p>${t(`fleet.sure.${act.id}`)}</p>
      ${(act.fields ?? []).map(name => html`<${Field} key=${name} name=${name} most=${most[name]} />`)}
      <ul class="results" aria-live="polite">${printers.map(({ name }) => html`<li key=${name} class=${ends[name] ? 'bad' : ''}>
        ${name}${fitting.some(one => one.name === name) ? markOf(ends[name]) : ` – ${t('fleet.unfit')}`}</li>`)}</ul>
      <div class="buttons end">
        <button type="button" onClick=${onClose}>${t(over ? 'shell.close' : 'fleet.cancel')}</button>
        ${!over && html`<button class="primary" disabled=${runs || fitting.length === 0}>${t(`fleet.act.${act.id}`)} (${fitting.length})</button>`}
      </div>
    </form>
  <//>`
}
