// First step: find or add the printer.

import { useState } from 'preact/hooks'
import { t } from 'shell'
import { html } from 'components'
import { FindPrinters } from './find-printers.js'
import { ImportButton, ImportResult } from './import.js'
import { AddPrinter } from './printer-form.js'
import { Said, storedText, usePrinters } from './use-printers.js'

const DEMO = 'npm start -- --demo p1s'

/** Looking around without a printer. @param {{ virtual: any, leave: (path: string) => void }} options */
const Virtual = ({ virtual, leave }) => html`<section class="card" aria-labelledby="virtual-title">
  <header><h2 id="virtual-title">${t('welcome.virtual')}</h2>
    ${virtual && html`<button type="button" onClick=${() => leave(`printer?printer=${encodeURIComponent(virtual.name)}`)}>${t('welcome.virtual.go')}</button>`}</header>
  <p class="faint">${t(virtual ? 'welcome.virtual.means' : 'welcome.virtual.how')}</p>
  ${!virtual && html`<p><code>${DEMO}</code></p>`}
</section>`

/** @param {{ onDone: () => void, next: () => void, isLast: boolean, leave: (path?: string) => void }} options */
export function PrinterStep ({ onDone, next, isLast, leave }) {
  const { printers, problem, refresh } = usePrinters()
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const [said, setSaid] = useState(/** @type {any} */ (null))
  const close = () => setDialog(null)
  const stored = async (name, isOffline) => {
    close()
    setSaid(storedText('printers.stored', name, isOffline))
    onDone()
    await refresh()
  }
  const add = found => setDialog(html`<${AddPrinter} found=${found} onClose=${close} onDone=${stored} />`)
  const imported = outcome => {
    setDialog(html`<${ImportResult} outcome=${outcome} onClose=${close} />`)
    if (outcome.printers.length > 0) onDone()
    void refresh()
  }
  if (printers === null) {
    if (problem === '') return ''
    return html`<p class="note warn" role="alert">${problem}</p>`
  }
  const own = printers.filter(({ virtual }) => !virtual)
  const names = own.map(({ name }) => name).join(', ')
  const continues = own.length > 0 && html`<section class="card" aria-labelledby="own-title">
    <header><h2 id="own-title">${own.length === 1 && said ? said.text : t('welcome.printers', { count: own.length })}</h2>
      <button type="button" class="primary" onClick=${next}>${t(isLast ? 'welcome.finish' : 'welcome.next')}</button></header>
    ${(own.length > 1 || !said) && html`<p>${names}</p>`}</section>`
  return html`${own.length !== 1 && html`<${Said} said=${said} />`}${continues}
    <${FindPrinters} printers=${printers} leads=${own.length === 0} onAdd=${add}><${ImportButton} onDone=${imported} /><//>
    ${own.length === 0 && html`<${Virtual} virtual=${printers.find(({ virtual }) => virtual)} leave=${leave} />`}
    ${dialog}`
}
