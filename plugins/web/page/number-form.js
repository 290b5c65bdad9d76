import { t } from 'shell'
import { html, useState } from './lib.js'

/**
 * A number field with a button that sends it. Reports of the printer do not overwrite what is being typed.
 * @param {{ label: string, unit: string, value: number, max: number, onSend: (value: number) => void }} props
 */
export function NumberForm ({ label, unit, value, max, onSend }) {
  const [text, setText] = useState(/** @type {string | undefined} */ (undefined))
  const send = event => {
    event.preventDefault()
    onSend(Number(text ?? value))
    setText(undefined)
  }
  return html`<form class="number" onSubmit=${send}>
    <label><span class="hidden">${label}</span>
      <input type="number" inputmode="numeric" min="0" max=${max} step="1" required value=${text ?? Math.round(value ?? 0)}
        onInput=${event => setText(event.currentTarget.value)} /></label>
    <span class="faint" aria-hidden="true">${unit}</span>
    <button class="small" aria-label=${t('printer.set.what', { what: label })} disabled=${text === undefined}>${t('printer.set')}</button>
  </form>`
}
