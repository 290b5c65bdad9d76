import { dateTime, hasPage, linkTo, number, t } from 'shell'
import { call } from './api.js'
import { minutesText } from '../../shell/page/format.js'
import { Card } from './ui.js'
import { html, useEffect, useState } from './lib.js'
import { desk } from './printer-store.js'
import { useStore } from './store.js'

const SHOWN = 12
const TONES = { finished: 'good', failed: 'bad', running: 'good' }
const S_PER_MIN = 60
/** The record is written a moment after the printer has reported. */
const WRITTEN_MS = 5_000

const gramsOf = ({ filaments }) => filaments.reduce((sum, { grams }) => sum + (grams ?? 0), 0)

const Row = ({ print }) => html`<tr>
  <td><b>${print.name || print.file}</b></td>
  <td><b class=${`badge ${TONES[print.result] ?? ''}`}>${t(`printer.history.${print.result}`)}</b></td>
  <td>${dateTime(print.started_at)}</td>
  <td>${minutesText(print.printing_s / S_PER_MIN)}</td>
  <td>${gramsOf(print) > 0 ? `${number(gramsOf(print), { maximumFractionDigits: 0 })} g` : ''}</td></tr>`

/** The last prints of this printer. */
export function Prints ({ printer }) {
  const [prints, setPrints] = useState(/** @type {any[] | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const { state = '', start } = useStore(desk).view?.job ?? {}
  useEffect(() => {
    const abort = new AbortController()
    const ask = () => call('history', { printer_name: printer, limit: SHOWN }, { signal: abort.signal }).then(
      answer => { setPrints(answer.prints); setProblem('') }, error => abort.signal.aborted || setProblem(error.message))
    void ask()
    const again = setTimeout(ask, WRITTEN_MS)
    return () => { clearTimeout(again); abort.abort() }
  }, [printer, state, start])
  const link = hasPage('history') && html`<a class="button" href=${linkTo('history')}>${t('printer.history.all')}</a>`
  return html`<${Card} id="history" title=${t('printer.history')} extra=${link}>
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}
    ${prints?.length === 0 && html`<p class="faint">${t('printer.history.none')}</p>`}
    ${prints && prints.length > 0 && html`<div class="scroll" tabindex="0" role="group" aria-label=${t('printer.history')}>
      <table class="prints"><tbody>${prints.map(print => html`<${Row} key=${print.id} print=${print} />`)}</tbody></table></div>`}
  <//>`
}
