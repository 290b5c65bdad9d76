import { showDialog, t } from 'shell'
import { html, useEffect, useRef } from './lib.js'

/**
 * A modal dialog: it keeps the focus, and Escape closes it.
 * @param {{ title: string, onClose: () => void, wide?: boolean, alert?: boolean, children?: any }} props
 */
export function Dialog ({ title, onClose, wide = false, alert = false, children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  const id = useRef(`dialog-${Math.random().toString(36).slice(2)}`).current
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const dialog = ref.current
    const end = showDialog(dialog)
    // Some browsers close it at the second Escape, whatever was made of the first.
    const closed = () => latest.current()
    dialog?.addEventListener('close', closed)
    return () => { dialog?.removeEventListener('close', closed); end() }
  }, [])
  const cancelled = event => { event.preventDefault(); onClose() }
  return html`<dialog ref=${ref} class=${wide ? 'wide' : ''} role=${alert ? 'alertdialog' : null}
    aria-labelledby=${id} onCancel=${cancelled}>
    <header><h2 id=${id}>${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}>✕</button></header>
    ${children}
  </dialog>`
}
