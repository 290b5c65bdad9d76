// A dialogue that stays open until its work is done.

import { useEffect, useRef } from 'preact/hooks'
import { showDialog, t } from 'shell'
import { html, Icon } from './lib.js'

/** @param {{ title: string, onClose: () => void, children?: any }} options */
export function Dialog ({ title, onClose, children }) {
  const dialog = useRef(/** @type {any} */ (null))
  useEffect(() => showDialog(dialog.current), [])
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${onClose}>
    <header><h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}><${Icon} name="close" /></button>
    </header>
    ${children}
  </dialog>`
}
