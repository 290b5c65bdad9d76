import { showDialog, t } from 'shell'
import { html, useEffect, useRef } from './lib.js'

/**
 * A modal dialog: it keeps the focus, and Escape closes it.
 * @param {{ title: string, onClose: () => void, wide?: boolean, alert?: boolean, children?: any }} props
 */
export function Dialog ({ title, onClose, wide = false, alert = false, children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  const id = useRef(`dialog-${Math.random().toString(36).slice(2)}`).current
  useEffect(() => showDialog(ref.current), [])
  const cancelled = event => { event.preventDefault(); onClose() }
  return html`<dialog ref=${ref} class=${wide ? 'wide' : ''} role=${alert ? 'alertdialog' : null}
    aria-labelledby=${id} onCancel=${cancelled}>
    <header><h2 id=${id}>${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}>✕</button></header>
    ${children}
  </dialog>`
}
