// What stands in place of a page, or a part of it, that cannot be shown; the frame around it stays.

import { element, icon, t } from './shell.js'

const MOST_CHARS = 300

/** @param {unknown} error @returns {string} */
const reasonOf = error => String(/** @type {any} */ (error)?.message || error || '').slice(0, MOST_CHARS)

/** @param {Element} place @param {unknown} error */
export function showBroken (place, error) {
  const isWhole = place.closest('main') === null
  const card = element('section', '', 'card broken')
  card.setAttribute('role', 'alert')
  const title = element(isWhole ? 'h1' : 'h2')
  title.append(icon('alert'), element('span', t('shell.broken')))
  const reload = element('button', t('shell.broken.reload'), 'primary')
  reload.addEventListener('click', () => location.reload())
  const reason = reasonOf(error)
  const said = reason === '' ? [] : [element('p', t('shell.broken.reason', { reason }), 'faint')]
  card.append(title, element('p', t('shell.broken.text')), ...said, reload)
  const page = isWhole ? element('main', '', 'page narrow') : card
  if (isWhole) page.append(card)
  place.replaceChildren(page)
}

/** @param {EventTarget | null} target */
const isScript = target => target === window || /** @type {Element} */ (target).tagName === 'SCRIPT'

/** A page whose script cannot be loaded, or throws before it shows anything. @param {ErrorEvent} event */
function onError ({ target, error }) {
  const content = document.querySelector('#content > :not(.side)')
  if (!isScript(target) || content === null || document.querySelector('.broken') !== null) return
  const place = element('div')
  content.replaceWith(place)
  showBroken(place, error)
}

/** Watches until the scripts of the page have run. */
export function watchStart () {
  window.addEventListener('error', onError, true)
  document.addEventListener('DOMContentLoaded', () => window.removeEventListener('error', onError, true))
}
