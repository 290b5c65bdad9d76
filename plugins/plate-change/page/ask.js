// A question whose answer has consequences.

import { t } from 'shell'
import { Dialog, html } from './lib.js'

/** @param {{ title: string, text: string, yes: string, onYes: () => void, onClose: () => void }} props */
export const Ask = ({ title, text, yes, onYes, onClose }) => html`<${Dialog} title=${title} onClose=${onClose}>
  <p class="consequence">${text}</p>
  <div class="buttons end"><button type="button" onClick=${onClose}>${t('plate-change.cancel')}</button>
    <button type="button" class="danger" onClick=${() => { onYes(); onClose() }}>${yes}</button></div></${Dialog}>`

/** Four corners that a person touches in a picture. @param {any} props */
export function AskCorners ({ src, title, corners, onCorner, onClose }) {
  const touch = event => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const parts = [(event.clientX - left) / width, (event.clientY - top) / height]
    onCorner(parts.map(part => Math.min(1, Math.max(0, part))))
  }
  return html`<${Dialog} title=${title} wide onClose=${onClose}>
    <p role="status">${t('plate-change.camera.corner', { count: corners.length })}</p>
    <div class="corners" onClick=${touch}><img src=${src} alt=${t('plate-change.camera.reference')} />
      ${corners.map(([x, y], at) => html`<i key=${at} style=${{ left: `${x * 100}%`, top: `${y * 100}%` }}></i>`)}</div></${Dialog}>`
}
