// Says on every page when the service does not answer, and how old what the page shows is.

import { clock, dateTime, t } from './shell.js'

/** A restart of the service takes less. */
const SHOWN_AFTER_MS = 4_000
const DAY_MS = 86_400_000

let lostAt = 0
let timer = 0
/** From when the stored answers are that the page shows, by path: another answer does not make them newer. */
const stored = new Map()

const note = document.createElement('p')
note.className = 'connection'
note.setAttribute('role', 'status')
document.getElementById('content')?.before(note)

const since = time => Date.now() - time < DAY_MS ? clock(time) : dateTime(time)

/** @param {number} time of what the page shows */
function show (time) {
  note.textContent = t('shell.lost', { time: since(time) })
  document.body.classList.add('lost')
}

/**
 * An answer arrived.
 * @param {string} path without its query: a page shows one answer of each
 * @param {string | null} [seen] when the service gave it, if the browser had stored it
 */
export function reached (path, seen = null) {
  clearTimeout(timer)
  timer = 0
  if (seen === null) {
    lostAt = 0
    stored.delete(path)
  } else stored.set(path, new Date(seen).getTime())
  if (stored.size > 0) return show(Math.min(...stored.values()))
  if (!document.body.classList.contains('lost')) return
  note.textContent = ''
  document.body.classList.remove('lost')
}

/** No answer arrived. */
export function lost () {
  lostAt ||= Date.now()
  timer ||= setTimeout(() => show(lostAt), SHOWN_AFTER_MS)
}
