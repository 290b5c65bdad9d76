// Form fields shared by the dialogs of users and keys, and their values.

import { useState } from 'preact/hooks'
import { shell, t } from 'shell'
import { html } from './dialog.js'

const ROLES = ['view', 'operate', 'administrate']

export const roleName = role => t(`people.role.${role}`)
export const printerNames = printers => printers === null
  ? t('people.printers.all')
  : printers.join(', ') || t('people.printers.none')

/** @param {{ isNew?: boolean }} options */
export const Name = ({ isNew = false }) => html`<label class="field">${t('people.user.name')}
  <input name="name" required maxlength="64" autocomplete=${isNew ? 'username' : 'off'} autofocus /></label>`

export const Passwords = () => html`<label class="field">${t('people.password')}
    <input name="password" type="password" required minlength="10" maxlength="256" autocomplete="new-password" /></label>
  <label class="field">${t('people.password.again')}
    <input name="again" type="password" required maxlength="256" autocomplete="new-password" /></label>`

/** @param {{ role?: string }} options */
export const Role = ({ role = 'view' }) => html`<label class="field">${t('people.user.role')}
  <select name="role" defaultValue=${role}>
    ${ROLES.map(each => html`<option value=${each} selected=${each === role}>${roleName(each)}</option>`)}
  </select></label>`

/** Removed printers stay listed for users who have them. @param {{ printers?: string[] | null }} options */
export function Printers ({ printers = null }) {
  const [all, setAll] = useState(printers === null)
  const names = [...new Set([...shell.printers, ...printers ?? []])]
  return html`<fieldset><legend>${t('people.printers')}</legend>
    <label class="choice"><input type="checkbox" name="all" checked=${all}
      onChange=${({ target }) => setAll(target.checked)} /> ${t('people.printers.all')}</label>
    ${!all && names.map(name => html`<label class="choice" key=${name}><input type="checkbox" name="printers" value=${name}
      defaultChecked=${printers?.includes(name) ?? false} /> ${name}</label>`)}
  </fieldset>`
}

/** @param {FormData} form @returns {string} */
export const textIn = (form, name) => String(form.get(name) ?? '').trim()

/** @param {FormData} form @returns {string} @throws if the two differ */
export function passwordIn (form) {
  const password = String(form.get('password'))
  if (password !== form.get('again')) throw new Error(t('people.password.differ'))
  return password
}

/** @param {FormData} form @returns {string[] | null} null for all @throws if none is chosen */
export function printersIn (form) {
  if (form.get('all') !== null) return null
  const names = form.getAll('printers').map(String)
  if (names.length === 0) throw new Error(t('people.printers.choose'))
  return names
}
