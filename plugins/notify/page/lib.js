// What the parts of this page share: markup, names of kinds, and words for problems.

import htm from 'htm'
import { h } from 'preact'
import { hasText, iconPath, t } from 'shell'

export const html = htm.bind(h)

/** Icons of the kinds, drawn for this page, as lines on a field of 24 by 24. @type {Record<string, string>} */
const DRAWN = {
  discord: 'M5 5h14v11h-6l-4 4v-4H5Z M9 10.5h.2 M15 10.5h.2',
  email: 'M3 6h18v13H3Z M3 7l9 7 9-7',
  mqtt: 'M5 19v.2 M5 13a6 6 0 0 1 6 6 M5 7a12 12 0 0 1 12 12',
  ntfy: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l2 2H4l2-2Z M10 21h4',
  push: 'M7 2.5h10v19H7Z M11 18.5h2',
  pushover: 'M8 3h8v18H8Z M11 18h2 M11 7h2',
  slack: 'M9 4v16 M15 4v16 M4 9h16 M4 15h16',
  telegram: 'M21 4 3 11l6 2.5L18 7l-6.5 8 6 5Z',
  webhook: 'M8.5 6.5 3 12l5.5 5.5 M15.5 6.5 21 12l-5.5 5.5'
}

/** @param {{ path: string }} options path data */
const Drawing = ({ path }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`

/** @param {{ name: string }} options name of an icon of the shell */
export const Icon = ({ name }) => html`<${Drawing} path=${iconPath(name)} />`

/** @param {{ type: string }} options */
export const KindIcon = ({ type }) => html`<span class="kind"><${Drawing} path=${DRAWN[type] ?? iconPath('send')} /></span>`

/** Plugins bring kinds without texts: they are shown by their type. @param {string} type */
export const kindName = type => hasText(`messages.kind.${type}`) ? t(`messages.kind.${type}`) : type

/** @param {string} type of an alert */
export const alertName = type => {
  if (type === '*') return t('messages.what.all')
  return hasText(`alert.${type}`) ? t(`alert.${type}`) : type.replaceAll('_', ' ')
}

const STATUS = /^it answered (\d{3})\b/

/** @param {string} reason as the service says it */
function meaningOf (reason) {
  const status = Number(STATUS.exec(reason)?.[1] ?? 0)
  if (status === 401 || status === 403 || reason.includes('user or password is wrong')) return t('messages.problem.login')
  if (status === 400 || status === 404 || status === 410) return t('messages.problem.missing')
  if (status === 429) return t('messages.problem.busy')
  return status >= 500 ? t('messages.problem.theirs') : ''
}

/** A problem of a target in words, with what the other side said. @param {string} reason */
export function problemWords (reason) {
  const plain = reason.replace(/^'.*?' did not accept the message: /, '')
  const meaning = meaningOf(plain)
  return meaning === '' ? plain : `${meaning} (${plain})`
}
