// The navigation rail, and the shortcuts of every page.

import { call, linkTo, shell, t } from './shell.js'
import { hasShortcuts } from './appearance.js'
import { watchStart } from './broken.js'
import { followFleet } from './tab.js'
import './worker.js'
import './drop-anywhere.js'

watchStart()

const BADGES_MS = 15_000
const CHORD_MS = 1_500

const rail = /** @type {HTMLElement} */ (document.getElementById('rail'))
const more = /** @type {HTMLElement} */ (document.getElementById('rail-more'))

/** Shows or hides the entries that do not fit on a phone. @param {boolean} open */
function showAll (open) {
  rail.classList.toggle('open', open)
  more.setAttribute('aria-expanded', String(open))
}

more.addEventListener('click', () => showAll(!rail.classList.contains('open')))
document.addEventListener('click', event => {
  if (!rail.contains(/** @type {Node} */ (event.target))) showAll(false)
})

/** Tooltips for entries that are shown without their names. */
for (const link of rail.querySelectorAll('a[data-page]')) link.setAttribute('title', link.querySelector('span')?.textContent ?? '')

/** On a phone the pages of an area are a line of chips: the one that is open may lie outside of it. */
const chips = document.querySelector('.side ul')
const open = /** @type {HTMLElement | null | undefined} */ (chips?.querySelector('a[aria-current=page]'))
if (chips && open) chips.scrollLeft = open.offsetLeft - (chips.clientWidth - open.offsetWidth) / 2

const row = (keys, text) => {
  const [term, words] = [document.createElement('dt'), document.createElement('dd')]
  keys.split(' ').forEach((key, at) => {
    const made = document.createElement('kbd')
    made.textContent = key
    term.append(...(at > 0 ? [' '] : []), made)
  })
  words.textContent = text
  return [term, words]
}

function showKeys () {
  const dialog = document.createElement('dialog')
  const [title, list, close] = [document.createElement('h2'), document.createElement('dl'), document.createElement('button')]
  title.id = 'keys-title'
  title.textContent = t('keys.title')
  dialog.setAttribute('aria-labelledby', title.id)
  list.className = 'keys'
  const pages = shell.links.filter(({ key }) => key !== undefined).map(({ key, title }) => row(`g ${key}`, title))
  const actions = Object.entries(document.body.dataset).filter(([name]) => name.startsWith('key'))
    .map(([name, text]) => row(name.slice(3).toLowerCase(), text))
  list.append(...[row('?', t('keys.help')), row('Esc', t('keys.escape')), ...actions, ...pages].flat())
  close.textContent = t('shell.close')
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.append(title, list, close)
  document.body.append(dialog)
  dialog.showModal()
}

const isTyping = target => target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

let chordUntil = 0

document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && rail.classList.contains('open')) { showAll(false); more.focus() }
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
  if (!hasShortcuts() || document.querySelector('dialog[open]')) return
  if (event.key === '?') return showKeys()
  if (performance.now() < chordUntil) {
    const page = shell.links.find(({ key }) => key === event.key)
    chordUntil = 0
    if (page) { event.preventDefault(); location.assign(linkTo(page.id)) }
    return
  }
  if (event.key === 'g') chordUntil = performance.now() + CHORD_MS
})

/** Entries that do not fit on a phone: their badges are shown at the button that opens them. */
const BEHIND_MORE = new Set([...rail.querySelectorAll('li')].slice(4))

/** Label of the button without a badge. */
const MORE = (more.textContent ?? '').trim()

function showCount (place, count, title) {
  place.textContent = count > 99 ? '99+' : String(count)
  place.toggleAttribute('hidden', count === 0)
  place.setAttribute('title', t('shell.counted', { title, number: count }))
}

/** By page; a route that does not answer does not say that there is nothing. @type {Map<string, number>} */
const counts = new Map()
let isAsking = false
let isToRepeat = false

/** Shows the badges of entries. */
async function showBadges () {
  if (document.hidden) return
  if (isAsking) { isToRepeat = true; return }
  isAsking = true
  isToRepeat = false
  let behindMore = 0
  for (const { id, title, badge } of shell.links) {
    if (!badge) continue
    const before = counts.get(id) ?? 0
    const count = await call('GET', badge.path).then(answer => Number(answer[badge.member]) || 0, () => before)
    counts.set(id, count)
    const link = rail.querySelector(`a[data-page="${id}"]`)
    const place = link?.querySelector('.count')
    if (!link || !place) continue
    showCount(place, count, title)
    if (BEHIND_MORE.has(/** @type {HTMLLIElement} */ (link.closest('li')))) behindMore += count
  }
  const place = more.querySelector('.count')
  if (place) showCount(place, behindMore, MORE)
  isAsking = false
  if (isToRepeat) void showBadges()
}

if (shell.links.some(({ badge }) => badge)) {
  void showBadges()
  setInterval(showBadges, BADGES_MS)
  document.addEventListener('visibilitychange', showBadges)
  document.addEventListener('badges', showBadges) // sent by pages after they change a counted value
}

/** What had the focus last. @type {EventTarget | null} */
let focused = null
document.addEventListener('focusin', ({ target }) => { focused = target })

/** A button that is off while its work runs loses the focus by it, and gets it back afterwards. */
new window.MutationObserver(changes => {
  const isBack = changes.some(({ target }) => target === focused && !(/** @type {HTMLElement} */ (target).hasAttribute('disabled')))
  if (isBack && document.activeElement === document.body) /** @type {HTMLElement} */ (focused).focus()
}).observe(document.body, { subtree: true, attributeFilter: ['disabled'] })

followFleet()
