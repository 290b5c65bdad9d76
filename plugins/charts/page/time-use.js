// What the printers spent their time on, as far as it is recorded.

import { call, t } from 'shell'
import { Bar, counted, hours, html, Legend, percent, Question, useAnswer, useState, WAITING } from './lib.js'

const FEW = 8
const PARTS = ['finished', 'lost', 'paused', 'unseen']
const ALL = [...PARTS, 'between']

const wholeOf = printer => ALL.reduce((sum, name) => sum + printer[`${name}_s`], 0)
const busyShare = printer => wholeOf(printer) === 0 ? 0 : (printer.finished_s + printer.lost_s) / wholeOf(printer)
const sumOf = (printers, name) => printers.reduce((sum, printer) => sum + printer[`${name}_s`], 0)

function answerOf (printers) {
  if (printers.length === 0) return t('charts.time.none')
  const sums = Object.fromEntries(ALL.map(name => [`${name}_s`, sumOf(printers, name)]))
  const least = printers.at(-1)
  return [
    t('charts.time.answer', { ...counted(printers.length), share: percent(busyShare(sums)) }),
    printers.length > 1 && busyShare(least) < busyShare(printers[0]) &&
      t('charts.time.least', { name: least.printer, share: percent(busyShare(least)) }),
    sums.lost_s >= 60 && t('charts.time.lost', { hours: hours(sums.lost_s) }),
    sums.paused_s >= 60 && t('charts.time.paused', { hours: hours(sums.paused_s) })
  ].filter(Boolean).join(' ')
}

const Row = ({ printer }) => html`<li class="row share-row">
  <span class="row-main"><b>${printer.printer}</b><small>${ALL.filter(name => printer[`${name}_s`] >= 60).map(name =>
    `${t(`charts.time.part.${name}`)} ${hours(printer[`${name}_s`])}`).join(' · ')}</small></span>
  <span class="row-bar"><${Bar} whole=${wholeOf(printer)} parts=${PARTS.map(name => ({ name, value: printer[`${name}_s`] }))} /></span>
  <b class="figure">${percent(busyShare(printer))}</b>
</li>`

export function TimeUse ({ span, since, turn }) {
  const [isLong, setIsLong] = useState(false)
  const { body, problem } = useAnswer(() => call('GET', 'history/time', { since }), `${span} ${turn}`)
  const printers = (body?.printers ?? []).toSorted((a, b) => busyShare(b) - busyShare(a))
  const shown = isLong ? printers : printers.slice(0, FEW)
  return html`<${Question} id="time" title=${t('charts.time')} answer=${problem ?? (body ? answerOf(printers) : WAITING)}>
    ${shown.length > 0 && html`<ul class="rows">${shown.map(printer => html`<${Row} key=${printer.printer} printer=${printer} />`)}</ul>
      <${Legend} parts=${ALL.map(name => ({ name: name === 'between' ? 'none' : name, text: t(`charts.time.part.${name}`) }))} />
      <p class="faint">${t('charts.time.note')}</p>`}
    ${printers.length > FEW && html`<div><button type="button" class="quiet small" aria-expanded=${isLong ? 'true' : 'false'}
      onClick=${() => setIsLong(!isLong)}>${isLong ? t('charts.less') : t('charts.more', { count: printers.length })}</button></div>`}
  <//>`
}
