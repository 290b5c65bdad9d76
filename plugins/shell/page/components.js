// What pages that use Preact have in common.

import htm from 'htm'
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { iconPath, showDialog, t } from './shell.js'

export const html = htm.bind(h)

/** An icon that screen readers ignore. @param {{ name: string }} props */
export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
  <path d=${iconPath(name)} /></svg>`

/**
 * A modal dialogue that returns the focus to where it came from.
 * @param {{ title: string, onClose: () => void, wide?: boolean, children?: any }} props
 */
export function Dialog ({ title, onClose, wide = false, children }) {
  const dialog = useRef(/** @type {any} */ (null))
  useEffect(() => showDialog(dialog.current), [])
  return html`<dialog ref=${dialog} class=${wide ? 'wide' : ''} aria-labelledby="dialog-title" onClose=${onClose}>
    <header><h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}>
        <${Icon} name="close" /></button></header>
    ${children}
  </dialog>`
}
