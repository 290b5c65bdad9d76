// The reader's own login: password and passkeys.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, dateTime, hasPage, linkTo, t } from 'shell'
import { Dialog, html } from 'components'
import { makePasskey } from './make-passkey.js'

const NOT_A_USER = 'not_a_user'
const failed = error => t('account.failed', { reason: /** @type {Error} */ (error).message })

const Password = ({ name, label, complete, autofocus = false, least = 1 }) => html`<label class="field">${label}
  <input name=${name} type="password" required minlength=${least} maxlength="256" autocomplete=${complete} autofocus=${autofocus} /></label>`

/**
 * @typedef {{ title: string, yes: string, danger?: boolean, onClose: () => void, children?: any,
 *   send: (form: FormData) => Promise<unknown> }} AskOptions `send` throws the error to show
 */

/** @param {AskOptions} options */
function Ask ({ title, yes, danger = false, onClose, send, children }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const submit = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    setProblem('')
    try {
      await send(new FormData(event.target))
      onClose()
    } catch (error) {
      // The person has changed their mind, or the browser did not say more.
      setProblem(/** @type {Error} */ (error).name === 'NotAllowedError' ? t('account.stopped') : failed(error))
      setRuns(false)
    }
  }
  return html`<${Dialog} ...${{ title, onClose }}><form class="ask" onSubmit=${submit}>${children}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('account.cancel')}</button>
      <button class=${danger ? 'danger' : 'primary'} disabled=${runs}>${yes}</button></div></form><//>`
}

const currentOf = form => form.has('current') ? { current: String(form.get('current')) } : {}
const Current = ({ has }) => has &&
  html`<${Password} name="current" label=${t('account.current')} complete="current-password" autofocus />`

function Add ({ view, onClose, onDone }) {
  const send = async form => {
    const { options } = await call('POST', 'people/me/passkeys/options', currentOf(form))
    const credential = await makePasskey(options)
    await call('POST', 'people/me/passkeys', { name: String(form.get('name')).trim(), credential })
    await onDone()
  }
  return html`<${Ask} title=${t('account.add')} yes=${t('account.add.next')} ...${{ onClose, send }}>
    <p>${t('account.add.what')}</p>
    <label class="field">${t('account.add.name')}
      <input name="name" required maxlength="64" autocomplete="off" placeholder=${t('account.add.example')} autofocus /></label>
    <${Current} has=${view.has_password} /><//>`
}

function Remove ({ passkey, isLast, strict, onClose, onDone }) {
  const send = async () => {
    await call('DELETE', 'people/me/passkeys', { id: passkey.id })
    await onDone()
  }
  return html`<${Ask} title=${t('account.remove.of', { name: passkey.name })} yes=${t('account.remove')} danger ...${{ onClose, send }}>
    <p>${t(isLast && strict ? 'account.remove.last' : 'account.remove.what')}</p><//>`
}

function Strict ({ view, onClose, onDone }) {
  const strict = !view.strict
  const send = async form => {
    await call('PATCH', 'people/me/passkeys', { strict, ...currentOf(form) })
    await onDone()
  }
  return html`<${Ask} title=${t(strict ? 'account.strict.on' : 'account.strict.off')} yes=${t('account.save')} ...${{ onClose, send }}>
    <p>${t(strict ? 'account.strict.on.what' : 'account.strict.off.what')}</p><${Current} has=${view.has_password} /><//>`
}

function Change ({ onClose }) {
  const send = async form => {
    const password = String(form.get('password'))
    if (password !== form.get('again')) throw new Error(t('account.password.differ'))
    await call('POST', 'people/me/password', { current: String(form.get('current')), password })
    location.assign('/login?next=%2Faccount')
  }
  return html`<${Ask} title=${t('account.password.change')} yes=${t('account.password.change')} ...${{ onClose, send }}>
    <p>${t('account.password.ends')}</p><${Current} has />
    <${Password} name="password" label=${t('account.password.new')} complete="new-password" least="10" />
    <${Password} name="again" label=${t('account.password.again')} complete="new-password" /><//>`
}

const detailsOf = ({ host, created_at: at, used_at: used }) => [
  host, t('account.added', { time: dateTime(at) }), used === null ? t('account.unused') : t('account.used', { time: dateTime(used) })
].join(' · ')

/** @param {{ view: any, ask: (make: any) => void, onDone: () => Promise<void> }} options */
function Passkeys ({ view, ask, onDone }) {
  const { passkeys, possible, strict } = view
  const isAble = possible && window.PublicKeyCredential !== undefined
  const row = passkey => html`<li class="row" key=${passkey.id}>
    <span class="row-main program"><strong>${passkey.name}</strong><small>${detailsOf(passkey)}</small></span>
    <span class="row-end"><button type="button" class="small danger" aria-label=${`${t('account.remove')}: ${passkey.name}`}
      onClick=${() => ask(onClose => html`<${Remove} isLast=${passkeys.length === 1} ...${{ passkey, strict, onClose, onDone }} />`)}>
      ${t('account.remove')}</button></span></li>`
  return html`<section class="card" aria-labelledby="passkeys-title"><h2 id="passkeys-title">${t('account.passkeys')}</h2>
    <p>${t('account.passkeys.what')}</p>
    ${passkeys.length > 0 && html`<ul class="rows">${passkeys.map(row)}</ul>`}
    ${!isAble && html`<p class="faint">${t('account.impossible')}</p>`}
    <div class="buttons"><button type="button" class=${passkeys.length === 0 ? 'primary' : ''} disabled=${!isAble}
      onClick=${() => ask(onClose => html`<${Add} ...${{ view, onClose, onDone }} />`)}>${t('account.add')}</button></div>
    ${passkeys.length > 0 && html`<label class="strict"><input type="checkbox" checked=${strict}
      onClick=${event => { event.preventDefault(); ask(onClose => html`<${Strict} ...${{ view, onClose, onDone }} />`) }} />
      ${t('account.strict')}</label>`}
  </section>`
}

const loginText = ({ foreign, strict, passkeys }) => {
  if (foreign) return 'account.foreign'
  if (strict) return 'account.login.strict'
  return passkeys.length > 0 ? 'account.login.both' : 'account.login.password'
}

function Account () {
  const [view, setView] = useState(/** @type {any} */ (null))
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const [isNobody, setNobody] = useState(false)
  const onDone = async () => setView(await call('GET', 'people/me/passkeys'))
  const ask = make => setDialog(make(() => setDialog(null)))
  useEffect(() => {
    const start = async () => (await call('GET', 'people/me')).name === null ? setNobody(true) : await onDone()
    start().catch(error => error.code === NOT_A_USER ? setNobody(true) : setProblem(failed(error)))
  }, [])
  return html`${problem !== '' && html`<p class="card" role="alert">${problem}</p>`}
    ${isNobody && html`<section class="card"><p>${t('account.nobody')}</p>
      ${hasPage('people') && html`<div class="buttons"><a class="button" href=${linkTo('people')}>${t('account.people')}</a></div>`}</section>`}
    ${view !== null && html`<section class="card" aria-labelledby="login-title"><h2 id="login-title">${view.name}</h2>
      <p>${t(loginText(view))}</p>
      ${!view.foreign && view.has_password && html`<div class="buttons"><button type="button"
        onClick=${() => ask(onClose => html`<${Change} onClose=${onClose} />`)}>${t('account.password.change')}</button></div>`}</section>
      ${!view.foreign && html`<${Passkeys} ...${{ view, ask, onDone }} />`}`}
    ${dialog}`
}

render(html`<${Account} />`, /** @type {any} */ (document.getElementById('account')))
