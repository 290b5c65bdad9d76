// The code of a client, shown once, with what else is typed into the slicer.

import { useRef, useState } from 'preact/hooks'
import { modelName, t } from 'shell'
import { Dialog, html } from 'components'

/** Slicers know no other port. */
const MQTT_PORT = 8883
const IPV4 = /^(?!127\.)\d+\.\d+\.\d+\.\d+$/

/** The address at which this browser reaches the service comes first: slicers nearby reach it there, too. */
const sorted = addresses => IPV4.test(location.hostname) && addresses.includes(location.hostname)
  ? [location.hostname, ...addresses.filter(one => one !== location.hostname)]
  : addresses

const Line = ({ name, children }) => html`<div><dt>${t(`relay.enter.${name}`)}</dt><dd>${children}</dd></div>`

/** What a slicer asks for one printer, beside the code. */
function Entry ({ entry: { addresses, serial, model, port } }) {
  const [first = '', ...others] = sorted(addresses)
  return html`<dl class="enter">
      <${Line} name="address"><code>${first || t('relay.enter.address.unknown')}</code>
        ${others.length > 0 && html`<small>${t('relay.enter.address.or', { others: others.join(', ') })}</small>`}<//>
      <${Line} name="serial"><code>${serial ?? '–'}</code><//>
      <${Line} name="model">${model === null ? '–' : modelName(model)}<//></dl>
    ${port !== MQTT_PORT && html`<p class="note warn">${t('relay.enter.port', { port })}</p>`}`
}

/** @param {{ name: string, code: string, enter: any[], onClose: () => void }} options */
export function CodeDialog ({ name, code, enter, onClose }) {
  const field = useRef(/** @type {any} */ (null))
  const [status, setStatus] = useState('')
  const [at, setAt] = useState(0)
  const copy = async () => {
    field.current.select()
    const isCopied = await navigator.clipboard?.writeText(code).then(() => true, () => false)
    setStatus(t(isCopied ? 'relay.code.copied' : 'relay.code.copy.failed'))
  }
  return html`<${Dialog} title=${t('relay.code.of', { name })} onClose=${onClose}><div class="edit">
    <p>${t('relay.code.once')}</p>
    <div class="code"><input class="secret" ref=${field} readonly value=${code} aria-label=${t('relay.enter.code')} />
      <button type="button" onClick=${copy}>${t('relay.code.copy')}</button></div>
    <p class="faint" role="status" hidden=${status === ''}>${status}</p>
    ${enter.length === 0 && html`<p class="note warn">${t('relay.enter.none')}</p>`}
    ${enter.length > 1 && html`<label class="field"><span>${t('relay.enter.printer')}</span><select onChange=${({ currentTarget }) => setAt(Number(currentTarget.value))}>
      ${enter.map(({ printer }, index) => html`<option value=${index} selected=${index === at}>${printer}</option>`)}</select></label>`}
    ${enter[at] && html`<${Entry} key=${at} entry=${enter[at]} /><p class="faint">${t('relay.enter.how')}</p>`}
    <div class="buttons end"><button type="button" class="primary" onClick=${onClose}>${t('relay.code.done')}</button></div>
  </div><//>`
}
