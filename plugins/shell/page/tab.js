// The title and the icon of the browser's tab say what happens while another tab is in front.

import { call } from './call.js'
import { hasPage } from './shell.js'

const REFRESH_MS = 20_000
const STEP_PERCENT = 5
const RING = 2 * Math.PI * 12

let title = document.title
/** Percent of the job of this page. @type {number | undefined} */
let ownPercent
let fleet = { needs: 0, percent: /** @type {number | undefined} */ (undefined) }

const styleOf = name => globalThis.getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A ring round the nozzle, and a dot when somebody is needed. @param {number} percent @param {boolean} needs */
const drawing = (percent, needs) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <circle cx="16" cy="16" r="16" fill="#0d1218"/><path d="M11 10h10v4h-3v3l-2 3-2-3v-3h-3z" fill="#2f9df0"/>
  <g fill="none" stroke-width="4" transform="rotate(-90 16 16)"><circle cx="16" cy="16" r="12" stroke="#39424e"/>
  <circle cx="16" cy="16" r="12" stroke="#2f9df0" stroke-dasharray="${RING * percent / 100} ${RING}"/></g>
  ${needs ? `<circle cx="24" cy="8" r="7" fill="${styleOf('--warn')}"/>` : ''}</svg>`

let drawn = ''

/** @param {number | undefined} percent @param {boolean} needs */
function drawIcon (percent, needs) {
  const step = percent === undefined ? undefined : Math.round(percent / STEP_PERCENT) * STEP_PERCENT
  const link = document.querySelector('link[rel=icon]')
  const what = `${step} ${needs}`
  if (link === null || what === drawn) return
  drawn = what
  link.setAttribute('data-usual', link.getAttribute('data-usual') ?? link.getAttribute('href') ?? '')
  link.setAttribute('href', step === undefined && !needs
    ? link.getAttribute('data-usual') ?? ''
    : `data:image/svg+xml,${encodeURIComponent(drawing(step ?? 0, needs))}`)
}

function draw () {
  const percent = ownPercent ?? fleet.percent
  const parts = [fleet.needs > 0 && `(${fleet.needs})`, percent !== undefined && `${Math.round(percent)} %`].filter(Boolean)
  document.title = [parts.join(' '), title].filter(Boolean).join(' · ')
  drawIcon(percent, fleet.needs > 0)
}

/**
 * Sets the title of this page's tab.
 * @param {string} text @param {number} [percent] of the job that the page shows
 */
export function setTitle (text, percent) {
  title = `${text} – prnd`
  ownPercent = percent
  draw()
}

/** Reads how the printers are, also while the tab is in the background. */
async function refresh () {
  const answer = await call('GET', 'fleet/summary').catch(() => undefined)
  if (answer === undefined) return
  fleet = { needs: answer.needs_person, percent: answer.percent ?? undefined }
  draw()
}

/** Keeps title and icon up to date, where there is an overview. */
export function followFleet () {
  if (!hasPage('fleet')) return
  setInterval(refresh, REFRESH_MS)
  void refresh()
}
