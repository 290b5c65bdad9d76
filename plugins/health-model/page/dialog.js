// A dialogue with a form; it stays open with the reason if the request fails.

import { Dialog, html } from 'components'
import { useState } from 'preact/hooks'
import { t } from 'shell'

/**
 * @param {{ title: string, yes: string, isDanger?: boolean, children?: any, onClose: () => void,
 *   send: (form: FormData) => Promise<unknown> }} options `send` throws the error to show
 */
export function FormDialog ({ title, yes, isDanger = false, children, onClose, send }) {
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const submit = async event => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    try {
      await send(new FormData(event.target))
      onClose()
    } catch (error) {
      setProblem(t('monitor.failed', { reason: /** @type {Error} */ (error).message }))
      setSending(false)
    }
  }
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form onSubmit=${submit}>
      ${children}
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end">
        <button type="button" onClick=${onClose}>${t('monitor.cancel')}</button>
        <button class=${isDanger ? 'danger' : 'primary'} disabled=${isSending}>${yes}</button>
      </div>
    </form>
  <//>`
}

/** @param {{ name: string, label: string, hint?: string, type?: string, isRequired?: boolean }} options */
export const Field = ({ name, label, hint = '', type = 'text', isRequired = false }) => html`<label class="field">
  <span>${label}</span>
  <input name=${name} type=${type} required=${isRequired} maxlength="1000" autocomplete="off" spellcheck="false" />
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

/** @param {FormData} form @returns {string | undefined} undefined if it was left empty */
export const textIn = (form, name) => String(form.get(name) ?? '').trim() || undefined

/** @param {FormData} form @returns {string[] | undefined} of a list with commas; undefined if it was left empty */
export const listIn = (form, name) => textIn(form, name)?.split(',').map(part => part.trim()).filter(part => part !== '')
