// Dialogs with a form; they stay open with the reason if the request fails.

import htm from 'htm'
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { iconPath, showDialog, t } from 'shell'

export const html = htm.bind(h)

/**
 * @typedef {{ title: string, yes: string, danger?: boolean, isNotice?: boolean, text?: string, onClose: () => void,
 *   children?: any, send: (form: FormData) => Promise<unknown> }} FormDialogOptions `send` throws the error to show;
 *   a notice has no cancel button
 */

/** @param {FormDialogOptions} options */
export function FormDialog ({ title, yes, danger = false, isNotice = false, text = '', onClose, children, send }) {
  const dialog = useRef(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  useEffect(() => showDialog(dialog.current), [])
  const submit = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    try {
      await send(new FormData(event.target))
      onClose()
    } catch (error) {
      setProblem(t('people.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${onClose}>
    <header><h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}>
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${iconPath('close')} /></svg></button></header>
    <form onSubmit=${submit}>
      ${text !== '' && html`<p>${text}</p>`}
      ${children}
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end">
        ${!isNotice && html`<button type="button" onClick=${onClose}>${t('people.cancel')}</button>`}
        <button class=${danger ? 'danger' : 'primary'} disabled=${runs}>${yes}</button>
      </div>
    </form>
  </dialog>`
}
