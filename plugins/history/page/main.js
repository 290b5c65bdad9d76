// The record of prints: a list with a search, one print in full, and statistics.

import { call, currentPrinter, follow, shell, t } from 'shell'
import { html, render, useAnswer, useEffect, useRef, useState } from './lib.js'
import { filterIn, Filters, NO_FILTER, paramsOf, Prints } from './list.js'
import { PrintPage } from './print.js'
import { Statistics } from './statistics.js'

const TYPING_MS = 250
const STATISTICS = 'statistics'

/** The fragment of the address: empty, `statistics` or the id of a print. */
function usePlace () {
  const [place, setPlace] = useState(location.hash.slice(1))
  useEffect(() => {
    const update = () => setPlace(location.hash.slice(1))
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])
  return place
}

/** The debounced value. */
function useRested (value) {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

function App () {
  const place = usePlace()
  const known = shell.printers.includes(currentPrinter()) ? currentPrinter() : ''
  const [filter, setFilter] = useState({ ...NO_FILTER, printer_name: known, ...filterIn(location.href) })
  const [turn, setTurn] = useState(0)
  const scrolled = useRef(0)
  const rested = useRested(filter)
  const { body } = useAnswer(() => call('GET', 'history/statistics'), String(turn))
  const isList = place === ''
  // The list is not refreshed while the user has scrolled down.
  useEffect(() => {
    const renew = () => { if (window.scrollY < 200 && location.hash.length < 2) setTurn(before => before + 1) }
    return follow({ topics: ['history'], onMessage: ({ topic }) => { if (topic === 'history') renew() }, onMissed: renew })
  }, [])
  useEffect(() => { if (isList) window.scrollTo(0, scrolled.current) }, [isList])
  const open = () => { scrolled.current = window.scrollY }
  const exported = format => `api/history/export?${new URLSearchParams(/** @type {any} */ ({ format, ...paramsOf(rested) }))}`
  if (place !== '' && place !== STATISTICS) {
    return html`<main class="page"><${PrintPage} key=${place} id=${place}
      onGone=${() => { location.hash = ''; setTurn(turn + 1) }} /></main>`
  }
  return html`<main class="page">
    <header class="page-head"><h1>${t('history.title')}</h1>
      <nav class="buttons" aria-label=${t('history.view')}>${['', STATISTICS].map(one => html`<a class="button" href=${`#${one}`}
        aria-current=${place === one ? 'page' : undefined}>${t(`history.view.${one || 'list'}`)}</a>`)}</nav>
      <span class="space" />
      <a class="button" href=${exported('csv')} download>CSV</a><a class="button" href=${exported('jsonl')} download>JSON Lines</a>
    </header>
    <${Filters} filter=${filter} materials=${(body?.materials ?? []).map(({ material }) => material).filter(Boolean)} onChange=${setFilter} />
    ${place === STATISTICS
      ? html`<${Statistics} filter=${rested} turn=${turn} />`
      : html`<${Prints} filter=${rested} turn=${turn} onOpen=${open} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('history'))
place.replaceChildren()
render(html`<${App} />`, place)
