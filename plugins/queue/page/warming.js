// What is warmed before jobs that say nothing of it, by material.

import { Dialog } from 'components'
import { call, number, t } from 'shell'
import { refusalText } from './group-dialog.js'
import { html, Icon, useEffect, useState } from './lib.js'

const OTHERWISE = ['ask', 'start']
const MOST_ROWS = 32
const EMPTY = { material: '', bed: '', chamber: null, minutes: 10 }

const celsius = value => `${number(value)} °C`

const Table = ({ rows }) => html`<div class="scroll" tabindex="0" role="region" aria-label=${t('warming.title')}><table>
  <thead><tr><th scope="col">${t('warming.material')}</th><th scope="col">${t('warming.bed')}</th>
    <th scope="col">${t('warming.chamber')}</th><th scope="col">${t('warming.minutes')}</th></tr></thead>
  <tbody>${rows.map(({ material, bed, chamber, minutes }) => html`<tr key=${material}><th scope="row">${material}</th>
    <td>${celsius(bed)}</td><td>${chamber === null ? '–' : celsius(chamber)}</td><td>${t('queue.minutes', { minutes: number(minutes) })}</td></tr>`)}</tbody>
</table></div>`

/** @param {FormData} form */
function tableIn (form) {
  const [bed, chamber, minutes] = ['bed', 'chamber', 'minutes'].map(name => form.getAll(name).map(String))
  return {
    otherwise: String(form.get('otherwise')),
    rows: form.getAll('material').map((material, at) => ({
      material: String(material).trim(),
      bed: Number(bed?.[at]),
      chamber: chamber?.[at] ? Number(chamber[at]) : null,
      minutes: Number(minutes?.[at])
    }))
  }
}

const Row = ({ row, remove }) => html`<div class="warm-row" role="group" aria-label=${row.material || t('warming.new')}>
  <label class="name">${t('warming.material')} <input name="material" required maxlength="40" autocomplete="off" defaultValue=${row.material} /></label>
  <label>${t('queue.soak.bed')} <input name="bed" type="number" required min="30" max="120" defaultValue=${row.bed} /></label>
  <label>${t('queue.soak.chamber')} <input name="chamber" type="number" min="30" max="65" defaultValue=${row.chamber ?? ''} placeholder="–" /></label>
  <label>${t('queue.soak.minutes')} <input name="minutes" type="number" required min="0" max="45" defaultValue=${row.minutes} /></label>
  <button type="button" class="small quiet" aria-label=${`${t('groups.remove')}: ${row.material || t('warming.new')}`} onClick=${remove}><${Icon} name="close" /></button>
</div>`

function Edit ({ table, onClose, onDone }) {
  const first = table.rows.length > 0 ? table.rows : [EMPTY]
  const [rows, setRows] = useState(() => first.map((row, key) => ({ ...row, key })))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const add = () => setRows(all => [...all, { ...EMPTY, key: 1 + Math.max(-1, ...all.map(({ key }) => key)) }])
  const save = async event => {
    event.preventDefault()
    setRuns(true)
    try {
      await call('PATCH', 'queue/warming', { ...tableIn(new FormData(event.currentTarget)), revision: table.revision })
      onClose()
      await onDone()
    } catch (error) {
      setProblem(refusalText(error))
      setRuns(false)
    }
  }
  return html`<${Dialog} title=${t('warming.title')} onClose=${onClose}><form class="edit" onSubmit=${save}>
    <p class="note warn">${t('warming.warning')}</p>
    ${rows.map(row => html`<${Row} key=${row.key} row=${row} remove=${() => setRows(all => all.filter(({ key }) => key !== row.key))} />`)}
    ${rows.length === 0 && html`<p class="faint">${t('warming.none')}</p>`}
    ${rows.length < MOST_ROWS && html`<div class="buttons"><button type="button" class="small" onClick=${add}>${t('warming.add')}</button></div>`}
    <label class="field"><span>${t('queue.soak.otherwise')}</span><select name="otherwise">${OTHERWISE.map(one =>
      html`<option value=${one} selected=${one === table.otherwise}>${t(`queue.soak.otherwise.${one}`)}</option>`)}</select></label>
    <small class="faint">${t('warming.hint')}</small>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('groups.cancel')}</button>
      <button class="primary" disabled=${runs}>${t('groups.save')}</button></div>
  </form><//>`
}

/** Nothing is shown where it cannot be read. */
export function Warming () {
  const [table, setTable] = useState(/** @type {any} */ (undefined))
  const [edits, setEdits] = useState(false)
  const refresh = async () => { setTable(await call('GET', 'queue/warming').catch(() => undefined)) }
  useEffect(() => { void refresh() }, [])
  if (!table) return ''
  const { rows, may_change: mayChange } = table
  return html`<section class="card warming" aria-label=${t('warming.title')}><h2>${t('warming.title')}</h2>
    <p class="faint">${t(rows.length === 0 ? 'warming.none' : 'warming.lead')}</p>
    ${rows.length > 0 && html`<${Table} rows=${rows} />`}
    ${mayChange && html`<div class="buttons end"><button type="button" class="small" aria-label=${`${t('groups.edit')}: ${t('warming.title')}`}
      onClick=${() => { void refresh().then(() => setEdits(true)) }}>${t('groups.edit')}</button></div>`}
    ${edits && html`<${Edit} table=${table} onClose=${() => setEdits(false)} onDone=${refresh} />`}
  </section>`
}
