// What was used, by day and by printer.

import { shell, t } from 'shell'
import { energyText, html, moneyText } from './lib.js'

const HEIGHT = 150
const STEP = 24
const BAR = 15
const DAYS = 30
const DAY_MS = 86_400_000

/** The days of the chart, also those without energy. @param {string} last */
function daysUntil (last) {
  const end = Date.parse(`${last}T12:00:00Z`)
  return Array.from({ length: DAYS }, (_, at) => new Date(end - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10))
}

const dayText = day => new Date(`${day}T12:00:00`).toLocaleDateString(shell.language, { day: 'numeric', month: 'short' })

const Bar = ({ at, day, used, scale }) => {
  const { prints_wh: prints, idle_wh: idle } = used
  const [low, high] = [prints * scale, idle * scale]
  const rest = HEIGHT - low - high
  return html`<g><title>${t('energy.chart.day', { day: dayText(day), energy: energyText(prints + idle) })}</title>
    <rect class="field" x=${at * STEP} y="0" width=${STEP} height=${HEIGHT} />
    <rect class="idle" x=${at * STEP + 4} y=${rest} width=${BAR} height=${high} rx="2" />
    <rect class="prints" x=${at * STEP + 4} y=${HEIGHT - low} width=${BAR} height=${low} rx="2" /></g>`
}

function Chart ({ days, today }) {
  const all = daysUntil(today)
  const known = new Map(days.map(day => [day.day, day]))
  const most = Math.max(...days.map(({ wh }) => wh), 1)
  const NONE = { prints_wh: 0, idle_wh: 0 }
  return html`<figure class="chart"><svg viewBox=${`0 0 ${DAYS * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img"
      aria-label=${t('energy.chart.day', { day: t('energy.chart'), energy: energyText(days.reduce((sum, { wh }) => sum + wh, 0)) })}>
      ${all.map((day, at) => html`<${Bar} key=${day} at=${at} day=${day} used=${known.get(day) ?? NONE} scale=${(HEIGHT - 6) / most} />`)}</svg>
    <figcaption><span>${dayText(all[0])}</span><span class="key prints">${t('energy.chart.prints')}</span>
      <span class="key idle">${t('energy.chart.idle')}</span><span>${dayText(today)}</span></figcaption></figure>`
}

/** @param {{ use: any }} props */
export function Use ({ use }) {
  const { days, printers, currency, today, wh, cost } = use
  const sum = `${energyText(wh)}${cost > 0 ? ` · ${moneyText(cost, currency)}` : ''}`
  return html`<section class="card" aria-labelledby="use-title"><header><h2 id="use-title">${t('energy.chart')}</h2><b>${days.length > 0 && sum}</b></header>
    ${days.length === 0
      ? html`<p class="faint">${t('energy.chart.none')}</p>`
      : html`<${Chart} days=${days} today=${today} />
        ${printers.length > 1 && html`<h3>${t('energy.byPrinter')}</h3><dl class="prices">${printers.map(({ printer, wh: own, cost: paid }) => html`<div>
          <dt>${printer || t('energy.alone')}</dt><dd>${energyText(own)}${paid > 0 && ` · ${moneyText(paid, currency)}`}</dd></div>`)}</dl>`}`}
  </section>`
}
