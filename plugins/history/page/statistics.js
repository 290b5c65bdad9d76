// Statistics over all prints that match the filters.

import { call, number, t } from 'shell'
import { duration, energyText, grams, html, useAnswer, useState } from './lib.js'
import { Keep } from './keep.js'
import { paramsOf } from './list.js'
import { Prices } from './prices.js'

const percent = value => value === null ? '–' : number(value, { style: 'percent', maximumFractionDigits: 0 })
const rateOf = ({ finished, failed }) => finished + failed === 0 ? null : finished / (finished + failed)

const Figure = ({ name, value }) => html`<div class="card figure"><dt>${t(`history.sum.${name}`)}</dt><dd>${value}</dd></div>`

function Table ({ name, rows, keyOf }) {
  if (rows.length === 0) return null
  const most = Math.max(...rows.map(({ printing_s: seconds }) => seconds), 1)
  const title = t(`history.by.${name}`)
  return html`<section class="card"><h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label=${title}><table>
    <thead><tr><th scope="col">${t(`history.${name}`)}</th>${['prints', 'rate', 'time', 'grams'].map(one =>
      html`<th scope="col">${t(`history.sum.${one}`)}</th>`)}</tr></thead>
    <tbody>${rows.map(row => html`<tr><th scope="row">${keyOf(row) || '–'}
        <meter max=${most} value=${row.printing_s} aria-label=${duration(row.printing_s)}></meter></th>
      <td>${number(row.prints)}</td><td>${percent(rateOf(row))}</td><td>${duration(row.printing_s)}</td>
      <td>${grams(row.grams)}</td></tr>`)}</tbody>
  </table></div></section>`
}

/** Of the browser, whose months are those of the filter, too. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
const NO_ZONE = 'Etc/Unknown'

export function Statistics ({ filter, turn }) {
  const params = { ...paramsOf(filter), ...timeZone && timeZone !== NO_ZONE && { time_zone: timeZone } }
  const [priced, setPriced] = useState(0)
  const { body, problem } = useAnswer(() => call('GET', 'history/statistics', params), JSON.stringify([params, turn, priced]))
  if (!body) return html`<p class="boot" role="status">${problem ?? '…'}</p>`
  return html`<dl class="figures">
      <${Figure} name="prints" value=${number(body.prints)} />
      ${body.parts > 0 && html`<${Figure} name="parts" value=${number(body.parts)} />`}
      <${Figure} name="time" value=${duration(body.printing_s)} />
      <${Figure} name="rate" value=${percent(body.success_rate)} />
      <${Figure} name="grams" value=${grams(body.grams)} />
      ${body.cost > 0 && html`<${Figure} name="cost" value=${number(body.cost)} />`}
      ${body.energy !== null && html`<${Figure} name="energy" value=${energyText(body.energy.wh)} />`}
      ${body.energy?.cost > 0 && html`<${Figure} name="energy_cost" value=${`${number(body.energy.cost, { maximumFractionDigits: 2 })} ${body.energy.currency}`} />`}
      ${body.estimate !== null && html`<${Figure} name="estimate" value=${percent(body.estimate)} />`}
    </dl>
    <div class="columns">
      <div><${Table} name="month" rows=${body.months.toReversed()} keyOf=${({ month }) => month} />
        <${Table} name="material" rows=${body.materials} keyOf=${({ material }) => material} /></div>
      <div><${Table} name="printer" rows=${body.printers} keyOf=${({ printer }) => printer} />
        ${body.faults.length > 0 && html`<section class="card"><h2>${t('history.by.fault')}</h2>
          <ol class="events">${body.faults.map(({ fault, prints }) => html`<li><strong>${number(prints)}</strong> <span>${fault}</span></li>`)}</ol>
        </section>`}</div>
    </div>
    <div class="columns settings"><${Prices} onDone=${() => setPriced(priced + 1)} /><${Keep} onDone=${() => setPriced(priced + 1)} /></div>`
}
