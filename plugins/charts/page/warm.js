// How warm a print was, or a printer in the last hour.

import {
  alertDetail, alertTitle, call, clock, currentPrinter, dateTime, hasPage, linkTo, number, shell, t
} from 'shell'
import { html, Legend, Question, useAnswer, useAnswered, useEffect, useMemo, useState, WAITING } from './lib.js'
import { Plot } from './plot.js'
import { linesOf, valueAt } from './warm-model.js'

const REFRESH_MS = 30_000
const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const PRINTER = 'printer:'
const SEVERITY_OF = { bad: 'high', warn: 'medium' }

const degrees = value => `${number(value, { maximumFractionDigits: 0 })}\u00a0°C`
const nameOf = line => t(`charts.warm.${line.name}`)

/** Alerts in the time that is drawn, with their time in s. */
const marksOf = alerts => alerts.map(({ at, severity, title, text }) => ({ at: at / SECOND_MS, severity, title, text }))

async function loadPrint (id) {
  const path = `history/${encodeURIComponent(id)}`
  const [print, { series }] = await Promise.all([call('GET', path), call('GET', `${path}/telemetry`)])
  const start = print.started_at / SECOND_MS
  const all = new Map(series.map(({ name, points }) => [name, points.map(([at, value]) => [start + at, value])]))
  const alerts = print.events.filter(({ kind, severity }) => kind === 'alert' && severity !== 'low')
  return {
    print,
    lines: linesOf(all),
    layers: all.get('layer') ?? [],
    marks: marksOf(alerts.map(({ name, ...event }) => ({ ...event, title: alertTitle({ type: name }) })))
  }
}

async function loadPrinter (printer) {
  const { collections } = await call('GET', 'monitoring_history', { printer, raw: true })
  const series = Object.entries(/** @type {Record<string, any>} */ (collections))
    .map(([name, { data }]) => [name, data.map(({ t: at, v }) => [at, v])])
  const { alerts } = hasPage('alerts')
    ? await call('GET', 'alert_log', { printer_name: printer }).catch(() => ({ alerts: [] }))
    : { alerts: [] }
  const recent = alerts.toReversed()
    .filter(({ tone, at }) => tone in SEVERITY_OF && Date.now() - Date.parse(at) < HOUR_MS)
  return {
    lines: linesOf(new Map(/** @type {any} */ (series))),
    layers: [],
    marks: marksOf(recent.map(alert => ({
      at: Date.parse(alert.at), severity: SEVERITY_OF[alert.tone], title: alertTitle(alert), text: alertDetail(alert)
    })))
  }
}

/**
 * What a choice shows; nothing as long as there is nothing to choose.
 * @param {string} chosen @returns {Promise<any>}
 */
const load = async chosen => {
  if (chosen === '') return undefined
  return chosen.startsWith(PRINTER) ? await loadPrinter(chosen.slice(PRINTER.length)) : await loadPrint(chosen)
}

const rangeOf = line => {
  const [name, least, greatest] = [nameOf(line), degrees(line.least), degrees(line.greatest)]
  return least === greatest ? t('charts.warm.steady', { name, least }) : t('charts.warm.range', { name, least, greatest })
}

/** How well the heated parts kept to their targets, and between what the others were. */
function answerOf (lines) {
  const heated = lines.filter(({ off }) => off !== undefined)
    .map(line => t('charts.warm.off', { off: degrees(Math.ceil(line.off)), name: nameOf(line) }))
  const list = new Intl.ListFormat(shell.language).format(heated)
  return [
    heated.length > 0 && t('charts.warm.kept', { list }),
    ...lines.filter(({ off }) => off === undefined).map(rangeOf)
  ].filter(Boolean).join(' ')
}

/** The values under the cursor, or the average ones. */
function Readout ({ lines, layers, at }) {
  const layer = at === undefined ? 0 : valueAt(layers, at) ?? 0
  const texts = lines.map(line => {
    if (at === undefined) return t('charts.warm.mean', { name: nameOf(line), mean: degrees(line.mean) })
    const [value, target] = [valueAt(line.points, at), valueAt(line.targets, at) ?? 0]
    const text = `${nameOf(line)} ${value === undefined ? '–' : degrees(value)}`
    return target > 0 ? `${text} / ${degrees(target)}` : text
  })
  return html`<div class="readout"><b>${at === undefined
      ? t('charts.warm.average')
      : [clock(at * SECOND_MS), layer > 0 && t('charts.warm.layer', { layer: number(layer) })].filter(Boolean).join(' · ')}</b>
    <${Legend} parts=${lines.map(({ name }, number) => ({ name, text: texts[number] }))} /></div>`
}

const Values = ({ lines }) => html`<div class="hidden"><table><caption>${t('charts.warm')}</caption>
  <thead><tr><td></td>${['least', 'mean', 'greatest'].map(name => html`<th scope="col">${t(`charts.warm.col.${name}`)}</th>`)}</tr></thead>
  <tbody>${lines.map(line => html`<tr><th scope="row">${nameOf(line)}</th>${['least', 'mean', 'greatest'].map(name =>
    html`<td>${degrees(line[name])}</td>`)}</tr>`)}</tbody></table></div>`

const Marks = ({ marks }) => html`<ul class="rows">${marks.map(({ at, severity, title, text }) => html`<li class="row mark" key=${`${at} ${title}`}>
  <svg viewBox="0 0 4 12" aria-hidden="true"><path class=${severity} d="M2 0v12" /></svg>
  <span class="row-main"><b>${clock(at * SECOND_MS)} · ${title}</b>${text && html`<small>${text}</small>`}</span></li>`)}</ul>`

function Drawing ({ lines, layers, marks }) {
  const [at, setAt] = useState(/** @type {number | undefined} */ (undefined))
  return html`<${Plot} lines=${lines} marks=${marks} onCursor=${setAt} />
    <${Readout} ...${{ lines, layers, at }} /><${Values} lines=${lines} />
    ${marks.length > 0 && html`<${Marks} marks=${marks} />`}`
}

/** The print that a link asks for; empty without one. */
export const askedPrint = () => new URL(location.href).searchParams.get('print') ?? ''

/** The print in the address, else the printer in it, else the newest print. */
function firstOf (prints) {
  if (askedPrint() !== '') return askedPrint()
  if (shell.printers.includes(currentPrinter())) return PRINTER + currentPrinter()
  return prints[0]?.id ?? (shell.printers[0] === undefined ? '' : PRINTER + shell.printers[0])
}

const printText = ({ name, file, printer, started_at: startedAt }) =>
  [name || file || t('charts.warm.unnamed'), printer, dateTime(startedAt)].join(' · ')

function Chooser ({ prints, chosen, print, onChange }) {
  const listed = prints.some(({ id }) => id === chosen) || !print ? prints : [print, ...prints]
  return html`<select aria-label=${t('charts.warm.choose')} value=${chosen} onChange=${event => onChange(event.currentTarget.value)}>
    ${shell.printers.length > 0 && html`<optgroup label=${t('charts.warm.hour')}>${shell.printers.map(name =>
      html`<option key=${name} value=${PRINTER + name}>${name}</option>`)}</optgroup>`}
    ${listed.length > 0 && html`<optgroup label=${t('charts.warm.prints')}>${listed.map(one =>
      html`<option key=${one.id} value=${one.id}>${printText(one)}</option>`)}</optgroup>`}
  </select>`
}

export function Warm ({ prints, turn }) {
  const [chosen, setChosen] = useState(() => firstOf(prints))
  const [tick, setTick] = useState(0)
  const isPrinter = chosen.startsWith(PRINTER)
  const name = isPrinter ? chosen.slice(PRINTER.length) : chosen
  const { body, problem } = useAnswer(() => load(chosen), `${chosen} ${turn} ${tick}`)
  useEffect(() => {
    const timer = setInterval(() => { if (isPrinter && !document.hidden) setTick(before => before + 1) }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isPrinter])
  const lines = useMemo(() => body?.lines ?? [], [body])
  useAnswered('warm', chosen === '')
  if (chosen === '') return null
  const answer = lines.length > 0 ? answerOf(lines) : t(isPrinter ? 'charts.warm.none.hour' : 'charts.warm.none')
  return html`<${Question} id="warm" title=${t('charts.warm')} answer=${problem ?? (body ? answer : WAITING)}
    actions=${html`<${Chooser} ...${{ prints, chosen, print: body?.print, onChange: setChosen }} />`}>
    ${lines.length > 0 && html`<${Drawing} key=${chosen} lines=${lines} layers=${body.layers} marks=${body.marks} />`}
    <p>${isPrinter
      ? html`<a href=${`api/charts?${new URLSearchParams({ printer: name })}`}>${t('charts.warm.panels', { printer: name })}</a>`
      : body?.print && hasPage('history') && html`<a href=${`${linkTo('history')}#${name}`}>${t('charts.warm.open')}</a>`}</p>
  <//>`
}
