// The version of the service, and whether it asks for newer ones.

import { call, element, shell, t } from './shell.js'

/** @param {number} at */
const timeText = at => new Date(at).toLocaleString(shell.language, { dateStyle: 'medium', timeStyle: 'short' })

/** @param {any} view */
function newestOf ({ newest, changelog, installed, command, asked_at: askedAt, problem }) {
  const lines = []
  if (newest !== null) {
    const told = element('p', `${t('settings.updates.newest', { version: newest })} `, 'note')
    const link = /** @type {any} */ (element('a', t('settings.updates.changelog')))
    Object.assign(link, { href: changelog, target: '_blank', rel: 'noopener noreferrer' })
    told.append(link)
    lines.push(told, element('p', t(`settings.updates.how.${installed}`)))
    if (command !== null) {
      const typed = element('p')
      typed.append(element('code', command))
      lines.push(typed)
    }
  } else if (askedAt !== null && problem === null) lines.push(element('p', t('settings.updates.none'), 'faint'))
  if (askedAt !== null) lines.push(element('p', t('settings.updates.asked', { time: timeText(askedAt) }), 'faint'))
  if (problem !== null) lines.push(element('p', t('settings.updates.problem', { reason: problem }), 'bad'))
  return lines
}

/** @param {HTMLElement} card @param {any} view */
function fill (card, view) {
  const { check, origin, registry, version, may_change: mayChange } = view
  const title = element('h2', t('settings.updates'))
  title.id = 'updates-title'
  const setting = element('label', t('settings.updates.check'), 'setting')
  const box = /** @type {any} */ (element('input'))
  box.type = 'checkbox'
  box.checked = check
  box.disabled = !mayChange || origin === 'file'
  setting.append(box)
  const about = element('p', t('settings.updates.about', { registry }), 'faint')
  about.id = 'updates-about'
  box.setAttribute('aria-describedby', about.id)
  const problem = element('p', '', 'bad')
  problem.setAttribute('role', 'alert')
  problem.hidden = true
  box.addEventListener('change', async () => {
    box.disabled = true
    try {
      await call('PATCH', 'updates', { check: box.checked })
      fill(card, await call('GET', 'updates'))
      card.querySelector('input')?.focus()
    } catch (error) {
      box.checked = !box.checked
      box.disabled = false
      problem.textContent = t('settings.updates.failed', { reason: /** @type {Error} */ (error).message })
      problem.hidden = false
    }
  })
  const running = element('p', t('settings.updates.version', { version }))
  const inFile = origin === 'file' ? [element('p', t('keep.file'), 'note')] : []
  card.replaceChildren(title, running, ...check ? newestOf(view) : [], setting, about, ...inFile, problem)
}

/** Adds the card, if the service can ask and the user may see that. @param {HTMLElement} next stands after it */
export async function showUpdates (next) {
  const view = await call('GET', 'updates').catch(() => undefined)
  if (view === undefined) return
  const card = element('section', '', 'card')
  card.setAttribute('aria-labelledby', 'updates-title')
  fill(card, view)
  next.before(card)
}
