// What the parts of this page share.

import { html } from 'components'
import { call, hasText, shell, t } from 'shell'
import { useEffect, useMemo, useState } from 'preact/hooks'

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { Dialog, html, Icon } from 'components'

/** Icons of this page, drawn for it, as lines on a field of 24 by 24. @type {Record<string, string>} */
const DRAWN = {
  add: 'M12 5v14 M5 12h14',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6Z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z M12 7v5l3.5 2',
  door: 'M6 3h12v18H6Z M14.5 12v.2',
  down: 'M6 9.5l6 6 6-6',
  drop: 'M12 3.5c-7 8.5-6 16.5 0 16.5s7-8 0-16.5Z',
  filter: 'M4 6h16 M7 12h10 M10 18h4',
  level: 'M4 17l5-6 4 3 7-9',
  link: 'M9.5 14.5l5-5 M11 7l2-2a4.2 4.2 0 0 1 6 6l-2 2 M13 17l-2 2a4.2 4.2 0 0 1-6-6l2-2',
  message: 'M4 5h16v11h-8l-4 4v-4H4Z',
  note: 'M5 3h14v18H5Z M8.5 8h7 M8.5 12h7 M8.5 16h4',
  power: 'M12 3v9 M6.5 7a8 8 0 1 0 11 0',
  rules: 'M4 6h6 M4 12h16 M4 18h6 M10 6c4 0 3 12 7 12h3 M17.5 15.5 20 18l-2.5 2.5 M17.5 9.5 20 12l-2.5 2.5',
  stop: 'M7 7h10v10H7Z',
  tool: 'M14 6a4.5 4.5 0 0 1 6-2l-3 3 2 2 3-3a4.5 4.5 0 0 1-6 6L9 19.5 4.5 15Z',
  up: 'M6 14.5l6-6 6 6'
}

/** @param {{ name: string }} props an icon of this page */
export const Drawn = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${DRAWN[name] ?? DRAWN.bolt} /></svg>`

/** A text, or another where there is none for this. @param {string} key @param {string} otherwise */
export const textOr = (key, otherwise) => hasText(key) ? t(key) : otherwise

/**
 * A sentence with controls in place of its placeholders, so that every language has its own order of words.
 * @param {{ text: string, parts: Record<string, any> }} props
 */
export const Sentence = ({ text, parts }) => html`${t(text).split(/(\{\w+\})/).map(piece => {
  const name = /^\{(\w+)\}$/.exec(piece)?.[1]
  return name === undefined ? piece : parts[name] ?? ''
})}`

/** Such as Tuesday, 22:10, for times of the last days. @param {number | string} when */
export const nearTime = when => new Date(when).toLocaleString(shell.language,
  { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** @param {Error} error */
export const failedText = error => t('rules.failed', { reason: error.message })

/**
 * Reads something, and reads it again when asked to.
 * @param {string} path
 * @param {Record<string, unknown>} [params]
 * @param {boolean} [isWanted]
 * @param {number} [changes] read again with another
 */
export function useRead (path, params = {}, isWanted = true, changes = 0) {
  const [state, setState] = useState(/** @type {{ body?: any, problem: string }} */ ({ problem: '' }))
  const key = JSON.stringify([path, params, isWanted, changes])
  const refresh = useMemo(() => async () => {
    if (!isWanted) return
    try {
      const body = await call('GET', path, params)
      setState({ body, problem: '' })
    } catch (error) {
      setState(known => ({ ...known, problem: failedText(/** @type {Error} */ (error)) }))
    }
  }, [key])
  useEffect(() => { void refresh() }, [refresh])
  return { ...state, refresh }
}
