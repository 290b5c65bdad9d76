// Second step: who may use this service.

import { useEffect, useState } from 'preact/hooks'
import { call, hasPage, linkTo, shell, t } from 'shell'
import { html } from 'components'
import { failureOf } from './problems.js'

const LEAST_LETTERS = 10
/** What is typed is the same in every language. */
const START = 'npm start'
const RESTART = 'systemctl restart prnd'
const TOKEN = 'PRN_API_TOKEN'
const HOSTS = { machine: 'PRN_API_HOST=127.0.0.1', network: 'PRN_API_HOST=0.0.0.0' }

/** Adds the first administrator and logs in as this person, as everyone has to from now on. @param {FormData} form */
async function addFirst (form) {
  const [name = '', password = '', again = ''] = ['name', 'password', 'again'].map(field => String(form.get(field) ?? ''))
  if (password !== again) throw Object.assign(new Error(t('welcome.people.differ')), { body: { field: 'again' } })
  await call('POST', 'people/users', { name: name.trim(), role: 'administrate', password })
  await fetch(`${shell.base}login`, { method: 'POST', body: new URLSearchParams({ name: name.trim(), password }) })
}

/** @param {{ reach: any }} options */
const Addresses = ({ reach: { addresses } }) => addresses.length === 0
  ? ''
  : html`<p>${t('welcome.access.addresses')}</p>
    <ul class="addresses">${addresses.map(address => html`<li key=${address}><a href=${address}>${address}</a></li>`)}</ul>`

/** What is needed for a choice that counts from the next start. @param {{ reach: any, choice: string }} options */
function Restart ({ reach, choice }) {
  if (reach.from_environment) {
    return html`<p class="note warn">${t(`welcome.access.environment.${choice}`)} <code>${HOSTS[choice]}</code></p>`
  }
  if (reach.reach_after_restart === reach.reach || reach.reach_after_restart !== choice) return ''
  return html`<p class="note warn" role="status">${t('welcome.access.restart')} <code>${START}</code>
    ${t('welcome.access.restart.system')} <code>${RESTART}</code></p>`
}

const Option = ({ value, choice, onChoose, children }) => html`<label class="option">
  <input type="radio" name="reach" value=${value} checked=${value === choice} onChange=${() => onChoose(value)} />
  <span><b>${t(`welcome.access.${value}`)}</b><small>${t(`welcome.access.${value}.means`)}</small></span></label>
  ${value === choice && html`<div class="detail">${children}</div>`}`

const PersonFields = () => html`<div class="fields">
  <label class="field"><span>${t('welcome.people.name')}</span><input name="name" required maxlength="64" autocomplete="username" /></label>
  <label class="field"><span>${t('welcome.people.password')}</span><input name="password" type="password" required minlength=${LEAST_LETTERS} maxlength="256" autocomplete="new-password" />
    <small class="hint">${t('welcome.people.least')}</small></label>
  <label class="field"><span>${t('welcome.people.again')}</span><input name="again" type="password" required maxlength="256" autocomplete="new-password" /></label>
</div>`

/** The current settings; undefined until they are read. */
function useReach () {
  const [reach, setReach] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const read = () => call('GET', 'setup/access').then(setReach, error => setProblem(failureOf(error).text))
  useEffect(() => { void read() }, [])
  return { reach, read, problem, setProblem }
}

const chosenOf = reach => reach.needs_login ? 'people' : reach.reach_after_restart

/** @param {{ onDone: () => void, next: () => void, isLast: boolean }} options */
export function AccessStep ({ onDone, next, isLast }) {
  const { reach, read, problem, setProblem } = useReach()
  const [chosen, choose] = useState('')
  const [saved, setSaved] = useState(false)
  const [runs, setRuns] = useState(false)
  if (reach === undefined) return problem === '' ? '' : html`<p class="note warn" role="alert">${problem}</p>`
  const choice = chosen || chosenOf(reach)
  const isLogin = choice === 'people' && !reach.needs_login
  const save = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    setProblem('')
    try {
      if (isLogin) await addFirst(new FormData(event.target))
      else if (choice !== 'people' && choice !== reach.reach_after_restart) await call('PATCH', 'setup/access', { reach: choice })
      await read()
      setSaved(true)
      onDone()
    } catch (error) {
      setProblem(failureOf(error).text)
    }
    setRuns(false)
  }
  const needsRestart = choice !== 'people' && choice !== reach.reach
  const change = value => {
    choose(value)
    setSaved(false)
  }
  const option = (value, detail) => html`<${Option} ...${{ value, choice, onChoose: change }}>${detail}<//>`
  return html`<form class="card" aria-labelledby="access-title" onSubmit=${save}>
    <header><h2 id="access-title">${t('welcome.access')}</h2></header>
    <div>
      ${option('network', html`${reach.reach === 'network' && html`<${Addresses} reach=${reach} />`}${saved && html`<${Restart} ...${{ reach, choice }} />`}`)}
      ${hasPage('people') && option('people', reach.needs_login
        ? html`<p class="note good">${t('welcome.people.on')} <a href=${linkTo('people')}>${t('people.title')}</a></p>`
        : html`<${PersonFields} /><p class="faint">${t('welcome.people.token')} <code>${TOKEN}</code></p>`)}
      ${option('machine', html`${(saved || reach.from_environment) && html`<${Restart} ...${{ reach, choice }} />`}`)}
    </div>
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    <div class="buttons end">${saved || (!isLogin && !needsRestart)
      ? html`<button type="button" class="primary" onClick=${() => { onDone(); next() }}>${t(isLast ? 'welcome.finish' : 'welcome.next')}</button>`
      : html`<button class="primary" disabled=${runs}>${t('welcome.save')}</button>`}</div>
  </form>`
}
