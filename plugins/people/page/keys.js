// Keys for programs: shown once, then only their names.

import { useRef, useState } from 'preact/hooks'
import { call, dateTime, t } from 'shell'
import { Budget, budgetIn, budgetText } from './budget.js'
import { FormDialog, html } from './dialog.js'
import { Name, printerNames, Printers, printersIn, Role, roleName, textIn } from './fields.js'

const expiryOf = ({ expires_at: at }) => {
  if (at === null) return t('people.key.forever')
  return Date.parse(at) > Date.now() ? t('people.key.until', { time: dateTime(at) }) : t('people.key.expired')
}

/** The list is reloaded only on closing, because after the first key the page itself has to log in. */
function Shown ({ name, secret, onClose, onDone }) {
  const field = useRef(/** @type {any} */ (null))
  const [status, setStatus] = useState('')
  const copy = async () => {
    field.current.select()
    const isCopied = await navigator.clipboard?.writeText(secret).then(() => true, () => false)
    setStatus(t(isCopied ? 'people.key.copied' : 'people.key.copy.failed'))
  }
  const close = () => { onClose(); void onDone() }
  return html`<${FormDialog} title=${t('people.key.shown', { name })} yes=${t('people.key.done')}
    isNotice text=${t('people.key.once')} onClose=${close} send=${async () => {}}>
    <input class="secret" ref=${field} readonly value=${secret} aria-label=${t('people.key.shown', { name })} />
    <div class="buttons"><button type="button" onClick=${copy}>${t('people.key.copy')}</button>
      <span role="status">${status}</span></div>
  <//>`
}

function Add ({ users, ask, onClose, onDone }) {
  const made = useRef(/** @type {any} */ (null)) // read by `onClose`, which follows at once
  const send = async form => {
    const days = textIn(form, 'days')
    made.current = await call('POST', 'people/keys', {
      name: textIn(form, 'name'),
      role: textIn(form, 'role'),
      printers: printersIn(form) ?? undefined,
      days: days === '' ? undefined : Number(days),
      owner: textIn(form, 'owner') || undefined,
      budget: budgetIn(form) ?? undefined
    })
  }
  const next = () => made.current
    ? ask(close => html`<${Shown} name=${made.current.name} secret=${made.current.key} onClose=${close} onDone=${onDone} />`)
    : onClose()
  return html`<${FormDialog} title=${t('people.key.add')} yes=${t('people.key.add')} onClose=${next} send=${send}
    text=${users.length === 0 ? t('people.key.alone') : ''}>
    <${Name} /><${Role} /><${Printers} />
    <label class="field">${t('people.key.days')} <input name="days" type="number" min="1" max="3650"
      placeholder=${t('people.key.days.hint')} /></label>
    <label class="field">${t('people.key.owner')} <select name="owner">
      <option value="">${t('people.key.owner.self')}</option>
      ${users.map(({ name }) => html`<option value=${name}>${name}</option>`)}</select></label>
    <${Budget} />
  <//>`
}

function Revoke ({ name, onClose, onDone }) {
  const send = async () => {
    await call('DELETE', 'people/keys', { name })
    await onDone()
  }
  return html`<${FormDialog} title=${t('people.key.revoke.of', { name })} yes=${t('people.key.revoke')} danger
    text=${t('people.key.revoke.ends')} ...${{ onClose, send }} />`
}

function ChangeBudget ({ name, budget, onClose, onDone }) {
  const send = async form => {
    await call('PATCH', 'people/keys', { name, budget: budgetIn(form), reset: form.get('reset') !== null })
    await onDone()
  }
  return html`<${FormDialog} title=${t('people.budget.of', { name })} yes=${t('people.save')} ...${{ onClose, send }}>
    <${Budget} budget=${budget} />
    <label class="choice"><input type="checkbox" name="reset" /> ${t('people.budget.reset')}</label>
  <//>`
}

/** @param {{ users: any[], keys: any[], ask: (dialog: any) => void, onDone: () => unknown }} options */
export function Keys ({ users, keys, ask, onDone }) {
  const open = (Dialog, more = {}) => ask(onClose => html`<${Dialog} ...${{ users, ask, onClose, onDone, ...more }} />`)
  const row = key => html`<li key=${key.name}>
    <span class="what"><strong>${key.name}</strong> <small>${[
      printerNames(key.printers), expiryOf(key), ...(key.owner === null ? [] : [t('people.key.of', { name: key.owner })]),
      ...budgetText(key.budget)
    ].join(' · ')}</small></span>
    <span class="badge">${roleName(key.role)}</span>
    ${key.role !== 'administrate' && html`<button class="small" type="button" aria-label=${`${t('people.budget')}: ${key.name}`}
      onClick=${() => open(ChangeBudget, key)}>${t('people.budget')}</button>`}
    <button class="small danger" type="button" aria-label=${`${t('people.key.revoke')}: ${key.name}`}
      onClick=${() => open(Revoke, { name: key.name })}>${t('people.key.revoke')}</button></li>`
  return html`<section class="card" aria-labelledby="keys-title">
    <h2 id="keys-title">${t('people.keys')}</h2>
    ${keys.length === 0 ? html`<p class="faint">${t('people.keys.none')}</p>` : html`<ul class="rows">${keys.map(row)}</ul>`}
    <div class="buttons"><button type="button" onClick=${() => open(Add)}>${t('people.key.add')}</button></div>
  </section>`
}
