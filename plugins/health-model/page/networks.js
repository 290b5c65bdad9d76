// The networks that there are, and ways to add one.

import { call, t } from 'shell'
import { sizeText } from '../../shell/page/format.js'
import { Field, FormDialog, listIn, textIn } from './dialog.js'
import { html } from 'components'
import { aboutOf, nameOf } from './names.js'

function Remove ({ name, route, params, text, onClose, onState }) {
  const send = async () => onState(await call('DELETE', route, params))
  return html`<${FormDialog} title=${t('monitor.remove.of', { name })} yes=${t('monitor.remove')} isDanger
    ...${{ onClose, send }}><p>${text}</p><//>`
}

const badge = judges => html`<span class=${judges ? 'badge good' : 'badge'}>
  ${t(judges ? 'monitor.networks.judges' : 'monitor.networks.rests')}</span>`

/** @param {{ label: string, onClick: () => void }} options */
const RemoveButton = ({ label, onClick }) => html`<button class="small danger" onClick=${onClick}
  aria-label=${`${t('monitor.remove')}: ${label}`}>${t('monitor.remove')}</button>`

function Network ({ network, canRun, mayChange, open }) {
  const { name, built_in: isBuiltIn, judges, failing, width, height, bytes, licence, source } = network
  const facts = t('monitor.networks.facts', { failing: failing.join(', '), size: sizeText(bytes), width, height })
  const text = t('monitor.remove.text')
  return html`<li class="row"><span class="row-main"><b>${nameOf(network)}</b>
      ${isBuiltIn
        ? html`<small>${t('monitor.networks.builtin.about')}</small>`
        : html`<small>${facts}</small>
          <small>${t('monitor.networks.licence', { licence })}${source !== null && ` · ${t('monitor.networks.from', { source })}`}</small>`}
    </span><span class="row-end">${badge(judges && canRun)}
      ${!isBuiltIn && mayChange && html`<${RemoveButton} label=${name} onClick=${() =>
        open(Remove, { name, route: 'health/networks', params: { name }, text })} />`}</span></li>`
}

function Server ({ remote, mayChange, open }) {
  const name = remote.url === null ? t('monitor.networks.server') : new URL(remote.url).host
  const text = t('monitor.remove.server')
  return html`<li class="row"><span class="row-main"><b>${name}</b>
      <small>${t('monitor.networks.server.text')} ${remote.configured && t('monitor.networks.server.configured')}</small></span>
    <span class="row-end">${badge(true)}
      ${mayChange && !remote.configured && html`<${RemoveButton} label=${name} onClick=${() =>
        open(Remove, { name, route: 'health/remote', params: {}, text })} />`}</span></li>`
}

export function Networks ({ state, open }) {
  const { networks, remote, runtimes, may_change: mayChange } = state
  const canRun = Object.keys(runtimes).length > 0
  return html`<section class="card" aria-labelledby="networks-title">
    <header><h2 id="networks-title">${t('monitor.networks')}</h2></header>
    <ul class="rows">
      ${networks.map(network => html`<${Network} key=${network.name} ...${{ network, canRun, mayChange, open }} />`)}
      ${remote !== null && html`<${Server} ...${{ remote, mayChange, open }} />`}
    </ul></section>`
}

/** What someone agrees to before anything is fetched. */
function Fetch ({ offer, onClose, onState }) {
  const { name, publisher, address, bytes, licence, sha256 } = offer
  const title = t('monitor.add.ask', { name: aboutOf(offer, 'name') })
  const send = async () => onState(await call('POST', 'health/networks', { published: { name, agree: true } }))
  const facts = [
    ['publisher', publisher], ['address', address], ['size', sizeText(bytes)], ['licence', licence],
    ['terms', aboutOf(offer, 'terms')], ['checksum', sha256]
  ]
  return html`<${FormDialog} title=${title} yes=${t('monitor.add.fetch')} ...${{ onClose, send }}>
    <dl class="facts">${facts.map(([what, text]) => html`<dt>${t(`monitor.add.${what}`)}</dt><dd>${text}</dd>`)}</dl>
    <p class="faint">${t('monitor.add.checked')}</p><//>`
}

function AddFile ({ onClose, onState }) {
  const send = async form => onState(await call('POST', 'health/networks',
    { path: textIn(form, 'path'), labels: listIn(form, 'labels'), failing: listIn(form, 'failing') }))
  const field = (name, isRequired = false) => html`<${Field} label=${t(`monitor.file.${name}`)}
    hint=${t(`monitor.file.${name}.hint`)} ...${{ name, isRequired }} />`
  return html`<${FormDialog} title=${t('monitor.file')} yes=${t('monitor.file.yes')} ...${{ onClose, send }}>
    ${field('path', true)}${field('labels')}${field('failing')}<//>`
}

function AddServer ({ onClose, onState }) {
  const send = async form => onState(await call('POST', 'health/remote', { url: textIn(form, 'url'), token: textIn(form, 'token') }))
  return html`<${FormDialog} title=${t('monitor.server')} yes=${t('monitor.server.add')} ...${{ onClose, send }}>
    <${Field} name="url" type="url" label=${t('monitor.server.url')} hint=${t('monitor.server.url.hint')} isRequired />
    <${Field} name="token" type="password" label=${t('monitor.server.token')} hint=${t('monitor.server.token.hint')} />
    <p class="note warn">${t('monitor.server.privacy')}</p><//>`
}

const Way = ({ title, about, more = '', button, isOff = false, onClick }) => html`<li class="row">
  <span class="row-main"><b>${title}</b><small>${about}</small>${more !== '' && html`<small>${more}</small>`}</span>
  <span class="row-end"><button class="small" disabled=${isOff} aria-label=${`${button}: ${title}`} onClick=${onClick}>
    ${button}</button></span></li>`

/** @param {{ state: any, isBusy: boolean, open: (dialog: any, more?: object) => void }} options */
export function AddNetwork ({ state, isBusy, open }) {
  const { catalogue, remote, runtimes } = state
  const canRun = Object.keys(runtimes).length > 0
  const isOff = !canRun || isBusy
  return html`<section class="card" aria-labelledby="add-title">
    <header><h2 id="add-title">${t('monitor.add')}</h2></header>
    <p class="faint">${t('monitor.add.text')} ${!canRun && t('monitor.add.needs')}</p>
    <ul class="rows">
      ${catalogue.filter(({ added }) => !added).map(offer => html`<${Way} key=${offer.name} title=${aboutOf(offer, 'name')}
        about=${aboutOf(offer, 'about')} more=${t('monitor.add.published', { size: sizeText(offer.bytes), licence: offer.licence })}
        button=${t('monitor.add.get')} isOff=${isOff} onClick=${() => open(Fetch, { offer })} />`)}
      <${Way} title=${t('monitor.file')} about=${t('monitor.file.about')} button=${t('monitor.file.add')} isOff=${isOff}
        onClick=${() => open(AddFile)} />
      ${remote === null && html`<${Way} title=${t('monitor.server')} about=${t('monitor.server.about')}
        button=${t('monitor.server.add')} onClick=${() => open(AddServer)} />`}
    </ul></section>`
}
