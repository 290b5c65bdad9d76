// What the built-in start code does to a printer, and that nobody tried it on a real one: accepted once, by a person.

import { call, t } from 'shell'
import { html, useState } from './lib.js'

/** @param {{ printer: string, onAccepted: () => void }} props */
export function StartCode ({ printer, onAccepted }) {
  const [problem, setProblem] = useState('')
  const accept = () => call('POST', 'slicing/start_code', { printer, accepted: true }).then(
    onAccepted, error => setProblem(error.message))
  return html`<section class="card" aria-labelledby="start-title"><header><h2 id="start-title">${t('slicing.start.title')}</h2></header>
    <p>${t('slicing.start.does')}</p><p class="note warn">${t('slicing.start.untried')}</p>
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" onClick=${accept}>${t('slicing.start.accept', { printer })}</button></div></section>`
}
