// What a printer does about its plate now, and what is left in its magazine.

import { dateTime, number, t } from 'shell'
import { Ask } from './ask.js'
import { attempt, html, useState } from './lib.js'

const KINDS = { unsure: 'bad', cooling: 'warn', checking: 'warn' }

function stepText ({ step, recipes, reason, bed_c: bed, cool_c: cool }) {
  if (step === 'idle' && recipes.length === 0) return t('plate-change.step.off')
  if (step !== 'cooling') return t(`plate-change.step.${step}`, { reason })
  return t('plate-change.step.cooling', { now: bed === null ? '?' : number(Math.round(bed)), cool: cool ?? '?' })
}

const Magazine = ({ magazine: { size, used, is_empty: isEmpty }, onRefill }) => html`<div class="magazine">
  <h3>${t('plate-change.magazine')}</h3>
  ${size === 0
    ? html`<p class="faint">${t('plate-change.magazine.none')}</p>`
    : html`<p>${t('plate-change.magazine.is', { used, size })}</p><progress max=${size} value=${used} aria-label=${t('plate-change.magazine')}></progress>
      ${isEmpty && html`<p class="note bad">${t('plate-change.magazine.empty')}</p>`}
      <button type="button" onClick=${onRefill}>${t('plate-change.refill')}</button>`}</div>`

/** @param {{ status: any, onChanged: () => void }} props */
export function PrinterState ({ status, onChanged }) {
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState('')
  const { printer, step, since } = status
  const refill = async () => {
    if (await attempt(setProblem, 'POST', 'plate-change/refill', { printer })) onChanged()
  }
  return html`<section class="card" aria-labelledby="state-title"><header><h2 id="state-title">${printer}</h2></header>
    <p class=${`note state ${KINDS[step] ?? ''}`} role="status">${stepText(status)}
      ${since > 0 && step !== 'idle' && html` <small class="faint">${dateTime(since)}</small>`}</p>
    ${step === 'unsure' && html`<p class="faint">${t('plate-change.unsure.queue')}</p>`}
    <${Magazine} magazine=${status.magazine} onRefill=${() => setAsks(true)} />
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${asks && html`<${Ask} title=${t('plate-change.refill')} text=${t('plate-change.refill.sure')} yes=${t('plate-change.refill')}
      onYes=${refill} onClose=${() => setAsks(false)} />`}</section>`
}
