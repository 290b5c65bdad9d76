// Where a printer is relayed: the address, and ports if the usual ones are taken.

import { useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'
import { FormDialog } from './form-dialog.js'

const EVERY = new Set(['0.0.0.0', '::'])
const MQTT_PORT = 8883

const textIn = (form, name) => String(form.get(name) ?? '').trim()
const meets = (a, b) => a === b || EVERY.has(a) || EVERY.has(b)

/** The other printer that has the usual ports at this address. */
const usualAt = (places, printer, bind) => places.find(({ printer: name, bind: own, wanted_ports: wanted }) =>
  name !== printer && wanted.mqtt === MQTT_PORT && meets(own, bind))

/**
 * An address of this machine whose usual ports are free, that of this browser first: slicers find a printer by itself
 * only at an address of its own.
 */
const freeBind = ({ places, machine }, printer) =>
  [location.hostname, ...machine].find(one => machine.includes(one) && usualAt(places, printer, one) === undefined) ?? ''

/** What to know of the chosen address. */
function bindNote (address, other) {
  if (other === undefined) return t(EVERY.has(address) ? 'relay.bind.every.hint' : 'relay.bind.hint')
  return t(EVERY.has(other.bind) ? 'relay.bind.all' : 'relay.bind.taken', { printer: other.printer })
}

const PORTS = [['mqtt', 8883], ['ftps', 990], ['camera', '6000 / 322']]

/** Both kinds of cameras take the one field: a printer has one of them. */
function portsIn (form) {
  const { mqtt, ftps, camera } = Object.fromEntries(PORTS.map(([name]) => [name, Number(textIn(form, name))]))
  return { ...mqtt && { mqtt }, ...ftps && { ftps }, ...camera && { camera, rtsps: camera } }
}

/** @param {{ own: Record<string, number> }} options */
const Ports = ({ own }) => html`<div class="fields">${PORTS.map(([name, usual]) => html`<label class="field" key=${name}>
  <span>${t(`relay.port.${name}`)}</span><input name=${name} type="number" min="1" max="65535" inputmode="numeric" placeholder=${usual}
    defaultValue=${own[name] ?? ''} /></label>`)}</div><p class="faint">${t('relay.ports.low')}</p>`

/**
 * @param {{ view: any, place?: any, left?: string[], onClose: () => void, onDone: () => Promise<void> }} options
 *   `left`: printers to choose from
 */
export function PlaceDialog ({ view, place, left = [], onClose, onDone }) {
  const { places, machine, bind: usual } = view
  const { bind: before, address, ports = {} } = place?.settings ?? {}
  const [printer, setPrinter] = useState(place?.printer ?? left[0] ?? '')
  const [bind, setBind] = useState(place ? before ?? '' : freeBind(view, printer))
  const other = ports.mqtt ? undefined : usualAt(places, printer, bind || usual)
  const usualText = EVERY.has(usual) ? t('relay.bind.every') : t('relay.bind.usual', { address: usual })
  const send = async form => {
    await call('POST', 'relay/printers', {
      printer, bind: textIn(form, 'bind') || null, address: textIn(form, 'address') || null, ports: portsIn(form)
    })
    await onDone()
  }
  const choose = set => ({ currentTarget }) => set(currentTarget.value)
  return html`<${FormDialog} title=${place ? t('relay.place.change.of', { printer }) : t('relay.place.add')}
    yes=${t(place ? 'relay.save' : 'relay.place.on')} ...${{ onClose, send }}>
    ${!place && html`<label class="field"><span>${t('relay.place.printer')}</span><select onChange=${choose(setPrinter)}>
      ${left.map(name => html`<option value=${name} selected=${name === printer}>${name}</option>`)}</select></label>`}
    <label class=${other ? 'field bad' : 'field'}><span>${t('relay.bind')}</span><select name="bind" aria-describedby="bind-note" onChange=${choose(setBind)}>
      ${['', ...new Set([...machine, ...before ? [before] : []])].map(one => html`<option value=${one} selected=${one === bind}>${one || usualText}</option>`)}</select>
      <small id="bind-note" class=${other ? 'problem' : 'hint'}>${bindNote(bind || usual, other)}</small></label>
    <details open=${Object.keys(ports).length > 0 || address ? true : undefined}><summary>${t('relay.more')}</summary><div class="edit">
      <${Ports} own=${ports} />
      <label class="field"><span>${t('relay.address')}</span><input name="address" maxlength="45" autocomplete="off" spellcheck=${false} inputmode="decimal"
        defaultValue=${address ?? ''} placeholder="192.168.1.10" /><small class="hint">${t('relay.address.hint')}</small></label>
    </div></details><//>`
}
