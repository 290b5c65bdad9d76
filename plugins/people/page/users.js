// Users: who may log in, and what each may do.

import { call, t } from 'shell'
import { FormDialog, html } from './dialog.js'
import { Name, passwordIn, Passwords, printerNames, Printers, printersIn, Role, roleName, textIn } from './fields.js'

/** @param {{ isFirst: boolean, onClose: () => void, onDone: () => unknown }} options */
function Add ({ isFirst, onClose, onDone }) {
  const send = async form => {
    const password = passwordIn(form)
    const printers = isFirst ? undefined : printersIn(form) ?? undefined
    const role = isFirst ? 'administrate' : textIn(form, 'role')
    await call('POST', 'people/users', { name: textIn(form, 'name'), role, password, printers })
    await onDone()
  }
  const title = t(isFirst ? 'people.user.first' : 'people.user.add')
  return html`<${FormDialog} title=${title} yes=${t('people.user.add')} ...${{ onClose, send }}>
    <${Name} isNew /><${Passwords} />${!isFirst && html`<${Role} /><${Printers} />`}
  <//>`
}

function Change ({ user, onClose, onDone }) {
  const send = async form => {
    await call('PATCH', 'people/users', { name: user.name, role: textIn(form, 'role'), printers: printersIn(form) })
    await onDone()
  }
  return html`<${FormDialog} title=${t('people.user.change.of', { name: user.name })} yes=${t('people.save')}
    ...${{ onClose, send }}><${Role} role=${user.role} /><${Printers} printers=${user.printers} /><//>`
}

function SetPassword ({ user, onClose, onDone }) {
  const send = async form => {
    await call('PATCH', 'people/users', { name: user.name, password: passwordIn(form) })
    if (form.has('passkeys')) await call('DELETE', 'people/users/passkeys', { name: user.name })
    await onDone()
  }
  return html`<${FormDialog} title=${t('people.user.password.of', { name: user.name })} yes=${t('people.user.password')}
    text=${t('people.user.password.ends')} ...${{ onClose, send }}><${Passwords} />
    <label class="choice"><input type="checkbox" name="passkeys" /> ${t('people.user.passkeys')}</label><//>`
}

function Remove ({ user, isLast, onClose, onDone }) {
  const send = async () => {
    await call('DELETE', 'people/users', { name: user.name })
    await onDone()
  }
  const text = t(isLast ? 'people.user.remove.last' : 'people.user.remove.ends')
  return html`<${FormDialog} title=${t('people.user.remove.of', { name: user.name })} yes=${t('people.user.remove')}
    danger text=${text} ...${{ onClose, send }} />`
}

/** How a user without a password logs in. */
function loginOf ({ foreign, has_password: hasPassword }) {
  if (foreign) return ` · ${t('people.user.foreign')}`
  return hasPassword ? '' : ` · ${t('people.user.nopassword')}`
}

/** @param {{ users: any[], keys: any[], ask: (dialog: any) => void, onDone: () => unknown }} options */
export function Users ({ users, keys, ask, onDone }) {
  const isFirst = users.length === 0
  const open = (Dialog, more = {}) => ask(onClose => html`<${Dialog} ...${{ onClose, onDone, ...more }} />`)
  const row = user => html`<li key=${user.name}>
    <span class="what"><strong>${user.name}</strong>
      <small>${printerNames(user.printers)}${loginOf(user)}</small></span>
    <span class="badge">${roleName(user.role)}</span>
    <span class="buttons">
      <button class="small" type="button" onClick=${() => open(Change, { user })}
        aria-label=${`${t('people.user.change')}: ${user.name}`}>${t('people.user.change')}</button>
      ${!user.foreign && html`<button class="small" type="button" onClick=${() => open(SetPassword, { user })}
        aria-label=${`${t('people.user.password')}: ${user.name}`}>${t('people.user.password')}</button>`}
      <button class="small danger" type="button"
        aria-label=${`${t('people.user.remove')}: ${user.name}`}
        onClick=${() => open(Remove, { user, isLast: users.length + keys.length === 1 })}>${t('people.user.remove')}</button>
    </span></li>`
  return html`<section class="card" aria-labelledby="users-title">
    <h2 id="users-title">${t('people.users')}</h2>
    ${isFirst ? html`<p>${t('people.first')}</p>` : html`<ul class="rows">${users.map(row)}</ul>`}
    <div class="buttons"><button type="button" class=${isFirst ? 'primary' : ''} onClick=${() => open(Add, { isFirst })}>
      ${t(isFirst ? 'people.user.first' : 'people.user.add')}</button></div>
  </section>`
}
