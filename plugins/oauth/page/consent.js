// What a program wants, and what a person lets it do. Everything that the program says of itself is shown as text only.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'

const PARAMS = ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method', 'state', 'scope', 'resource']
const DURATIONS = ['hour', 'day', 'week', 'month', 'revoked']

/** The request as the program wrote it into the address of this page. */
function asked () {
  const query = new URLSearchParams(location.search)
  const given = PARAMS.filter(name => query.has(name)).map(name => [name, query.get(name)])
  return { origin: location.origin, ...Object.fromEntries(given) }
}

/** A program on this device may be opened by its scheme, which is no link of a page. @param {string} address */
const leaveFor = address => location.assign(address)

/** @param {{ reason: string, back?: string }} options */
const Failure = ({ reason, back }) => html`<section class="card">
  <p class="bad" role="alert">${reason}</p>
  ${back !== undefined && html`<div class="buttons"><button type="button" onClick=${() => leaveFor(back)}>${t('consent.back')}</button></div>`}
</section>`

/** Whether the host that vouches for a program is also the one that gets the code. */
const isSameHost = ({ vouched_by: host, sent_to: to }) => to === host || to.endsWith(`.${host}`)

/** Each reason for care that applies. */
function warningsOf (request) {
  const { vouched_by: host, sent_here: isHere } = request
  return [
    ...host === null ? ['consent.unvouched'] : [],
    ...isHere ? ['consent.here'] : [],
    ...host !== null && !isHere && !isSameHost(request) ? ['consent.elsewhere'] : []
  ]
}

/** @param {{ request: any }} options */
const Program = ({ request }) => html`<section class="card" aria-labelledby="program-title">
  <h2 id="program-title" class="program">${t('consent.wants', { program: request.program })}</h2>
  <p class="goes"><span>${t('consent.goes')}</span> <strong id="sent-to">${request.sent_to}</strong></p>
  ${request.vouched_by !== null && html`<p class="note">${t('consent.vouched', { host: request.vouched_by })}</p>`}
  ${warningsOf(request).map(key => html`<p class="note warn" key=${key}>${t(key)}</p>`)}
  <p class="faint">${t('consent.as', { user: request.user })}</p>
</section>`

/** @param {{ printers: string[] }} options */
function Printers ({ printers }) {
  const [all, setAll] = useState(true)
  return html`<fieldset><legend>${t('consent.printers')}</legend>
    <label class="choice"><input type="checkbox" name="all" checked=${all}
      onChange=${({ target }) => setAll(target.checked)} /> ${t('consent.printers.all')}</label>
    ${!all && printers.map(name => html`<label class="choice" key=${name}><input type="checkbox" name="printers" value=${name} /> ${name}</label>`)}
  </fieldset>`
}

const KINDS = ['prints', 'grams', 'hours']

const Limits = () => html`<details><summary>${t('consent.limits')}</summary><div class="fields">
  ${KINDS.map(kind => html`<label class="field" key=${kind}><span>${t(`consent.limits.${kind}`)}</span>
    <input type="number" name=${kind} min="0" step=${kind === 'prints' ? '1' : 'any'} placeholder=${t('consent.limits.none')} /></label>`)}
</div></details>`

/** What it may print in all; undefined for no limit. @param {FormData} form */
function budgetIn (form) {
  const limits = KINDS.filter(kind => form.get(kind)).map(kind => [kind, { most: Number(form.get(kind)), per: 'life' }])
  return limits.length === 0 ? undefined : Object.fromEntries(limits)
}

/** @param {FormData} form @throws if no printer is chosen */
function choiceIn (form) {
  const printers = form.getAll('printers').map(String)
  const isAll = form.get('all') !== null
  if (!isAll && printers.length === 0) throw new Error(t('consent.printers.choose'))
  const budget = budgetIn(form)
  const current = form.get('current')
  return {
    role: form.get('role'), lasts: form.get('lasts'), ...(!isAll && { printers }), ...(budget && { budget }), ...(current && { current })
  }
}

/** @param {{ request: any }} options */
function Choice ({ request }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const submit = async event => {
    event.preventDefault()
    setProblem('')
    setRuns(true)
    try {
      const { redirect_to: next } = await call('POST', 'oauth/grants', { ...asked(), ...choiceIn(new FormData(event.target)) })
      leaveFor(next)
    } catch (error) {
      setProblem(/** @type {any} */ (error).message)
      setRuns(false)
    }
  }
  return html`<form class="card" onSubmit=${submit}>
    <fieldset><legend>${t('consent.role')}</legend>
      ${request.roles.map(role => html`<label class="choice" key=${role}><input type="radio" name="role" value=${role}
        defaultChecked=${role === 'view'} /> ${t(`consent.role.${role}`)}</label>`)}
    </fieldset>
    <${Printers} printers=${request.printers} />
    <label class="field"><span>${t('consent.lasts')}</span>
      <select name="lasts">${DURATIONS.map(name => html`<option value=${name} selected=${name === 'week'}>${t(`consent.lasts.${name}`)}</option>`)}</select></label>
    ${request.roles.includes('operate') && html`<${Limits} />`}
    ${request.has_password && html`<label class="field"><span>${t('consent.password')}</span>
      <input type="password" name="current" autocomplete="current-password" required /></label>`}
    <p class="faint">${t('consent.later')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end">
      <button type="button" onClick=${() => leaveFor(request.refusal)}>${t('consent.refuse')}</button>
      <button class="primary" disabled=${runs}>${t('consent.allow')}</button>
    </div>
  </form>`
}

function Consent () {
  const [request, setRequest] = useState(/** @type {any} */ (null))
  const [failure, setFailure] = useState(/** @type {any} */ (null))
  const isAsked = 'client_id' in asked()
  useEffect(() => {
    if (isAsked) {
      call('GET', 'oauth/request', asked()).then(setRequest, error =>
        setFailure({ reason: t('consent.failed', { reason: error.message }), back: error.body?.return_to }))
    }
  }, [])
  if (!isAsked) return html`<p class="note">${t('consent.empty')}</p>`
  if (failure !== null) return html`<${Failure} ...${failure} />`
  return request === null ? null : html`<${Program} request=${request} /><${Choice} request=${request} />`
}

render(html`<${Consent} />`, /** @type {any} */ (document.getElementById('consent')))
