import { call, keepPrinter, shell, t } from 'shell'
import { createRow } from './row.js'
import { createSettings } from './settings.js'

const REFRESH_MS = 5_000
const PAGE = 50
/** The limit of the API. */
const MOST = 200

/** @returns {any} */
const $ = id => document.getElementById(id)
const [list, status, printer, kind, more] = ['list', 'status', 'printer', 'kind', 'more'].map($)

const rows = new Map()
let wanted = PAGE
let timer

function failed (error) {
  status.classList.add('late')
  status.textContent = t('recordings.failed', { reason: error.message })
}

const handlers = { changed: refresh, failed }
const settings = createSettings({ changed: refresh })

/** Unchanged rows stay in place, so that playback continues. */
function show ({ recordings, total, next }) {
  const ids = new Set(recordings.map(({ id }) => id))
  for (const [id, { row }] of rows) {
    if (ids.has(id)) continue
    row.remove()
    rows.delete(id)
  }
  recordings.forEach((recording, at) => {
    const known = rows.get(recording.id) ?? createRow(recording, handlers)
    rows.set(recording.id, known)
    known.update(recording)
    if (list.children[at] !== known.row) list.insertBefore(known.row, list.children[at] ?? null)
  })
  status.classList.remove('late')
  status.textContent = t('recordings.count', { count: total })
  $('none').toggleAttribute('hidden', total > 0)
  more.toggleAttribute('hidden', next === null || wanted >= MOST)
}

async function refresh () {
  clearTimeout(timer)
  try {
    show(await call('GET', 'recordings', { printer: printer.value || undefined, kind: kind.value || undefined, limit: wanted }))
  } catch (error) {
    failed(error)
  }
  timer = setTimeout(() => { if (!document.hidden) refresh() }, REFRESH_MS)
}

function choosePrinter () {
  keepPrinter(printer.value)
  refresh()
  settings.show(printer.value).catch(failed)
}

for (const name of shell.printers) {
  const option = document.createElement('option')
  option.value = option.textContent = name
  printer.append(option)
}
const asked = new URLSearchParams(location.search).get('printer')
if (asked !== null) printer.value = asked
if (printer.selectedIndex < 0) printer.value = ''
printer.addEventListener('change', choosePrinter)
kind.addEventListener('change', refresh)
more.addEventListener('click', () => {
  wanted = Math.min(MOST, wanted + PAGE)
  refresh()
})
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh() })
choosePrinter()
