// Printers and groups that slicers reach through this service.

import { PrinterDrawing } from 'printer-drawing'
import { call, modelName, shell, t } from 'shell'
import { html } from 'components'
import { FormDialog } from './form-dialog.js'
import { PlaceDialog } from './place-dialog.js'
import { problemWords, protocolName } from './words.js'

/** @type {Record<string, number>} */
const USUAL_PORTS = { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 }

function Remove ({ place: { printer }, onClose, onDone }) {
  const send = async () => {
    await call('DELETE', 'relay/printers', { printer })
    await onDone()
  }
  return html`<${FormDialog} title=${t('relay.place.off.of', { printer })} yes=${t('relay.place.off')} danger ...${{ onClose, send }}>
    <p>${t('relay.place.off.ends')}</p><//>`
}

/** @returns {{ word: string, tone: string }} */
function stateOf ({ problem, ports, serial }, isOpen) {
  if (problem !== '') return { word: 'failed', tone: 'bad' }
  if (!isOpen) return { word: 'waits', tone: '' }
  if (serial === null || Object.keys(ports).length === 0) return { word: 'absent', tone: 'warn' }
  return { word: 'on', tone: 'good' }
}

const portsText = wanted => Object.entries(wanted).filter(([protocol, port]) => USUAL_PORTS[protocol] !== port)
  .map(([protocol, port]) => `${protocolName(protocol)} ${port}`).join(', ')

const Notes = ({ place: { wanted_ports: wanted, problem, warnings } }) => html`
  ${portsText(wanted) !== '' && html`<small>${t('relay.place.ports', { ports: portsText(wanted) })}</small>`}
  ${problem !== '' && html`<small class="problem">${problemWords(problem)}</small>`}
  ${warnings.map(one => html`<small class="problem" key=${one}>${problemWords(one)}</small>`)}`

function Row ({ place, isOpen, open }) {
  const { printer, is_group: isGroup, addresses, serial, model, origin } = place
  const { word, tone } = stateOf(place, isOpen)
  const what = [isGroup ? t('relay.place.group') : model && modelName(model), addresses.join(', '), serial].filter(Boolean)
  const action = (name, Which) => html`<button class="small" type="button" aria-label=${`${t(`relay.place.${name}`)}: ${printer}`}
    onClick=${() => open(Which, { place })}>${t(`relay.place.${name}`)}</button>`
  return html`<li class="row">
    <span class="row-picture"><${PrinterDrawing} model=${model ?? ''} /></span>
    <div class="row-main"><b>${printer}</b><small>${what.join(' · ')}</small><${Notes} place=${place} /></div>
    <div class="row-end"><span class=${`badge ${tone}`}>${t(`relay.state.${word}`)}</span>
      ${origin === 'file'
        ? html`<span class="badge">${t('relay.file')}</span>`
        : html`${action('change', PlaceDialog)}${action('off', Remove)}`}</div></li>`
}

/** @param {{ view: any, ask: (make: (onClose: () => void) => any) => void, onDone: () => Promise<void> }} options */
export function Places ({ view, ask, onDone }) {
  const { places, clients, is_open: isOpen } = view
  const open = (Which, more = {}) => ask(onClose => html`<${Which} ...${{ view, onClose, onDone, ...more }} />`)
  const left = shell.printers.filter(name => !places.some(({ printer }) => printer === name))
  return html`<section class="card" aria-labelledby="places-title"><header><h2 id="places-title">${t('relay.places')}</h2></header>
    ${places.length === 0
      ? html`<p class="faint">${t('relay.places.none')}</p>`
      : html`<ul class="rows" aria-labelledby="places-title">${places.map(place => html`<${Row} key=${place.printer} ...${{ place, isOpen, open }} />`)}</ul>`}
    ${places.length > 0 && clients.length === 0 && html`<p class="note">${t('relay.places.waits')}</p>`}
    ${left.length > 0 && html`<div class="buttons"><button type="button" class=${places.length === 0 ? 'primary' : ''}
      onClick=${() => open(PlaceDialog, { left })}>${t('relay.place.add')}</button></div>`}</section>`
}
