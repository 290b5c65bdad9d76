// Past alerts, with clips, and their acknowledgement.

import { call, currentPrinter, follow, hasPage, keepPrinter, shell, t } from 'shell'
import { createRows } from './rows.js'

const REFRESH_MS = 30_000
const MOST = 200
const PAGE = 50

/** @returns {any} */
const $ = id => document.getElementById(id)
const [list, status, printer, open, all, more, problem] =
  ['list', 'status', 'printer', 'open', 'acknowledge', 'more', 'problem'].map($)

let wanted = PAGE
/** What the page shows: only this is acknowledged, and older alerts that it has not loaded. */
let shown = { printer: '', open: /** @type {string[]} */ ([]), olderThan: '' }
let timer = 0
let turns = 0
/** @type {Map<string, string>} recordings by printer and alert */
let clips = new Map()

function failed (error) {
  problem.textContent = t('alerts.failed', { reason: error.message })
  problem.hidden = false
}

/** An alert's clip, found by date and second. */
const clipOf = ({ printer: name, type, at, payload }) =>
  clips.get(`${name} ${type === 'job_failed' && payload.cancelled ? 'job_cancelled' : type} ${at.slice(0, 19)}`)

const rows = createRows(list, { clipOf, acknowledge, failed })

function show ({ alerts, unacknowledged, cursor }, name) {
  rows.show(alerts)
  shown = {
    printer: name,
    open: alerts.filter(({ acknowledged_at: seen }) => seen === null).map(({ id }) => id),
    olderThan: cursor === null ? '' : alerts.at(-1)?.at ?? ''
  }
  status.textContent = t('alerts.count', { count: unacknowledged })
  all.disabled = shown.open.length === 0 && (unacknowledged === 0 || shown.olderThan === '')
  more.hidden = cursor === null || wanted >= MOST
  $('none').hidden = alerts.length > 0
  problem.hidden = true
}

async function loadClips () {
  if (!hasPage('recordings')) return
  const { recordings } = await call('GET', 'recordings', { kind: 'evidence', limit: MOST })
  clips = new Map(recordings.filter(one => one.status === 'ready').flatMap(({ id, printer: name, alerts }) =>
    alerts.map(({ type, timestamp }) => [`${name} ${type} ${timestamp.slice(0, 19)}`, id])))
}

async function refresh () {
  clearTimeout(timer)
  const name = printer.value
  const mine = ++turns
  try {
    await loadClips().catch(() => {}) // alerts are shown without clips, too
    const answer = await call('GET', 'alert_log', {
      printer_name: name || undefined, open: open.checked || undefined, limit: wanted
    })
    if (mine !== turns) return // another choice was made since
    show(answer, name)
  } catch (error) {
    if (mine !== turns) return
    failed(error)
  }
  timer = setTimeout(() => { if (!document.hidden) void refresh() }, REFRESH_MS)
}

async function acknowledge (...which) {
  for (const one of which) await call('POST', 'alert_log/acknowledge', one)
  document.dispatchEvent(new Event('badges'))
  await refresh()
}

/** An alert that came since, perhaps in the same second, stays new. */
async function acknowledgeShown () {
  const { printer: name, open: ids, olderThan } = shown
  const only = { printer_name: name || undefined }
  await acknowledge(
    ...ids.length > 0 ? [{ ids, ...only }] : [],
    ...olderThan === '' ? [] : [{ until: new Date(Date.parse(olderThan) - 1).toISOString(), ...only }])
}

printer.append(...shell.printers.map(name => new Option(name, name)))
if (shell.printers.includes(currentPrinter())) printer.value = currentPrinter()
printer.addEventListener('change', () => { keepPrinter(printer.value); void refresh() })
open.addEventListener('change', refresh)
all.addEventListener('click', () => { acknowledgeShown().catch(failed) })
more.addEventListener('click', () => { wanted = Math.min(MOST, wanted + PAGE); void refresh() })
document.addEventListener('visibilitychange', () => { if (!document.hidden) void refresh() })
follow({ topics: ['alerts'], onMessage: ({ topic }) => { if (topic === 'alerts') void refresh() }, onMissed: refresh })
void refresh()
