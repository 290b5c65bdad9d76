import { Dialog, html } from 'components'
import { t } from 'shell'

/**
 * A question with a consequence; it stays open with the reason if the answer fails.
 * @param {{ title: string, text: string, yes: string, problem: string, runs: boolean, onYes: () => void,
 *   onClose: () => void }} options
 */
export const Question = ({ title, text, yes, problem, runs, onYes, onClose }) =>
  html`<${Dialog} title=${title} onClose=${onClose}>
    <p>${text}</p>
    <p class="note bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end">
      <button type="button" onClick=${onClose}>${t('printers.cancel')}</button>
      <button type="button" class="danger" disabled=${runs} onClick=${onYes}>${yes}</button>
    </div>
  <//>`
