// Without a file in the address: which plate is to be shown.

import { dateTime, keepPrinter, linkTo, shell, t } from 'shell'
import { html, useEffect, useState } from './lib.js'
import { listPlates } from './load-plate.js'

const Files = ({ files }) => files.length === 0
  ? html`<p class="boot">${t('plate.none')}</p>`
  : html`<ul class="files card">${files.map(({ id, name, timestamp }) => html`<li key=${id}><a href=${linkTo('plate', { file: id })}>${name}</a>
    ${timestamp > 0 && html`<span class="faint">${dateTime(timestamp * 1_000)}</span>`}</li>`)}</ul>`

/** @param {{ printer: string }} props */
export function Choose ({ printer: first }) {
  const [printer, setPrinter] = useState(first || shell.printers[0] || '')
  const [found, setFound] = useState(/** @type {any} */ ({}))
  useEffect(() => {
    let isWanted = true
    setFound({})
    keepPrinter(printer)
    listPlates(printer).then(files => { if (isWanted) setFound({ files }) },
      error => { if (isWanted) setFound({ problem: error.message }) })
    return () => { isWanted = false }
  }, [printer])
  return html`<p>${t('plate.choose')}</p>
    ${shell.printers.length > 1 && html`<label class="setting">${t('plate.printer')} <select value=${printer}
      onChange=${event => setPrinter(event.currentTarget.value)}>${shell.printers.map(name => html`<option key=${name}>${name}</option>`)}</select></label>`}
    ${found.problem && html`<p class="bad" role="alert">${found.problem}</p>`}
    ${!found.files && !found.problem && html`<p class="boot" role="status">${t('plate.card')}</p>`}
    ${found.files && html`<${Files} files=${found.files} />`}`
}
