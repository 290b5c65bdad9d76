// The broker's address and login, and what is sent to it.

import { useRef, useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'
import { failureOf, refusalOf } from './problems.js'

const PORT = 1883
const TLS_PORT = 8883
const WAIT_MS = 30_000
const MINUTE_S = 60
const IMAGE_SECONDS = [0, 60, 300, 900]
const NONE = { field: '', text: '' }
/** What may be pasted as an address: `mqtts://host:port`. */
const PASTED = /^(?:(mqtts?):\/\/)?([^:/\s@]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?\/?$/i

const imagesText = seconds => {
  if (seconds === 0) return t('homeassistant.images.never')
  return seconds % MINUTE_S === 0
    ? t('homeassistant.images.minutes', { count: seconds / MINUTE_S })
    : t('homeassistant.images.seconds', { count: seconds })
}

const labelOf = name => t(`homeassistant.field.${name}`)

/** @param {{ name: string, failure: typeof NONE, hint?: string, children: any }} options */
const Field = ({ name, failure, hint = '', children }) => {
  const isBad = failure.field === name
  return html`<label class=${isBad ? 'field bad' : 'field'}><span>${labelOf(name)}</span>${children}
    ${(isBad || hint !== '') && html`<small id=${`${name}-note`} class=${isBad ? 'problem' : 'hint'} role=${isBad ? 'alert' : undefined}>
      ${isBad ? failure.text : hint}</small>`}</label>`
}

/** @param {{ name: string, failure: typeof NONE, hint?: string, input: any }} options */
const TextField = ({ name, failure, hint, input }) => html`<${Field} ...${{ name, failure, hint }}>
  <input name=${name} autocomplete="off" spellcheck=${false} autocapitalize="none" aria-describedby=${`${name}-note`} ...${input} /><//>`

/** @param {{ name: string, checked: boolean, failure?: typeof NONE, onChange?: (event: any) => void }} options */
const Check = ({ name, checked, failure = NONE, onChange }) => html`<label class="setting">
  <input type="checkbox" name=${name} defaultChecked=${checked} onChange=${onChange} />${labelOf(name)}
  ${failure.field === name && html`<small class="problem" role="alert">${failure.text}</small>`}</label>`

/** The body of a request. @param {any} form @param {{ hasPassword: boolean }} known */
function valuesOf (form, { hasPassword }) {
  const {
    host, port, tls, username, password, ca, forget, readOnly, imageOnAlert, imageSeconds, discoveryPrefix, topicPrefix
  } = form.elements
  const pem = ca.value.trim()
  const user = username.value.trim()
  const isForgotten = !tls.checked || forget?.checked === true
  return {
    host: host.value.trim().replaceAll(/[[\]]/g, ''),
    port: Number(port.value) || (tls.checked ? TLS_PORT : PORT),
    tls: tls.checked,
    ...(user !== '' && { username: user }),
    ...(password.value !== '' ? { password: password.value } : (user === '' || !hasPassword) && { password: null }),
    ...(pem !== '' ? { ca: pem } : isForgotten && { ca: null }),
    discoveryPrefix: discoveryPrefix.value.trim(),
    topicPrefix: topicPrefix.value.trim(),
    readOnly: readOnly.checked,
    imageOnAlert: imageOnAlert.checked,
    imageSeconds: Number(imageSeconds.value)
  }
}

/** A port that belongs to the other kind of connection follows it. @param {any} form */
function followTls ({ elements: { tls, port } }) {
  const [usual, other] = tls.checked ? [TLS_PORT, PORT] : [PORT, TLS_PORT]
  if (Number(port.value) === other) port.value = String(usual)
}

/** Takes a pasted address apart. @param {any} form */
function takeApart (form) {
  const { host, port, tls } = form.elements
  const [, protocol, name, number] = PASTED.exec(host.value.trim()) ?? []
  if (name === undefined) return
  host.value = name
  if (number !== undefined) port.value = number
  if (protocol === undefined) return
  tls.checked = protocol.toLowerCase() === 'mqtts'
  followTls(form)
}

/** What can usually stay as it is. @param {{ values: any, view: any, failure: typeof NONE, tls: boolean }} options */
const More = ({ values, view, failure, tls }) => html`<details open=${['ca', 'discoveryPrefix', 'topicPrefix'].includes(failure.field) || undefined}>
  <summary>${t('homeassistant.more')}</summary><div>
    <${Check} name="readOnly" checked=${values.readOnly} /><${Check} name="imageOnAlert" checked=${values.imageOnAlert} />
    <div class="fields">
      <${Field} name="imageSeconds" failure=${failure}><select name="imageSeconds">${[...new Set([...IMAGE_SECONDS, values.imageSeconds])]
        .map(seconds => html`<option key=${seconds} value=${seconds} selected=${seconds === values.imageSeconds}>${imagesText(seconds)}</option>`)}</select><//>
      <${TextField} name="discoveryPrefix" failure=${failure} hint=${t('homeassistant.hint.discoveryPrefix')} input=${{ defaultValue: values.discoveryPrefix }} />
      <${TextField} name="topicPrefix" failure=${failure} hint=${t('homeassistant.hint.topicPrefix')} input=${{ defaultValue: values.topicPrefix }} />
    </div>
    <div hidden=${!tls}><${Field} name="ca" failure=${failure} hint=${t(view.has_ca ? 'homeassistant.hint.saved' : 'homeassistant.hint.ca')}>
      <textarea name="ca" rows="4" spellcheck=${false}></textarea><//>
      ${view.has_ca && html`<label class="setting"><input type="checkbox" name="forget" />${t('homeassistant.ca.forget')}</label>`}</div>
  </div></details>`

/** @param {{ view: any, onDone: () => Promise<void> }} options */
export function BrokerForm ({ view, onDone }) {
  const { origin, settings, initial, has_password: hasPassword } = view
  const values = settings ?? { host: '', port: '', tls: false, username: '', ...initial }
  const isFixed = origin === 'file'
  const form = useRef(/** @type {any} */ (null))
  const [tls, setTls] = useState(values.tls)
  const [failure, setFailure] = useState(NONE)
  const [mayForce, setForce] = useState(false)
  const [status, setStatus] = useState({ text: '', tone: 'faint' })
  const [runs, setRuns] = useState(false)

  const fail = found => {
    setFailure(found)
    form.current.elements[found.field]?.focus()
  }
  const run = async work => {
    if (runs) return
    setRuns(true)
    setFailure(NONE)
    setForce(false)
    setStatus({ text: '', tone: 'faint' })
    takeApart(form.current)
    try {
      if (form.current.elements.host.value.trim() === '') fail(failureOf({ cause: 'required', reason: '' }))
      else await work(valuesOf(form.current, { hasPassword }))
    } catch (error) {
      setStatus({ text: '', tone: 'faint' })
      fail(refusalOf(/** @type {Error} */ (error).message))
    }
    setRuns(false)
  }
  /** @returns {Promise<boolean>} whether the broker accepts it */
  const isAccepted = async body => {
    setStatus({ text: t('homeassistant.testing'), tone: 'faint' })
    const { problem } = await call('POST', 'homeassistant/test', body, { waitMs: WAIT_MS })
    setStatus({ text: problem ? '' : t('homeassistant.tested'), tone: 'good' })
    if (problem) fail(failureOf(problem))
    return !problem
  }
  const store = async body => {
    await call('POST', 'homeassistant', body, { waitMs: WAIT_MS })
    for (const secret of ['password', 'ca']) form.current.elements[secret].value = ''
    await onDone()
    setStatus({ text: t('homeassistant.saved'), tone: 'good' })
  }
  const test = () => run(isAccepted)
  const force = () => run(store)
  const submit = event => {
    event.preventDefault()
    return run(async body => {
      if (await isAccepted(body)) await store(body)
      else setForce(true)
    })
  }
  const password = { type: 'password', autocomplete: 'new-password', maxlength: 1024 }
  return html`<section class="card" aria-labelledby="broker-title"><header><h2 id="broker-title">${t('homeassistant.broker')}</h2></header>
    <p class="faint">${t(isFixed ? 'homeassistant.fromFile' : 'homeassistant.broker.what')}</p>
    <form ref=${form} noValidate onSubmit=${submit}><fieldset class="broker" disabled=${isFixed}>
      <div class="fields">
        <${TextField} name="host" failure=${failure} hint=${t('homeassistant.hint.host')} input=${{ defaultValue: values.host, maxlength: 260 }} />
        <${TextField} name="port" failure=${failure} hint=${t('homeassistant.hint.port', { port: String(tls ? TLS_PORT : PORT) })}
          input=${{ defaultValue: values.port, type: 'number', min: 1, max: 65535, inputmode: 'numeric' }} />
        <${TextField} name="username" failure=${failure} input=${{ defaultValue: values.username ?? '', maxlength: 256 }} />
        <${TextField} name="password" failure=${failure} hint=${hasPassword && !isFixed ? t('homeassistant.hint.saved') : ''} input=${password} />
      </div>
      <${Check} name="tls" checked=${values.tls} failure=${failure} onChange=${({ target }) => { setTls(target.checked); followTls(form.current) }} />
      <${More} ...${{ values, view, failure, tls }} />
      ${!isFixed && html`<p class="faint">${t('homeassistant.warning')}</p>
        ${failure.field === '' && failure.text !== '' && html`<p class="note bad" role="alert">${failure.text}</p>`}
        <p class=${status.tone === 'good' ? 'note good' : 'faint'} role="status" hidden=${status.text === ''}>${status.text}</p>
        <div class="buttons end">
          ${mayForce && html`<button type="button" disabled=${runs} onClick=${force}>${t('homeassistant.connect.anyway')}</button>`}
          <button type="button" disabled=${runs} onClick=${test}>${t('homeassistant.test')}</button>
          <button class="primary" disabled=${runs}>${t(origin === 'none' ? 'homeassistant.connect' : 'homeassistant.save')}</button></div>`}
    </fieldset></form></section>`
}
