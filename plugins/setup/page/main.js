// The printers of this service.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { t } from 'shell'
import { html } from 'components'
import { FindPrinters } from './find-printers.js'
import { ImportResult, ImportButton } from './import.js'
import { AddPrinter, EditPrinter } from './printer-form.js'
import { PrinterRow, RemovePrinter } from './printer-row.js'
import { Said, storedText, usePrinters } from './use-printers.js'

function Printers () {
  const { printers, problem, refresh } = usePrinters()
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const [said, setSaid] = useState(/** @type {any} */ (null))
  const close = () => setDialog(null)
  const done = key => async (name, isOffline = false) => {
    close()
    setSaid(storedText(key, name, isOffline))
    await refresh()
  }
  if (printers === null) return problem === '' ? '' : html`<p class="note warn" role="alert">${problem}</p>`
  const add = found => setDialog(html`<${AddPrinter} found=${found} onClose=${close} onDone=${done('printers.stored')} />`)
  const edit = printer => setDialog(html`<${EditPrinter} printer=${printer} onClose=${close} onDone=${done('printers.changed')} />`)
  const remove = printer => setDialog(html`<${RemovePrinter} printer=${printer} onClose=${close} onDone=${done('printers.removed')} />`)
  const imported = outcome => {
    setDialog(html`<${ImportResult} outcome=${outcome} onClose=${close} />`)
    void refresh()
  }
  const own = printers.filter(({ virtual }) => !virtual)
  return html`<${Said} said=${said} />
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    ${printers.length > 0 && html`<section class="card" aria-labelledby="list-title">
      <header><h2 id="list-title">${t('printers.list')}</h2></header>
      <ul class="rows" aria-labelledby="list-title">${printers.map(printer =>
        html`<${PrinterRow} key=${printer.name} ...${{ printer, edit, remove, refresh }} />`)}</ul></section>`}
    <${FindPrinters} printers=${printers} leads=${own.length === 0} onAdd=${add}><${ImportButton} onDone=${imported} /><//>
    ${dialog}`
}

render(html`<${Printers} />`, /** @type {any} */ (document.getElementById('printers')))
