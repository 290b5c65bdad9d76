// Past alerts, with clips, and their acknowledgement.

import { alertDetail, alertTitle, call, callerName, currentPrinter, dateTime, element, follow, hasPage, icon, keepPrinter, shell, t } from 'shell'

const REFRESH_MS = 30_000
const MOST = 200
const PAGE = 50
const ICONS = { bad: 'alert', warn: 'alert', plain: 'info' }

/** @returns {any} */
const $ = id => document.getElementById(id)
const [list, status, printer, open, all, more, problem] =
  ['list', 'status', 'printer', 'open', 'acknowledge', 'more', 'problem'].map($)

let wanted = PAGE
/** What the page shows: only this is acknowledged, and older alerts that it has not loaded. */
let shown = { printer: '', open: /** @type {string[]} */ ([]), olderThan: '' }
let timer = 0
/** @type {Map<string, string>} recordings by printer and alert */
let clips = new Map()

function button (text, act) {
  const made = element('button', text)
  made.addEventListener('click', () => { act().catch(failed) })
  return made
}

function failed (error) {
  problem.textContent = t('alerts.failed', { reason: error.message })
  problem.hidden = false
}

const seenBy = ({ acknowledged_by: by, acknowledged_at: at }) => t('alerts.seen', { who: t('alerts.by.name', { name: callerName(by) }), time: dateTime(at) })

/** An alert's clip, found by date and second. */
const clipOf = ({ printer: name, type, at, payload }) =>
  clips.get(`${name} ${type === 'job_failed' && payload.cancelled ? 'job_cancelled' : type} ${at.slice(0, 19)}`)

function playIn (row, id) {
  const shown = row.querySelector('video')
  if (shown) return shown.remove()
  const video = /** @type {HTMLVideoElement} */ (element('video'))
  video.controls = video.autoplay = video.muted = video.playsInline = true
  video.src = `api/recordings/${id}/file`
  row.append(video)
}

function rowOf (alert) {
  const seen = alert.acknowledged_at !== null
  const row = element('li', '', `alert ${alert.tone}${seen ? ' seen' : ''}`)
  row.dataset.id = alert.id
  const what = element('div', '', 'what')
  what.append(element('strong', t('alerts.of', { what: alertTitle(alert), printer: alert.printer })),
    element('small', [dateTime(alert.at), alertDetail(alert)].filter(Boolean).join(' · ')))
  if (alert.acknowledged_by !== null) what.append(element('small', seenBy(alert)))
  const acts = element('div', '', 'buttons')
  const clip = clipOf(alert)
  if (clip) acts.append(button(t('alerts.clip'), async () => playIn(row, clip)))
  if (!seen) acts.append(button(t('alerts.acknowledge'), () => acknowledge({ ids: [alert.id] })))
  const page = /** @type {HTMLAnchorElement} */ (element('a', t('alerts.go'), 'button'))
  page.href = `printer?printer=${encodeURIComponent(alert.printer)}`
  acts.append(page)
  row.append(icon(ICONS[alert.tone]), what, acts)
  return row
}

/** Unchanged rows stay in the document, so that a clip keeps playing. */
function show ({ alerts, unacknowledged, cursor }, name) {
  const known = new Map([...list.children].map(row => [row.dataset.id, row]))
  list.replaceChildren(...alerts.map(alert => {
    const row = known.get(alert.id)
    return row && row.classList.contains('seen') === (alert.acknowledged_at !== null) ? row : rowOf(alert)
  }))
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
  try {
    await loadClips().catch(() => {}) // alerts are shown without clips, too
    show(await call('GET', 'alert_log', {
      printer_name: name || undefined, open: open.checked || undefined, limit: wanted
    }), name)
  } catch (error) {
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
