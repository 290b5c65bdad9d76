// Functions that all pages share: texts, formats, links, icons, calls of the API.

export { ApiError, call, refusalText } from './call.js'
export { actorName, callerName } from './caller-name.js'
export { colorName, exactColor, filamentName, spoolName } from './color-name.js'
export { follow } from './follow.js'
export { takeFile } from './handed-file.js'
export { fileProblem } from './sliced-file.js'
export { setTitle } from './tab.js'
export { upload } from './upload.js'
export { placeName, slotName, trayName } from './slot-name.js'

const data = document.getElementById('shell-data')
/** @type {{ page: string, base: string, account?: string | null, language: string, theme: string, printers: string[],
 *   texts: Record<string, string>, icons: Record<string, string>,
 *   conditions: Record<string, { tone: string, icon: string, rank: number }>, jobConditions: Record<string, string>,
 *   links: { id: string, path: string, title: string, key?: string, badge?: { path: string, member: string } }[] }} */
export const shell = JSON.parse(data?.textContent ?? '{}')

const plural = new Intl.PluralRules(shell.language)

/**
 * A text by its key. A number `count` chooses between `KEY.one` and `KEY.other` where these exist.
 * @param {string} key @param {Record<string, string | number>} [values] for the placeholders `{name}`
 */
export function t (key, values = {}) {
  const form = typeof values.count === 'number' ? shell.texts[`${key}.${plural.select(values.count)}`] : undefined
  const text = form ?? shell.texts[key] ?? shell.texts[`${key}.other`] ?? key
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => name in values ? String(values[name]) : place)
}

/** True if there is such a text. @param {string} key */
export const hasText = key => key in shell.texts

/** SVG path data of an icon. @param {string} name */
export const iconPath = name => shell.icons[name] ?? shell.icons.info

/** An element with text, which is never parsed as HTML. @param {string} name */
export function element (name, text = '', className = '') {
  const made = document.createElement(name)
  made.textContent = text
  if (className !== '') made.className = className
  return made
}

/** Limit of concurrent requests for several printers. */
const AT_ONCE = 4

/**
 * Does work for every item, a few at a time.
 * @template T @param {readonly T[]} items @param {(item: T) => Promise<unknown>} work
 */
export async function forEach (items, work) {
  const left = [...items]
  const take = async () => {
    while (left.length > 0) await work(/** @type {T} */ (left.shift()))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
}

/** Shows a modal dialog. @returns a function that restores the focus after the dialog is closed */
export function showDialog (dialog) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement)
  dialog?.showModal()
  return () => {
    if (dialog?.open) { // as long as it is, nothing else can have the focus
      dialog.addEventListener('close', event => event.stopImmediatePropagation(), { capture: true, once: true })
      dialog.close()
    }
    before?.focus?.()
  }
}

/** An icon as an element that screen readers ignore. @param {string} name */
export function icon (name) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  made.setAttribute('viewBox', '0 0 24 24')
  made.setAttribute('class', 'icon')
  made.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', iconPath(name))
  made.append(path)
  return made
}

/**
 * Condition of a job; its text is `condition.KEY`. A cancelled job has not failed.
 * @param {string} gcodeState @param {boolean} [cancelled]
 */
export const jobCondition = (gcodeState, cancelled = false) =>
  cancelled ? 'cancelled' : shell.jobConditions[gcodeState] ?? 'unknown'

/**
 * Title of an alert. @param {{ type: string, payload?: { cancelled?: boolean } }} alert
 */
export function alertTitle ({ type, payload }) {
  const kind = type === 'job_failed' && payload?.cancelled ? 'job_cancelled' : type
  return hasText(`alert.${kind}`) ? t(`alert.${kind}`) : kind.replaceAll('_', ' ')
}

/** Details of an alert in one line. @param {{ payload?: any }} alert */
export const alertDetail = ({ payload = {} }) => [
  payload.subtask_name ?? payload.job_name ?? payload.material,
  payload.stage_name === 'unknown' ? '' : payload.stage_name,
  payload.reason,
  ...(payload.errors ?? []).map(({ detail, description, code }) => detail || description || code)
].filter(text => typeof text === 'string' && text !== '').join(' · ')

/** What a model is called: `A1_MINI` is the A1 mini. @param {string} model */
export const modelName = model => model.replace('_MINI', ' mini').replace('_PRO', ' Pro').replaceAll('_', ' ')

/** Whether a page exists. @param {string} id */
export const hasPage = id => shell.links.some(link => link.id === id)

/** The printer in the address of this page; empty for none. */
export const currentPrinter = () => new URL(location.href).searchParams.get('printer') ?? ''

/**
 * The address of a page, relative to this one.
 * @param {string} id @param {Record<string, string>} [params] added to the current printer
 */
export function linkTo (id, params = {}) {
  const { path = '' } = shell.links.find(link => link.id === id) ?? {}
  const printer = currentPrinter()
  const query = new URLSearchParams({ ...(printer !== '' && { printer }), ...params }).toString()
  return `${shell.base}${path}${query === '' ? '' : `?${query}`}`
}

/** Sets the printer of this page and of every link. @param {string} name */
export function keepPrinter (name) {
  const address = new URL(location.href)
  if ((address.searchParams.get('printer') ?? '') === name) return
  if (name === '') address.searchParams.delete('printer')
  else address.searchParams.set('printer', name)
  history.replaceState(null, '', address)
  for (const link of document.querySelectorAll(':is(.rail, .side) a[data-page]')) {
    link.setAttribute('href', linkTo(link.getAttribute('data-page') ?? ''))
  }
}

/** @param {string | number | Date} when */
export const dateTime = when => new Date(when).toLocaleString(shell.language, { dateStyle: 'medium', timeStyle: 'short' })
/** @param {string | number | Date} when */
export const clock = when => new Date(when).toLocaleTimeString(shell.language, { hour: '2-digit', minute: '2-digit' })
const WEEK_MS = 6 * 24 * 3_600_000

/**
 * A time of today by the clock, of the days around it with the day, else with the date.
 * @param {string | number | Date} when
 */
export function timeText (when, now = Date.now()) {
  const time = new Date(when)
  if (time.toDateString() === new Date(now).toDateString()) return clock(time)
  if (Math.abs(time.getTime() - now) > WEEK_MS) return dateTime(time)
  return `${time.toLocaleDateString(shell.language, { weekday: 'short' })} ${clock(time)}`
}

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export const number = (value, options) => value.toLocaleString(shell.language, options)
