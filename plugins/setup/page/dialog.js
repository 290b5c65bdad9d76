// The modal dialogue of these pages.

import htm from 'htm'
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { iconPath, showDialog, t } from 'shell'

export const html = htm.bind(h)

/** @param {{ name: string }} options */
export const Icon = ({ name }) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${iconPath(name)} /></svg>`

/** @param {{ title: string, onClose: () => void, wide?: boolean, children?: any }} options */
export function Dialog ({ title, onClose, wide = false, children }) {
  const dialog = useRef(/** @type {any} */ (null))
  useEffect(() => showDialog(dialog.current), [])
  return html`<dialog ref=${dialog} class=${wide ? 'wide' : ''} aria-labelledby="dialog-title" onClose=${onClose}>
    <header><h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}><${Icon} name="close" /></button>
    </header>
    ${children}
  </dialog>`
}

/** A question with a consequence; it stays open with the reason if the answer fails.
 * @param {{ title: string, text: string, yes: string, problem: string, runs: boolean, onYes: () => void,
 *   onClose: () => void }} options */
export const Question = ({ title, text, yes, problem, runs, onYes, onClose }) =>
  html`<${Dialog} title=${title} onClose=${onClose}>
    <p>${text}</p>
    <p class="note bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end">
      <button type="button" onClick=${onClose}>${t('printers.cancel')}</button>
      <button type="button" class="danger" disabled=${runs} onClick=${onYes}>${yes}</button>
    </div>
  <//>`
