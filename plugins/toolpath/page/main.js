// A plate of a file, layer by layer.

import { currentPrinter, keepPrinter, setTitle, shell, t } from 'shell'
import { Choose } from './choose.js'
import { html, render, useEffect, useRef, useState } from './lib.js'
import { loadPlate } from './load-plate.js'
import { PlateView } from './plate-view.js'
import { ReadingPlate } from './reading.js'

const query = () => new URL(location.href).searchParams

const Problem = ({ reason, onAgain }) => html`<div class="card"><p class="bad" role="alert">${reason}</p>
  <div class="buttons"><button type="button" class="primary" onClick=${onAgain}>${t('plate.again')}</button></div></div>`

function Plate ({ params, start }) {
  const cancel = useRef(() => {})
  const [loaded, setLoaded] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setProblem('')
    cancel.current = () => { abort.abort(); setProblem(t('plate.reading.cancelled')) }
    loadPlate({ ...params, ...start.source }, abort.signal).then(setLoaded, error => {
      if (abort.signal.aborted) return
      setProblem(error.status === 0 ? t('plate.unreachable') : error.message)
    })
    return () => abort.abort()
  }, [turn])
  if (problem) return html`<${Problem} reason=${problem} onAgain=${() => setTurn(turn + 1)} />`
  if (!loaded) return html`<${ReadingPlate} params=${params} onCancel=${() => cancel.current()} />`
  return html`<${PlateView} params=${params} loaded=${loaded} at=${start.at} />`
}

/**
 * Where a link leads within the plate, and how the print would be started.
 * @param {URLSearchParams} query
 */
const startOf = query => ({
  at: { layer: Number(query.get('layer')) || 0, line: Number(query.get('line')) || 0 },
  source: Object.fromEntries(['ams_mapping', 'bed_type'].flatMap(name => query.get(name) ? [[name, query.get(name)]] : []))
})

function App () {
  const file = query().get('file') ?? ''
  const printer = currentPrinter() || (shell.printers.length === 1 ? shell.printers[0] ?? '' : '')
  if (file === '') return html`<${Choose} printer=${printer} />`
  const plate = Math.max(1, Number(query().get('plate')) || 1)
  return html`<${Plate} params=${{ ...(printer !== '' && { printer }), file, plate }} start=${startOf(query())} />`
}

if (shell.printers.length === 1 && currentPrinter() === '') keepPrinter(shell.printers[0] ?? '')
const place = /** @type {HTMLElement} */ (document.getElementById('plate'))
const file = query().get('file') ?? ''
place.replaceChildren()
render(html`<main class="page"><header class="page-head"><h1>${file === '' ? t('plate.title') : file.slice(file.lastIndexOf('/') + 1)}</h1></header><${App} /></main>`, place)
if (file !== '') setTitle(file.slice(file.lastIndexOf('/') + 1))
