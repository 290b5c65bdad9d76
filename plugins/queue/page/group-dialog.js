// Adds or changes a group.

import { Dialog } from 'components'
import { call, t } from 'shell'
import { html, useState } from './lib.js'
import { dayName } from './week.js'

const DAYS = [1, 2, 3, 4, 5, 6, 7]
const WORKDAYS = [1, 2, 3, 4, 5]
const USUAL = { from: '08:00', to: '18:00' }
/** More are searched. */
const MANY = 12

/** @param {any} error of a call */
export function refusalText (error) {
  const code = error.body?.error
  if (code === 'settings_changed') return t('warming.changed')
  return code === 'set_in_file' ? t('groups.file') : t('groups.failed', { reason: error.message })
}

/** The field that a refusal belongs to. @param {any} error @returns {{ [field: string]: string }} */
function problemsOf (error) {
  if (error.body?.error === 'queue_group_exists') return { name: t('groups.name.exists') }
  if (/^(?:new_)?name must/.test(error.message)) return { name: t('groups.name.bad') }
  if (error.body?.error === 'queue_group_stays') return { name: t('groups.name.stays') }
  if (/unknown printer/.test(error.message)) return { printers: t('groups.printers.unknown') }
  return { form: refusalText(error) }
}

const Problem = ({ id, text }) => text ? html`<small class="problem" id=${id} role="alert">${text}</small>` : ''

function Hours ({ hours, isOn, setOn, problem }) {
  const days = hours === null ? WORKDAYS : hours.days ?? DAYS
  return html`<fieldset class="part"><legend>${t('groups.hours')}</legend>
    <label class="check"><input type="checkbox" checked=${isOn} onInput=${({ target }) => setOn(target.checked)} /> <span>${t('groups.hours.on')}</span></label>
    ${isOn && html`<div class="times"><label>${t('groups.from')} <input type="time" name="from" required defaultValue=${hours?.from ?? USUAL.from} /></label>
        <label>${t('groups.to')} <input type="time" name="to" required defaultValue=${hours?.to ?? USUAL.to} /></label></div>
      <div class="chips" role="group" aria-label=${t('groups.days')}>${DAYS.map(day => html`<label class="chip" key=${day}>
        <input type="checkbox" name="days" value=${day} defaultChecked=${days.includes(day)} /><span>${dayName(day)}</span></label>`)}</div>
      <${Problem} text=${problem} />
      <small class="faint">${t('groups.hours.hint')}</small>`}</fieldset>`
}

function Printers ({ printers, chosen, problem }) {
  const [search, setSearch] = useState('')
  const isFound = name => name.toLowerCase().includes(search.trim().toLowerCase())
  return html`<fieldset class="part"><legend>${t('groups.printers')}</legend>
    ${printers.length > MANY && html`<input type="search" aria-label=${t('groups.search')} placeholder=${t('groups.search')} value=${search}
      onInput=${({ target }) => setSearch(target.value)} />`}
    <div class="choices">${printers.map(name => html`<label class="check" key=${name} hidden=${!isFound(name)}>
      <input type="checkbox" name="printers" value=${name} defaultChecked=${chosen.includes(name)} /> <span>${name}</span></label>`)}</div>
    <${Problem} text=${problem} /></fieldset>`
}

/** The next print starts without anybody looking: that is confirmed twice. */
const Clearing = ({ isOn, setOn, isNew }) => html`<fieldset class="part"><legend>${t('groups.clearing')}</legend>
  <label class="check"><input type="checkbox" name="clearing" checked=${isOn} onInput=${({ target }) => setOn(target.checked)} /> <span>${t('groups.clearing.on')}</span></label>
  ${isOn && html`<p class="note warn">${t('groups.clearing.warning')}</p>
    ${isNew && html`<label class="check"><input type="checkbox" required /> <span>${t('groups.clearing.sure')}</span></label>`}`}</fieldset>`

/** @param {FormData} form @param {{ hasHours: boolean, clearsItself: boolean }} chosen */
function changeIn (form, { hasHours, clearsItself }) {
  const days = form.getAll('days').map(Number)
  return {
    name: String(form.get('name') ?? '').trim(),
    printers: form.getAll('printers'),
    hours: hasHours
      ? { from: form.get('from'), to: form.get('to'), ...days.length < DAYS.length && { days } }
      : null,
    spacing_s: Math.round(Number(form.get('spacing') || 0) * 60),
    self_clearing: clearsItself,
    stop_after_failures: form.get('stop') === '' ? null : Number(form.get('stop'))
  }
}

/** @param {any} change */
function missingIn ({ printers, hours }) {
  return {
    ...printers.length === 0 && { printers: t('groups.printers.missing') },
    ...hours?.days?.length === 0 && { days: t('groups.days.missing') }
  }
}

/** @param {{ group?: any, view: any, onClose: () => void, onDone: () => Promise<void> }} props `group` to change */
export function GroupDialog ({ group, view, onClose, onDone }) {
  const [hasHours, setHours] = useState((group?.hours ?? null) !== null)
  const [clearsItself, setClearing] = useState(group?.self_clearing === true)
  const [problems, setProblems] = useState(/** @type {{ [field: string]: string }} */ ({}))
  const [runs, setRuns] = useState(false)
  const printers = [...view.printers, ...(group?.printers ?? []).filter(name => !view.printers.includes(name))]
  const save = async event => {
    event.preventDefault()
    const change = changeIn(new FormData(event.currentTarget), { hasHours, clearsItself })
    const missing = missingIn(change)
    setProblems(missing)
    if (runs || Object.keys(missing).length > 0) return
    setRuns(true)
    try {
      const { name } = change
      if (group) await call('PATCH', 'queue/groups', { ...change, name: group.name, ...name !== group.name && { new_name: name } })
      else await call('POST', 'queue/groups', change)
      onClose()
      await onDone()
    } catch (error) {
      setProblems(problemsOf(error))
      setRuns(false)
    }
  }
  /** Without a problem nothing is drawn anew, which would undo a tick that is not told yet. */
  const forget = ({ target: { name } }) => {
    if (problems[name]) setProblems(({ [name]: _corrected, ...others }) => others)
  }
  return html`<${Dialog} title=${group ? group.name : t('groups.add')} onClose=${onClose}><form class="edit" onSubmit=${save} onInput=${forget}>
    <label class=${`field${problems.name ? ' bad' : ''}`}><span>${t('groups.name')}</span>
      <input name="name" required maxlength="40" autocomplete="off" aria-describedby="name-problem" defaultValue=${group?.name ?? ''} placeholder=${t('groups.name.example')} />
      <${Problem} id="name-problem" text=${problems.name} /></label>
    <${Printers} printers=${printers} chosen=${group?.printers ?? []} problem=${problems.printers} />
    <${Hours} hours=${group?.hours ?? null} isOn=${hasHours} setOn=${setHours} problem=${problems.days} />
    <label class="field"><span>${t('groups.spacing')}</span>
      <span class="unit"><input name="spacing" type="number" min="0" max="1440" step="any" inputmode="decimal"
        defaultValue=${group?.spacing_s ? group.spacing_s / 60 : ''} placeholder="0" /> ${t('groups.spacing.unit')}</span>
      <small class="hint">${t('groups.spacing.hint')}</small></label>
    <label class="field"><span>${t('groups.stop')}</span>
      <input name="stop" type="number" min="0" max="20" inputmode="numeric" defaultValue=${group?.stop_after_failures ?? ''} placeholder=${t('groups.stop.usual')} />
      <small class="hint">${t('groups.stop.hint')}</small></label>
    <${Clearing} isOn=${clearsItself} setOn=${setClearing} isNew=${group?.self_clearing !== true} />
    <p class="bad" role="alert" hidden=${!problems.form}>${problems.form}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('groups.cancel')}</button>
      <button class="primary" disabled=${runs}>${t('groups.save')}</button></div>
  </form><//>`
}
