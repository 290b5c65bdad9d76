import { shell, t, timeText } from 'shell'
import { call, has } from './api.js'
import { html, useEffect, useRef, useState } from './lib.js'

const POLL_MS = 5_000
const FREE = ['idle', 'finished', 'cancelled']

/**
 * The other printers in `GET /api/fleet`, refreshed while they are shown.
 * @param {string} printer the one of this page
 * @param {boolean} isAsked false: there is nothing to send to another printer
 */
export function useOthers (printer, isAsked) {
  const [others, setOthers] = useState(/** @type {readonly any[]} */ ([]))
  useEffect(() => {
    if (!isAsked || shell.printers.length < 2 || !has('fleet')) return
    const abort = new AbortController()
    const ask = () => call('fleet', {}, { signal: abort.signal }).then(
      ({ printers }) => setOthers(printers.filter(({ name }) => name !== printer)),
      () => {}) // tried again at the next refresh
    void ask()
    const timer = setInterval(() => { if (!document.hidden) void ask() }, POLL_MS)
    return () => { clearInterval(timer); abort.abort() }
  }, [printer, isAsked])
  return others
}

/** An unknown model does not rule out a printer. @param {any} other @param {readonly string[]} models */
const isOtherModel = ({ model }, models) =>
  models.length > 0 && model !== '' && model !== 'UNKNOWN' && !models.includes(model)

/**
 * True if a plate for these models can be printed there now. If the build plate has to be cleared first, the dialog of
 * that printer asks about it.
 * @param {any} other
 * @param {readonly string[]} models
 */
export const isFit = (other, models) =>
  FREE.includes(other.condition) && other.problem === null && !isOtherModel(other, models)

/** The reason against a printer, other than its state. @param {any} other @param {readonly string[]} models */
function reasonOf (other, models) {
  const { condition, needs_person: needs, problem, job } = other
  if (isOtherModel(other, models)) return t('printer.print.other_model', { model: models[0].replaceAll('_', ' ') })
  if (needs) return problem ?? t(FREE.includes(condition) ? 'printer.print.plate_used' : 'printer.print.needs_you')
  if (job?.ends_at) return t('printer.print.until', { time: timeText(job.ends_at) })
  return problem ?? (FREE.includes(condition) ? '' : t('printer.print.not_now'))
}

/** Shown without being asked for. */
const FEW = 4
/** More are searched. */
const MANY = 12

const byFit = models => (a, b) => Number(isFit(b, models)) - Number(isFit(a, models)) || a.name.localeCompare(b.name, 'en', { numeric: true })

/**
 * The other printers in the order in which they were first shown, then those that have come since: a row that moved
 * with the state of its printer would change under the finger. Pure.
 * @param {readonly string[]} order names as last time
 * @param {readonly any[]} others @param {readonly string[]} models
 */
export const inOrder = (order, others, models) => [
  ...order.flatMap(name => others.filter(other => other.name === name)),
  ...others.filter(({ name }) => !order.includes(name)).toSorted(byFit(models))
]

/**
 * What few want to see, with a search if it is much. Enter in it must not send the form around it.
 * @param {{ title: string, names: readonly string[], row: (name: string, isFound: boolean) => any }} props
 */
export function More ({ title, names, row }) {
  const [search, setSearch] = useState('')
  const isFound = name => name.toLowerCase().includes(search.trim().toLowerCase())
  return html`<details class="more"><summary>${title}</summary>
    ${names.length > MANY && html`<input type="search" aria-label=${t('printer.print.search')} placeholder=${t('printer.print.search')} value=${search}
      onInput=${event => setSearch(event.currentTarget.value)} onKeyDown=${event => { if (event.key === 'Enter') event.preventDefault() }} />`}
    <div class="which">${names.map(name => row(name, isFound(name)))}</div></details>`
}

/** One choice for each of the other printers, first those that can print; of many the rest is folded. */
export function Elsewhere ({ others, models, chosen, onChoose }) {
  const order = useRef(/** @type {string[]} */ ([]))
  const shown = inOrder(order.current, others, models)
  order.current = shown.map(({ name }) => name)
  const row = (other, isFound = true) => {
    const { name, model, condition } = other
    return html`<label key=${name} class="check" hidden=${!isFound}><input type="radio" name="where" checked=${chosen === name}
      disabled=${!isFit(other, models)} onChange=${() => onChoose(name)} />
      <span>${t('printer.print.there', { printer: name })} <span class="faint">${model.replaceAll('_', ' ')}</span>
        ${' '}<b class=${`badge ${shell.conditions[condition].tone}`}>${t(`condition.${condition}`)}</b>
        ${' '}<span class="faint">${reasonOf(other, models)}</span></span></label>`
  }
  const count = shown.length > FEW + 1 ? FEW : shown.length
  const rest = new Map(shown.slice(count).map(other => [other.name, other]))
  return html`<div class="others">${shown.slice(0, count).map(other => row(other))}
    ${rest.size > 0 && html`<${More} title=${t('printer.print.others', { count: rest.size })} names=${[...rest.keys()]}
      row=${(name, isFound) => row(rest.get(name), isFound)} />`}</div>`
}
