// Where messages go, what each place gets, and how the last ones fared.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { call, dateTime, linkTo, t } from 'shell'
import { ThisDevice } from './device.js'
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

/** The kind of devices, for users who may not see the others. */
const ofDevices = ({ alerts, usual }) => ({
  kinds: [{ type: 'push', picture: false, clip: false, fields: [] }], targets: [], alerts, usual
})

/** The device card, with the dialogues that it opens. */
function Devices ({ push, isFirst, show, onDone }) {
  const close = () => show(null)
  const edit = device => show(html`<${PlaceDialog} key=${device.name} isOwn type="push" setup=${ofDevices(push)}
    target=${{ ...device, options: {}, secrets: [] }} onClose=${close} onDone=${onDone} />`)
  const remove = device => show(html`<${RemoveDialog} isOwn target=${device} onClose=${close} onDone=${onDone} />`)
  return html`<${ThisDevice} push=${push} isFirst=${isFirst} onEdit=${edit} onRemove=${remove} onDone=${onDone} />`
}

/** For those who may not change the places. */
function ReadOnly ({ targets, messages, push }) {
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  return html`<${Head} /><${Devices} push=${push} isFirst show=${setDialog} onDone=${refresh} />
    <p class="note">${t('messages.readonly')}</p>
    ${targets.length > 0 && html`<section class="card" aria-labelledby="places-title">
      <header><h2 id="places-title">${t('messages.places')}</h2></header>
      <ul class="rows">${targets.map(({ name, problem }) => html`<li class="row" key=${name}><div class="row-main"><b>${name}</b>
        ${problem !== null && html`<small class="problem">${problemWords(problem)}</small>`}</div></li>`)}</ul></section>`}
    <${Log} messages=${messages} />${dialog}`
}

function Setup ({ setup, messages, push }) {
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
    <${Devices} push=${push} isFirst=${!hasPlaces} show=${setDialog} onDone=${refresh} />
    ${hasPlaces && html`<${Quiet} quiet=${setup.quiet} onDone=${refresh} />`}
    <${Log} messages=${messages} />${dialog}`
}

/** @param {Promise<any>} answer @returns {Promise<any>} undefined for what the user may not see */
const ifAllowed = answer => answer.catch(error => {
  if (error.status === 403) return undefined
  throw error
})

async function refresh () {
  try {
    const push = await call('GET', 'messages/push')
    const { targets, messages } = await ifAllowed(call('GET', 'messages', { limit: SHOWN })) ?? { targets: [], messages: [] }
    const setup = await ifAllowed(call('GET', 'messages/setup'))
    $('problem').hidden = true
    render(setup
      ? html`<${Setup} setup=${setup} messages=${messages} push=${push} />`
      : html`<${ReadOnly} targets=${targets} messages=${messages} push=${push} />`, $('messages'))
  } catch (error) {
    const { status, message } = /** @type {any} */ (error)
    if (status === 401) return location.assign(linkTo('messages')) // the service redirects to the login
    $('problem').textContent = t('messages.failed', { reason: message })
    $('problem').hidden = false
  }
}

void refresh()
