// Adding the printers of a file.

import { useState } from 'preact/hooks'
import { call, t } from 'shell'
import { Dialog, html } from 'components'
import { failureOf, problemText } from './problems.js'

/** Printers that are off take 15 s each, eight at a time. */
const WAIT_MS = 600_000
const TONES = { added: 'good', added_offline: 'warn', configured_already: '', refused: 'bad' }

/** @param {{ onDone: (outcome: { printers: any[], problem: string }) => void }} options */
export function ImportButton ({ onDone }) {
  const [runs, setRuns] = useState(false)
  const send = async ({ target }) => {
    const [file] = target.files
    if (file === undefined) return
    setRuns(true)
    try {
      onDone({ ...await call('POST', 'setup/printers/import', { text: await file.text() }, { waitMs: WAIT_MS }), problem: '' })
    } catch (error) {
      onDone({ printers: [], problem: failureOf(error).text })
    }
    target.value = ''
    setRuns(false)
  }
  return html`<label class="button"><input type="file" accept=".json,.csv,.txt" disabled=${runs} onChange=${send} />
    ${t(runs ? 'printers.import.runs' : 'printers.import')}</label>`
}

/** @param {{ outcome: { printers: any[], problem: string }, onClose: () => void }} options */
export const ImportResult = ({ outcome: { printers, problem }, onClose }) => html`<${Dialog} title=${t('printers.import.title')} onClose=${onClose}>
  ${problem === '' ? html`<p class="note">${t('printers.import.safe')}</p>` : html`<p class="note bad" role="alert">${problem}</p><p class="faint">${t('printers.import.formats')}</p>`}
  ${printers.length > 0 && html`<ul class="rows">${printers.map(({ name, outcome, problem, message }) => html`<li key=${name} class="row">
    <span class="row-main"><b>${name}</b>${message !== null && html`<small>${problemText(problem ?? '', message)}</small>`}</span>
    <span class="row-end"><span class=${`badge ${TONES[outcome]}`}>${t(`printers.import.${outcome}`)}</span></span></li>`)}</ul>`}
  <div class="buttons end"><button type="button" onClick=${onClose}>${t('shell.close')}</button></div>
<//>`
