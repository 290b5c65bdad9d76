// Prints, newest first, page by page.

import { call, filamentName, shell, t } from 'shell'
import { Badge, dayTime, duration, grams, html, RESULTS, useEffect, useRef, useState } from './lib.js'

const PAGE = 50

/** The slicer's thumbnail, or else the camera's picture. */
export const Picture = ({ id }) => html`<img class="part" loading="lazy" alt="" src=${`api/history/${id}/thumbnail`}
  onError=${({ target }) => {
    if (target.src.endsWith('/thumbnail')) target.src = `api/history/${id}/picture`
    else target.hidden = true
  }} />`

export const Swatch = ({ color }) => html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
  <circle cx="5" cy="5" r="4.5" fill=${/^#[\da-f]{6}$/i.test(color) ? color : 'none'} /></svg>`

const total = filaments => filaments.reduce((sum, { grams: one }) => sum + (one ?? 0), 0)

const Print = ({ print, onOpen }) => html`<li class="print card" data-print=${print.id}>
  <${Picture} id=${print.id} />
  <div class="what">
    <h2><a href=${`#${print.id}`} onClick=${onOpen}>${print.name || print.file || t('history.unnamed')}</a></h2>
    <p><${Badge} result=${print.result} /> ${print.printer} · ${dayTime(print.started_at)}
      ${print.printing_s > 0 && html` · ${duration(print.prepare_s + print.printing_s + print.paused_s)}`}</p>
    <p class="faint">${print.filaments.map(({ material, color }) => html`<span class="spool"><${Swatch} color=${color} />${filamentName(material, [color])}</span>`)}
      ${total(print.filaments) > 0 && html`<span>${grams(total(print.filaments))}</span>`}
      ${print.rating && html`<span aria-label=${t('history.rated', { rating: print.rating })}>${'★'.repeat(print.rating)}</span>`}
      ${print.tags.map(tag => html`<span class="badge">${tag}</span>`)}</p>
  </div>
</li>`

/** The filters, by the names of the API. */
export const NO_FILTER = { text: '', printer_name: '', result: '', material: '', since: '', until: '' }

/** The filters in an address, such as `?material=PLA&result=failed&since=2026-11-20`. @param {string} address */
export function filterIn (address) {
  const params = new URL(address).searchParams
  return Object.fromEntries(Object.keys(NO_FILTER).flatMap(name => params.has(name) ? [[name, params.get(name)]] : []))
}

/** @returns parameters without empty filters; days become times in the browser's time zone */
export function paramsOf ({ since, until, ...rest }) {
  const day = text => new Date(`${text}T00:00`).getTime()
  // Two days of the year have 23 or 25 hours.
  const dayAfter = text => {
    const date = new Date(`${text}T00:00`)
    return date.setDate(date.getDate() + 1)
  }
  return Object.fromEntries(Object.entries({
    ...rest,
    since: since === '' ? '' : day(since),
    until: until === '' ? '' : dayAfter(until)
  }).filter(([, value]) => value !== '' && !Number.isNaN(value)))
}

/** A link may lead to prints of what is not listed, such as a removed printer. */
const withChosen = (values, value) => value === '' || values.includes(value) ? values : [...values, value]

export function Filters ({ filter, materials, onChange }) {
  const set = name => ({ target }) => onChange({ ...filter, [name]: target.value })
  const options = (values, wordOf) => html`<option value="">${t('history.all')}</option>
    ${values.map(value => html`<option key=${value} value=${value}>${wordOf(value)}</option>`)}`
  const choice = (name, values, wordOf = value => value) => html`<label>${t(`history.filter.${name}`)}
    <select value=${filter[name]} onChange=${set(name)}>${options(values, wordOf)}</select></label>`
  const day = name => html`<label>${t(`history.filter.${name}`)}
    <input type="date" value=${filter[name]} onChange=${set(name)} /></label>`
  return html`<form class="filters" role="search" onSubmit=${event => event.preventDefault()}>
    <label class="wide">${t('history.filter.text')} <input type="search" maxlength="200" value=${filter.text} onInput=${set('text')} /></label>
    ${choice('printer_name', withChosen(shell.printers, filter.printer_name))}
    ${choice('result', RESULTS, result => t(`history.result.${result}`))}
    ${choice('material', withChosen(materials, filter.material))}
    ${day('since')}${day('until')}
  </form>`
}

/** The pages loaded so far; the next one is loaded when the end of the list becomes visible. */
function usePages (params, key) {
  const [pages, setPages] = useState(/** @type {any} */ ({ key: '', prints: [], cursor: undefined, problem: '' }))
  const asked = useRef('')
  const latest = useRef(pages)
  latest.current = pages
  const load = async (before, cursor) => {
    const turn = `${key} ${cursor ?? ''}`
    if (asked.current === turn) return
    asked.current = turn
    try {
      const page = await call('GET', 'history', { ...params, limit: PAGE, cursor })
      if (asked.current === turn) setPages({ key, prints: [...before, ...page.prints], cursor: page.cursor, problem: '' })
    } catch (error) {
      if (asked.current !== turn) return
      asked.current = ''
      const problem = t('history.failed', { reason: /** @type {Error} */ (error).message })
      setPages({ ...latest.current, key, problem })
    }
  }
  useEffect(() => { void load([], undefined) }, [key])
  const isMore = pages.key === key && typeof pages.cursor === 'string'
  return { ...pages, isMore, more: () => { if (isMore) void load(pages.prints, pages.cursor) } }
}

export function Prints ({ filter, turn, onOpen }) {
  const params = paramsOf(filter)
  const { prints, problem, isMore, more, cursor } = usePages(params, JSON.stringify([params, turn]))
  const end = useRef(/** @type {any} */ (null))
  const latest = useRef(more)
  latest.current = more
  useEffect(() => {
    if (!isMore) return
    const watch = new IntersectionObserver(([entry]) => { if (entry?.isIntersecting) latest.current() }, { rootMargin: '400px' })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [isMore, prints.length])
  return html`<p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <ul class="prints" aria-label=${t('history.title')}>${prints.map(print =>
      html`<${Print} key=${print.id} print=${print} onOpen=${onOpen} />`)}</ul>
    ${prints.length === 0 && cursor === null && html`<p class="boot">${t(Object.keys(params).length === 0 ? 'history.none.yet' : 'history.none')}</p>`}
    ${isMore && html`<button type="button" ref=${end} onClick=${more}>${t('history.more')}</button>`}`
}
