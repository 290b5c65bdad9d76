// The charts of one printer, refreshed while the page is visible.

import { call, currentPrinter, keepPrinter, shell, t } from 'shell'

const REFRESH_MS = 30_000

/** @returns {any} */
const $ = id => document.getElementById(id)
const [heading, status, printer, drawings] = ['heading', 'status', 'printer', 'drawings'].map($)
let timer = 0
/** @type {readonly string[]} */
let shown = []

/** Text that is not a complete drawing shows nothing. @param {string} text */
function drawing (text) {
  const { documentElement: svg } = new DOMParser().parseFromString(text, 'image/svg+xml')
  return svg.localName === 'svg' && !svg.querySelector('parsererror') ? document.importNode(svg, true) : document.createTextNode('')
}

/** Unchanged drawings stay in the document. @param {readonly string[]} panels */
function show (panels) {
  while (drawings.children.length > panels.length) drawings.lastChild.remove()
  panels.forEach((text, at) => {
    const place = drawings.children[at] ?? drawings.appendChild(document.createElement('div'))
    if (text !== shown[at]) place.replaceChildren(drawing(text))
  })
  shown = panels
}

async function refresh () {
  clearTimeout(timer)
  const wanted = printer.value
  try {
    const { panels, ts, reason } = await call('GET', 'charts_panels', { printer: wanted || undefined })
    if (wanted !== printer.value) return
    show(panels ?? [])
    status.classList.toggle('late', panels === undefined)
    status.textContent = panels ? t('charts.updated', { time: ts }) : t('charts.late', { reason })
  } catch (error) {
    status.classList.add('late')
    status.textContent = t('charts.late', { reason: error.message })
  }
  timer = setTimeout(() => { if (!document.hidden) void refresh() }, REFRESH_MS)
}

function choose () {
  keepPrinter(printer.value)
  heading.textContent = t('charts.of', { printer: printer.value })
  void refresh()
}

printer.append(...shell.printers.map(name => new Option(name, name)))
if (shell.printers.includes(currentPrinter())) printer.value = currentPrinter()
printer.addEventListener('change', choose)
$('refresh').addEventListener('click', refresh)
document.addEventListener('visibilitychange', () => { if (!document.hidden) void refresh() })
if (shell.printers.length > 0) choose()
else status.textContent = t('charts.none')
