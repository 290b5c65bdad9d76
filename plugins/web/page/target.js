import { t } from 'shell'
import { loadCatalogue } from './catalogue.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { presetsOf } from './presets.js'

/** Asks for a number between 0 and the limit of this model, or one of the usual ones. */
function TargetDialog ({ title, unit, value, max, kind, slots, onSend, onClose }) {
  const [text, setText] = useState(String(Math.round(value ?? 0)))
  const [catalogue, setCatalogue] = useState(/** @type {any[]} */ ([]))
  useEffect(() => { void loadCatalogue().then(setCatalogue) }, [])
  const send = number => { onSend(number); onClose() }
  const submit = event => { event.preventDefault(); send(Number(text)) }
  const presets = [...presetsOf(kind, { catalogue, slots, max }), { name: t('printer.target.off'), value: 0 }]
  return html`<${Dialog} title=${title} onClose=${onClose}><form class="target" onSubmit=${submit}>
    <label>${t('printer.target', { what: title })}<span class="amount"><input type="number" inputmode="numeric" min="0" max=${max}
      step="1" required autofocus value=${text} onFocus=${event => event.currentTarget.select()}
      onInput=${event => setText(event.currentTarget.value)} /> <span aria-hidden="true">${unit}</span></span></label>
    ${max !== undefined && html`<p class="faint">${t('printer.target.most', { value: `${max} ${unit}` })}</p>`}
    <div class="chips" role="group" aria-label=${t('printer.target.usual')}>${presets.map(preset => html`
      <button type="button" class="chip" key=${preset.name + preset.value} onClick=${() => send(preset.value)}>
        ${preset.name}${preset.value > 0 && html` <b>${preset.value} ${unit}</b>`}</button>`)}</div>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
      <button class="primary">${t('printer.set')}</button></div>
  </form><//>`
}

/**
 * What a heater or fan is set to, which can be changed.
 * @param {{ title: string, text: string, unit: string, value: number | undefined, max: number | undefined,
 *   kind: string, slots?: readonly any[], onSend: (value: number) => void }} props `kind`: key of a heater, or `fan`
 */
export function Target ({ title, text, ...rest }) {
  const [edits, setEdits] = useState(false)
  return html`<button type="button" class="quiet small edit" aria-label=${`${t('printer.target', { what: title })}: ${text}`}
      onClick=${() => setEdits(true)}>${text}</button>
    ${edits && html`<${TargetDialog} title=${title} ...${rest} onClose=${() => setEdits(false)} />`}`
}
