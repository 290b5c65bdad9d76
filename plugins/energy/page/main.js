// Plugs by printer, what they draw and what that costs, and the prices of energy.

import { shell, t } from 'shell'
import { energyText, html, moneyText, render, useRead, useState, wattsText } from './lib.js'
import { PlugDialog } from './plug-dialog.js'
import { PlugRow } from './plug-row.js'
import { Prices, PricesDialog } from './prices.js'
import { Use } from './use.js'

const LOOK_MS = 5_000
const SETUP_MS = 60_000

const Figure = ({ name, value }) => html`<div class="card figure"><dt>${t(`energy.figure.${name}`)}</dt><dd>${value}</dd></div>`

const Figures = ({ energy: { watts, today_wh: wh, today_cost: cost, price_now: price, prices: { currency } } }) => html`<dl class="figures">
  <${Figure} name="now" value=${watts === null ? '–' : wattsText(watts)} />
  <${Figure} name="today" value=${energyText(wh)} />
  ${price !== null && html`<${Figure} name="cost" value=${moneyText(cost, currency)} /><${Figure} name="price" value=${moneyText(price, currency)} />`}</dl>`

/** Plugs under the name of what they belong to: printers in their order, then the others. */
function groupsOf (plugs) {
  const groups = new Map()
  for (const plug of plugs) {
    const name = plug.belongs === 'alone' ? t('energy.alone') : plug.belongs === 'gone' ? t('energy.gone') : plug.printer
    groups.set(name, [...groups.get(name) ?? [], plug])
  }
  return [...groups].sort(([, [a]], [, [b]]) => Number(a.printer === '') - Number(b.printer === '') || a.printer.localeCompare(b.printer, shell.language, { numeric: true }))
}

const Empty = ({ canAdd, onAdd }) => html`<section class="card empty"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M13 2.5 5 13.5h6L10 21.5 19 10h-6.5Z" /></svg><h2>${t('energy.none')}</h2>
  <p>${t(canAdd ? 'energy.none.text' : 'energy.none.closed')}</p>
  ${canAdd && html`<button type="button" class="primary" onClick=${onAdd}>${t('energy.add')}</button>`}</section>`

function App () {
  const { body: energy, problem, refresh } = useRead('energy', LOOK_MS)
  const { body: use, refresh: refreshUse } = useRead('energy/use', SETUP_MS)
  const { body: setup, refresh: refreshSetup } = useRead('energy/plugs', SETUP_MS)
  const [dialog, setDialog] = useState(/** @type {{ name: string, plug?: any } | null} */ (null))
  if (!energy) return html`<main class="page"><h1>${t('energy.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const close = () => setDialog(null)
  const done = async () => { await Promise.all([refresh(), refreshSetup(), refreshUse()]) }
  const add = () => setDialog({ name: 'plug' })
  const edit = plug => setDialog({ name: 'plug', plug })
  const { plugs, prices } = energy
  return html`<main class="page energy">
    <header class="page-head"><h1>${t('energy.title')}</h1><span class="space" />
      ${setup && plugs.length > 0 && html`<button type="button" class="primary" onClick=${add}>${t('energy.add')}</button>`}
      <p class="lead">${t('energy.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${t('energy.late', { reason: problem })}</p>
    ${plugs.length === 0
      ? html`<${Empty} canAdd=${setup !== undefined} onAdd=${add} />`
      : html`<${Figures} energy=${energy} /><div class="groups">${groupsOf(plugs).map(([name, own]) => html`<section class="card" key=${name}>
          <header><h2>${name}</h2></header><ul class="rows">${own.map(plug => html`<${PlugRow} key=${plug.id} plug=${plug} currency=${prices.currency}
            setup=${setup} onEdit=${edit} onDone=${done} />`)}</ul></section>`)}</div>`}
    ${plugs.length > 0 && html`<div class="below">${use && html`<${Use} use=${use} />`}
      <${Prices} prices=${prices} canEdit=${setup !== undefined} onEdit=${() => setDialog({ name: 'prices' })} /></div>`}
    ${dialog?.name === 'plug' && html`<${PlugDialog} plug=${dialog.plug} own=${setup?.plugs.find(({ id }) => id === dialog.plug?.id)} printers=${shell.printers}
      hasBroker=${energy.has_broker} onClose=${close} onDone=${done} />`}
    ${dialog?.name === 'prices' && html`<${PricesDialog} prices=${prices} onClose=${close} onDone=${done} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('energy'))
place.replaceChildren()
render(html`<${App} />`, place)
