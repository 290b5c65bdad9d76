// A plate of a file, layer by layer.

import { currentPrinter, keepPrinter, shell, t } from 'shell'
import { Choose } from './choose.js'
import { html, render, useEffect, useState } from './lib.js'
import { loadPlate } from './load-plate.js'
import { PlateView } from './plate-view.js'

const query = () => new URL(location.href).searchParams

function Loading () {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(before => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return html`<div class="card reading" role="status"><progress aria-label=${t('plate.reading')}></progress>
    <p>${t('plate.reading')}</p><p class="faint">${seconds >= 2 ? t('plate.reading.long', { count: seconds }) : ' '}</p></div>`
}

const Problem = ({ reason, onAgain }) => html`<div class="card"><p class="bad" role="alert">${reason}</p>
  <div class="buttons"><button type="button" class="primary" onClick=${onAgain}>${t('plate.again')}</button></div></div>`

function Plate ({ params }) {
  const [loaded, setLoaded] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setProblem('')
    loadPlate(params, abort.signal).then(setLoaded, error => {
      if (abort.signal.aborted) return
      setProblem(error.status === 0 ? t('plate.unreachable') : error.message)
    })
    return () => abort.abort()
  }, [turn])
  if (problem) return html`<${Problem} reason=${problem} onAgain=${() => setTurn(turn + 1)} />`
  if (!loaded) return html`<${Loading} />`
  return html`<${PlateView} params=${params} loaded=${loaded} />`
}

function App () {
  const file = query().get('file') ?? ''
  const printer = currentPrinter() || (shell.printers.length === 1 ? shell.printers[0] ?? '' : '')
  if (file === '') return html`<${Choose} printer=${printer} />`
  const plate = Math.max(1, Number(query().get('plate')) || 1)
  return html`<${Plate} params=${{ ...(printer !== '' && { printer }), file, plate }} />`
}

if (shell.printers.length === 1 && currentPrinter() === '') keepPrinter(shell.printers[0] ?? '')
const place = /** @type {HTMLElement} */ (document.getElementById('plate'))
const file = query().get('file') ?? ''
place.replaceChildren()
render(html`<main class="page"><header class="page-head"><h1>${file === '' ? t('plate.title') : file.slice(file.lastIndexOf('/') + 1)}</h1></header><${App} /></main>`, place)
if (file !== '') document.title = `${file.slice(file.lastIndexOf('/') + 1)} – prnd`
