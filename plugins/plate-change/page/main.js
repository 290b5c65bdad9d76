// Ejectors and plate changers: what a printer does about its plate, recipes, and the pictures that may decide.

import { call, currentPrinter, keepPrinter, shell, t } from 'shell'
import { Camera } from './camera.js'
import { html, render, useEffect, useState } from './lib.js'
import { PrinterState } from './printer-state.js'
import { Recipes } from './recipes.js'

const POLL_MS = 3_000

/** The state of a printer, read again and again, and the recipes. */
function usePrinter (printer) {
  const [status, setStatus] = useState(/** @type {any} */ (undefined))
  const [list, setList] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const failed = error => setProblem(error.message)
  const readStatus = () => call('GET', 'plate-change/status', { printer }).then(answer => { setStatus(answer); setProblem('') }, failed)
  const refresh = () => Promise.all([readStatus(), call('GET', 'plate-change/recipes').then(setList, failed)])
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void readStatus() }, POLL_MS)
    return () => clearInterval(timer)
  }, [printer])
  return { status: status?.printer === printer ? status : undefined, list, problem, refresh }
}

function Printer ({ printer }) {
  const { status, list, problem, refresh } = usePrinter(printer)
  if (!status || !list) return html`<p class="boot" role="status">${problem || '…'}</p>`
  return html`${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${!(status.may_change && list.may_change) && html`<p class="note">${t('plate-change.readonly')}</p>`}
    <div class="columns"><div><${PrinterState} status=${status} onChanged=${refresh} /><${Recipes} status=${status} list=${list} onChanged=${refresh} /></div>
      <${Camera} status=${status} onChanged=${refresh} /></div>`
}

function App () {
  const [printer, setPrinter] = useState(currentPrinter() || shell.printers[0] || '')
  const choose = name => { keepPrinter(name); setPrinter(name) }
  return html`<main class="page"><header class="page-head"><h1>${t('plate-change.heading')}</h1><p class="lead">${t('plate-change.lead')}</p></header>
    <p class="note warn">${t('plate-change.danger')}</p>
    ${shell.printers.length > 1 && html`<label class="field which"><span>${t('plate-change.printer')}</span><select onChange=${({ target }) => choose(target.value)}>
      ${shell.printers.map(name => html`<option key=${name} value=${name} selected=${name === printer}>${name}</option>`)}</select></label>`}
    ${printer === '' ? html`<p class="note">${t('plate-change.noPrinter')}</p>` : html`<${Printer} key=${printer} printer=${printer} />`}</main>`
}

const root = /** @type {any} */ (document.getElementById('plate-change'))
root.replaceChildren()
render(html`<${App} />`, root)
