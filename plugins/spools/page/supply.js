// What runs out when, and what to buy.

import { filamentName, number, shell, t } from 'shell'
import { dayText, grams, html, money, SpoolDrawing, useRead, useState } from './lib.js'

const DAYS = [14, 28, 56, 84]
const WEEK = 7

const nameOf = ({ brand, line, material, color, color_name: name }) =>
  [brand, line && line !== material ? line : '', name || filamentName(material, color === '' ? [] : [color])].filter(Boolean).join(' ')

const Row = ({ supply, days }) => {
  const { left_g: left, used_g: used, needed_g: needed, planned_g: planned } = supply
  const { runs_out_at: out, buy, price, currency } = supply
  const facts = [
    used > 0 && t('spools.pace', { grams: grams(used / days.pace * WEEK) }),
    planned > 0 && t('spools.planned', { grams: grams(planned) }),
    out !== null && t(out <= Date.now() ? 'spools.out.now' : 'spools.out', { day: dayText(out) })
  ].filter(Boolean)
  return html`<li class="row"><${SpoolDrawing} color=${supply.color} share=${null} />
    <span class="row-main"><b>${nameOf(supply)}</b><small>${t('spools.need', { needed: grams(needed), left: grams(left) })}</small><small>${facts.join(' · ')}</small></span>
    <span class="amount">${buy > 0
      ? html`<b class="badge warn">${t('spools.buy', { count: number(buy) })}</b><small class="faint">${price === null ? '' : money(price * buy, currency)}</small>`
      : html`<b class="badge good">${t('spools.enough')}</b>`}</span></li>`
}

export function Supply () {
  const [days, setDays] = useState(28)
  const { body, problem } = useRead('spools/shopping', { days })
  if (!body) return html`<p class="boot" role="status">${problem || '…'}</p>`
  const toBuy = body.filaments.filter(({ buy }) => buy > 0)
  const isUsed = ({ used_g: used, planned_g: planned }) => used > 0 || planned > 0
  const others = body.filaments.filter(supply => supply.buy === 0 && isUsed(supply))
  const list = supplies => html`<ul class="rows">${supplies.map(supply => html`<${Row} key=${nameOf(supply)} supply=${supply} days=${{ pace: body.pace_days }} />`)}</ul>`
  const totals = body.totals.map(({ currency, price }) => money(price, currency)).join(' + ')
  return html`<section class="card" aria-labelledby="buy-title"><header><h2 id="buy-title">${t('spools.view.buy')}</h2>
      <label class="inline">${t('spools.ahead')} <select value=${days} onChange=${({ target }) => setDays(Number(target.value))}>
        ${DAYS.map(count => html`<option key=${count} value=${count}>${t('spools.days', { count })}</option>`)}</select></label></header>
    <p class="faint">${t('spools.buy.why', { days: body.pace_days })}</p>
    ${toBuy.length > 0 ? list(toBuy) : html`<p class="note good">${t('spools.buy.nothing')}</p>`}
    <div class="buttons end">${totals !== '' && html`<b>${t('spools.total', { amount: totals })}</b>`}
      ${toBuy.length > 0 && html`<a class="button" download href=${`${shell.base}api/spools/shopping?format=csv&days=${days}`}>CSV</a>`}</div></section>
    ${others.length > 0 && html`<section class="card" aria-labelledby="enough-title"><header><h2 id="enough-title">${t('spools.enough.title')}</h2></header>${list(others)}</section>`}`
}
