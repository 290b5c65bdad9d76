// Charts that answer questions, each with the answer as a sentence above its drawing.

import { PrinterDrawing } from 'printer-drawing'
import { call, follow, hasPage, linkTo, t } from 'shell'
import { Amounts } from './amounts.js'
import { Choice, html, render, Together, useAnswer, useEffect, useState } from './lib.js'
import { Reliability } from './reliability.js'
import { sinceOf, SPANS } from './spans.js'
import { TimeUse } from './time-use.js'
import { askedPrint, Warm } from './warm.js'

const USUAL_SPAN = '90'
/** Prints to choose from. */
const RECENT = 40
const QUESTIONS = ['reliable', 'amounts', 'time', 'warm']
const ENDED = new Set(['finished', 'failed', 'cancelled', 'unknown'])

/** The local day, as History's filter writes it. */
const dayOf = at => {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}

const Invitation = () => html`<section class="card empty"><span class="invitation"><${PrinterDrawing} model="A1" spools=${[]} /></span>
  <h2>${t('charts.empty')}</h2><p>${t('charts.empty.why')}</p>
  ${hasPage('fleet') && html`<a class="button primary" href=${linkTo('fleet')}>${t('charts.empty.go')}</a>`}</section>`

function App () {
  const [span, setSpan] = useState(USUAL_SPAN)
  const [turn, setTurn] = useState(0)
  /** The newest prints. */
  const { body, problem } = useAnswer(() => call('GET', 'history', { limit: RECENT }), String(turn))
  useEffect(() => follow({
    topics: ['history'],
    onMessage: ({ topic, data }) => { if (topic === 'history' && ENDED.has(data?.result)) setTurn(before => before + 1) },
    onMissed: () => setTurn(before => before + 1)
  }), [])
  const since = sinceOf(span, Date.now())
  const props = { span, since, day: since === undefined ? {} : { since: dayOf(since) }, turn }
  const warm = (body || problem) && html`<${Warm} prints=${body?.prints ?? []} turn=${turn} />`
  const isEmpty = body?.prints.length === 0
  // A link to one print leads to its temperatures.
  const isAsked = askedPrint() !== ''
  return html`<main class="page charts-page"><header class="page-head"><h1>${t('charts.title')}</h1><span class="space" />
      <${Choice} label=${t('charts.span')} values=${SPANS} value=${span} textOf=${one => t(`charts.span.${one}`)} onChange=${setSpan} /></header>
    ${problem && html`<p class="note bad" role="alert">${problem}</p>`}
    <${Together} ids=${isEmpty ? ['warm'] : QUESTIONS} isKnown=${Boolean(body || problem)}>
      ${isAsked && warm}
      ${isEmpty ? html`<${Invitation} />` : html`<${Reliability} ...${props} /><${Amounts} ...${props} /><${TimeUse} ...${props} />`}
      ${!isAsked && warm}
    <//></main>`
}

const place = /** @type {any} */ (document.getElementById('charts'))
place.replaceChildren()
render(html`<${App} />`, place)
