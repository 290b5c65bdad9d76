// Programs that may connect: adding, changing and removing them.

import { useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'
import { CodeDialog } from './code.js'
import { FormDialog } from './form-dialog.js'
import { protocolName } from './words.js'

const ACCESS = ['full', 'read']

const textIn = (form, name) => String(form.get(name) ?? '').trim()

/** @param {FormData} form @returns {string[] | null} null for all @throws if none is chosen */
function printersIn (form) {
  if (form.get('all') !== 'no') return null
  const names = form.getAll('printers').map(String)
  if (names.length === 0) throw new Error(t('relay.printers.choose'))
  return names
}

/**
 * Printers that are not relayed any more stay listed for clients that have them.
 * @param {{ places: any[], access?: string, printers?: string[] | null }} options
 */
function Rights ({ places, access = 'full', printers = null }) {
  const [isSome, setSome] = useState(printers !== null)
  const names = [...new Set([...places.map(({ printer }) => printer), ...printers ?? []])]
  return html`<fieldset class="choices"><legend>${t('relay.access')}</legend>
      ${ACCESS.map(one => html`<label class="choice" key=${one}><input type="radio" name="access" value=${one} defaultChecked=${one === access} />
        <span><b>${t(`relay.access.${one}`)}</b><small>${t(`relay.access.${one}.means`)}</small></span></label>`)}</fieldset>
    ${names.length > 0 && html`<fieldset class="choices"><legend>${t('relay.printers')}</legend>
      ${['yes', 'no'].map(one => html`<label class="choice" key=${one}><input type="radio" name="all" value=${one}
        defaultChecked=${(one === 'no') === isSome} onChange=${() => setSome(one === 'no')} />
        <span>${t(`relay.printers.all.${one}`)}</span></label>`)}
      ${isSome && html`<div class="chosen">${names.map(name => html`<label class="choice" key=${name}><input type="checkbox" name="printers" value=${name}
        defaultChecked=${printers?.includes(name) ?? false} /> <span>${name}</span></label>`)}</div>`}</fieldset>`}`
}

/** Shows the code after a request that made one. */
const showCode = (ask, made, onDone) => ask(onClose => html`<${CodeDialog} ...${made} onClose=${() => { onClose(); void onDone() }} />`)

function Add ({ places, ask, onClose, onDone }) {
  const [made] = useState(/** @type {{ answer?: any }} */ ({})) // read by `onClose`, which follows at once
  const send = async form => {
    made.answer = await call('POST', 'relay/clients', {
      name: textIn(form, 'name'), access: textIn(form, 'access'), printers: printersIn(form)
    })
  }
  const next = () => made.answer ? showCode(ask, made.answer, onDone) : onClose()
  return html`<${FormDialog} title=${t('relay.client.add')} yes=${t('relay.client.make')} onClose=${next} send=${send}>
    <label class="field"><span>${t('relay.client.name')}</span><input name="name" required maxlength="32" autocomplete="off" autofocus
      placeholder=${t('relay.client.name.example')} /></label>
    <${Rights} places=${places} /><//>`
}

function Change ({ client: { name, access, printers }, places, onClose, onDone }) {
  const send = async form => {
    await call('PATCH', 'relay/clients', { name, access: textIn(form, 'access'), printers: printersIn(form) })
    await onDone()
  }
  return html`<${FormDialog} title=${t('relay.client.change.of', { name })} yes=${t('relay.save')} ...${{ onClose, send }}>
    <${Rights} ...${{ places, access, printers }} /><p class="faint">${t('relay.client.change.ends')}</p><//>`
}

function Renew ({ client: { name }, ask, onClose, onDone }) {
  const [made] = useState(/** @type {{ answer?: any }} */ ({}))
  const send = async () => { made.answer = await call('POST', 'relay/clients/code', { name }) }
  const next = () => made.answer ? showCode(ask, made.answer, onDone) : onClose()
  return html`<${FormDialog} title=${t('relay.client.renew.of', { name })} yes=${t('relay.client.renew')} onClose=${next} send=${send}>
    <p>${t('relay.client.renew.ends')}</p><//>`
}

function Remove ({ client: { name }, onClose, onDone }) {
  const send = async () => {
    await call('DELETE', 'relay/clients', { name })
    await onDone()
  }
  return html`<${FormDialog} title=${t('relay.client.remove.of', { name })} yes=${t('relay.client.remove')} danger ...${{ onClose, send }}>
    <p>${t('relay.client.remove.ends')}</p><//>`
}

/** Where it is connected, and by what: `x1c (MQTT, files)`. */
function connectionsText (connections) {
  const byPrinter = new Map()
  for (const { printer, protocol } of connections) {
    byPrinter.set(printer, new Set([...byPrinter.get(printer) ?? [], protocolName(protocol)]))
  }
  return [...byPrinter].map(([printer, protocols]) => `${printer} (${[...protocols].join(', ')})`).join(', ')
}

/** @param {{ view: any, ask: (make: (onClose: () => void) => any) => void, onDone: () => Promise<void> }} options */
export function Clients ({ view: { clients, places }, ask, onDone }) {
  const open = (Which, more = {}) => ask(onClose => html`<${Which} ...${{ places, ask, onClose, onDone, ...more }} />`)
  const action = (name, client, Which, tone = '') => html`<button class=${`small ${tone}`} type="button"
    aria-label=${`${t(`relay.client.${name}`)}: ${client.name}`} onClick=${() => open(Which, { client })}>${t(`relay.client.${name}`)}</button>`
  const row = client => html`<li class="row" key=${client.name}>
    <div class="row-main"><b>${client.name}</b>
      <small>${[t(`relay.access.${client.access}`), client.printers?.join(', ') ?? t('relay.printers.all.yes')].join(' · ')}</small>
      ${client.connections.length > 0 && html`<small>${t('relay.client.at', { where: connectionsText(client.connections) })}</small>`}</div>
    <div class="row-end">${client.connections.length > 0 && html`<span class="badge good">${t('relay.client.connected')}</span>`}
      ${client.origin === 'file'
        ? html`<span class="badge">${t('relay.file')}</span>`
        : html`${action('change', client, Change)}${action('renew', client, Renew)}${action('remove', client, Remove, 'danger')}`}</div></li>`
  return html`<section class="card" aria-labelledby="clients-title"><header><h2 id="clients-title">${t('relay.clients')}</h2></header>
    ${clients.length === 0
      ? html`<p class="faint">${t('relay.clients.none')}</p>`
      : html`<ul class="rows" aria-labelledby="clients-title">${clients.map(row)}</ul>`}
    <div class="buttons"><button type="button" class=${places.length > 0 && clients.length === 0 ? 'primary' : ''}
      onClick=${() => open(Add)}>${t('relay.client.add')}</button></div></section>`
}
