import { t } from 'shell'
import { Dialog } from './dialog.js'
import { html, useState } from './lib.js'

/**
 * Asks for the name of a file or folder.
 * @param {{ title: string, action: string, initial?: string, onName: (name: string) => void,
 *   onClose: () => void }} props
 */
export function NameDialog ({ title, action, initial = '', onName, onClose }) {
  const [name, setName] = useState(initial)
  const send = event => { event.preventDefault(); onName(name.trim()) }
  return html`<${Dialog} title=${title} onClose=${onClose}><form onSubmit=${send}>
    <label>${t('printer.files.name')} <input type="text" required maxlength="120" pattern="[^\\/\\\\]+" title=${t('printer.files.slashes')} autofocus value=${name}
      onInput=${event => setName(event.currentTarget.value)} /></label>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button><button class="primary">${action}</button></div>
  </form><//>`
}
