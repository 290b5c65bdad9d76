// How far weighings are from what was counted, by brand and by printer.

import { number, t } from 'shell'
import { grams, html, percent, useRead } from './lib.js'

const signed = value => value === null ? '–' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${percent(Math.abs(value))} %`

const Table = ({ title, rows }) => rows.length > 0 && html`<div class="scroll"><table><caption>${title}</caption>
  <thead><tr>${['name', 'weighings', 'counted', 'mean', 'spread'].map(name => html`<th key=${name} scope="col">${t(`spools.accuracy.${name}`)}</th>`)}</tr></thead>
  <tbody>${rows.map(({ name, weighings, counted_g: counted, mean_percent: mean, spread_percent: spread }) => html`<tr key=${name}>
    <th scope="row">${name}</th><td>${number(weighings)}</td><td>${grams(counted)} g</td><td>${signed(mean)}</td><td>${spread === null ? '–' : `${percent(spread)} %`}</td></tr>`)}</tbody>
</table></div>`

export function Accuracy () {
  const { body, problem } = useRead('spools/accuracy')
  if (!body) return html`<p class="boot" role="status">${problem || '…'}</p>`
  return html`<section class="card" aria-labelledby="accuracy-title"><header><h2 id="accuracy-title">${t('spools.view.accuracy')}</h2></header>
    <p class="faint">${t('spools.accuracy.why')}</p>
    ${body.all
      ? html`<p>${t('spools.accuracy.all', { count: number(body.all.weighings), mean: signed(body.all.mean_percent) })}</p>`
      : html`<p class="note">${t('spools.accuracy.none')}</p>`}
    <${Table} title=${t('spools.accuracy.brands')} rows=${body.brands} />
    <${Table} title=${t('spools.accuracy.printers')} rows=${body.printers} /></section>`
}
