// Where messages go, what each place gets, and how the last ones fared.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { call, dateTime, linkTo, t } from 'shell'
import { Dialog } from './dialog.js'
import { html, Icon, problemWords } from './lib.js'
import { Kinds, PlaceDialog } from './place.js'
import { Place, RemoveDialog } from './places.js'
import { Quiet } from './quiet.js'

const SHOWN = 8
const TONES = { delivered: 'good', waiting: '', given_up: 'bad' }

/** @returns {any} */
const $ = id => document.getElementById(id)

const Log = ({ messages }) => messages.length > 0 && html`<section class="card" aria-labelledby="log-title">
  <header><h2 id="log-title">${t('messages.log')}</h2></header>
  <ul class="rows" aria-labelledby="log-title">${messages.map(({ id, title, target, created_at: at, status, problem }) => html`
    <li class="row" key=${id}><div class="row-main"><b>${title}</b>
      <small>${target} · ${dateTime(at)}</small>
      ${problem !== null && html`<small class="problem">${problemWords(problem)}</small>`}</div>
      <span class=${`badge ${TONES[status]}`}>${t(`messages.log.${status}`)}</span></li>`)}</ul></section>`

const Head = ({ children }) => html`<div class="page-head"><h1>${t('messages.title')}</h1><span class="space"></span>${children}
  <p class="lead">${t('messages.lead')}</p></div>`

/** For those who may not change the places. */
const ReadOnly = ({ targets, messages }) => html`<${Head} /><p class="note">${t('messages.readonly')}</p>
  ${targets.length > 0 && html`<section class="card" aria-labelledby="places-title"><header><h2 id="places-title">${t('messages.places')}</h2></header>
    <ul class="rows">${targets.map(({ name, problem }) => html`<li class="row" key=${name}><div class="row-main"><b>${name}</b>
      ${problem !== null && html`<small class="problem">${problemWords(problem)}</small>`}</div></li>`)}</ul></section>`}
  <${Log} messages=${messages} />`

function Setup ({ setup, messages }) {
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const close = () => setDialog(null)
  const common = { setup, onClose: close, onDone: refresh }
  const choose = () => setDialog(html`<${Dialog} title=${t('messages.choose')} onClose=${close}>
    <${Kinds} kinds=${setup.kinds} onChoose=${add} /><//>`)
  const add = type => setDialog(html`<${PlaceDialog} key=${type} ...${common} type=${type} onBack=${choose} />`)
  const edit = target => setDialog(html`<${PlaceDialog} key=${target.name} ...${common} type=${target.type} target=${target} />`)
  const remove = target => setDialog(html`<${RemoveDialog} target=${target} onClose=${close} onDone=${refresh} />`)
  const hasPlaces = setup.targets.length > 0
  const canEdit = target => setup.kinds.some(({ type }) => type === target.type)
  return html`<${Head}>${hasPlaces && html`<button type="button" class="primary" onClick=${choose}>${t('messages.add')}</button>`}<//>
    ${hasPlaces
      ? html`<section class="card" aria-labelledby="places-title"><header><h2 id="places-title">${t('messages.places')}</h2></header>
          <ul class="rows" aria-labelledby="places-title">${setup.targets.map(target => html`<${Place} key=${target.name} target=${target}
            onEdit=${() => canEdit(target) && edit(target)} onRemove=${() => remove(target)} onDone=${refresh} />`)}</ul></section>`
      : html`<section class="card first"><div class="empty"><${Icon} name="bell" /><h2>${t('messages.empty')}</h2>
          <p>${t('messages.empty.text')}</p></div><${Kinds} kinds=${setup.kinds} onChoose=${add} /></section>`}
    ${hasPlaces && html`<${Quiet} quiet=${setup.quiet} onDone=${refresh} />`}
    <${Log} messages=${messages} />${dialog}`
}

async function refresh () {
  try {
    const { targets, messages } = await call('GET', 'messages', { limit: SHOWN })
    const setup = await call('GET', 'messages/setup').catch(error => {
      if (error.status === 403) return undefined
      throw error
    })
    $('problem').hidden = true
    render(setup
      ? html`<${Setup} setup=${setup} messages=${messages} />`
      : html`<${ReadOnly} targets=${targets} messages=${messages} />`, $('messages'))
  } catch (error) {
    const { status, message } = /** @type {any} */ (error)
    if (status === 401) return location.assign(linkTo('messages')) // the service redirects to the login
    $('problem').textContent = t('messages.failed', { reason: message })
    $('problem').hidden = false
  }
}

void refresh()
