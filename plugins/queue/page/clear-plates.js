// Confirms the plates of several printers at once, after someone has looked at each of them.

import { Dialog } from 'components'
import { call, forEach, t } from 'shell'
import { html, useEffect, useRef, useState, wordsOf } from './lib.js'

/**
 * Confirms the plates as they were seen.
 * @param {readonly any[]} rows
 * @param {(printer: string, problem: string) => void} onEnd the problem is empty on success
 */
const clearAll = (rows, onEnd) => forEach(rows, async ({ printer, seen }) =>
  onEnd(printer, await call('POST', 'queue/plate_clear', { printer, seen }).then(() => '', error => error.message)))

const Row = ({ row, isChosen, end, onChoose }) => html`<li class="row"><label class="check">
    <input type="checkbox" checked=${isChosen} disabled=${end !== undefined} onChange=${({ target }) => onChoose(target.checked)} />
    <span class="row-main"><b>${row.printer}</b>${end !== '' && html`<small>${wordsOf(row)}</small>`}</span></label>
  ${end !== undefined && html`<b class=${`badge ${end === '' ? 'good' : 'bad'}`}>${end === '' ? t('queue.plate.clear') : end}</b>`}</li>`

/**
 * Asks about all plates in one list. Each is confirmed as it was when the list opened: a printer that has printed since
 * refuses.
 * @param {{ rows: any[], onClose: () => void, onDone: () => Promise<void> }} props
 */
export function ClearPlates ({ rows: latest, onClose, onDone }) {
  const [rows] = useState(latest)
  const [left, setLeft] = useState(/** @type {ReadonlySet<string>} */ (new Set()))
  const [ends, setEnds] = useState(/** @type {Record<string, string>} */ ({}))
  const [runs, setRuns] = useState(false)
  const chosen = rows.filter(({ printer }) => !left.has(printer) && !(printer in ends))
  const over = Object.keys(ends).length > 0 && !runs
  const close = useRef(/** @type {any} */ (null))
  useEffect(() => { if (over) close.current.focus() }, [over]) // the button that was pressed is gone
  const choose = (printer, on) => setLeft(known => {
    const next = new Set(known)
    if (on) next.delete(printer)
    else next.add(printer)
    return next
  })
  const send = async event => {
    event.preventDefault()
    if (runs || chosen.length === 0) return
    setRuns(true)
    await clearAll(chosen, (printer, problem) => setEnds(known => ({ ...known, [printer]: problem })))
    setRuns(false)
    await onDone()
  }
  return html`<${Dialog} title=${t('queue.clear.all.title')} onClose=${onClose}>
    <form class="clear" onSubmit=${send}>
      <p>${t('queue.clear.all.sure')}</p>
      <ul class="rows" aria-live="polite" aria-label=${t('queue.clear.all.title')} tabindex="0">${rows.map(row => html`<${Row} key=${row.printer} row=${row} end=${ends[row.printer]}
        isChosen=${!left.has(row.printer)} onChoose=${on => choose(row.printer, on)} />`)}</ul>
      <div class="buttons end">
        <button type="button" ref=${close} onClick=${onClose}>${t(over ? 'shell.close' : 'queue.no')}</button>
        ${!over && html`<button class="primary" disabled=${runs || chosen.length === 0}>
          ${t('queue.clear.all.yes', { count: chosen.length })}</button>`}
      </div>
    </form>
  <//>`
}
