// Quiet hours for all places.

import { useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from './lib.js'

const USUAL = '22:00-07:00'
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * @param {{ quiet: { hours: string | null, timeZone: string | null, origin: string }, onDone: () => unknown }} options
 */
export function Quiet ({ quiet, onDone }) {
  const [problem, setProblem] = useState('')
  const [outcome, setOutcome] = useState('')
  const isFixed = quiet.origin === 'file'
  const [from, to] = (quiet.hours ?? USUAL).split('-')
  const store = async hours => {
    setProblem('')
    setOutcome('')
    try {
      await call('PATCH', 'messages/quiet', { hours, ...(hours !== null && { timeZone: ownZone() }) })
      setOutcome(t('messages.quiet.saved'))
      await onDone()
    } catch (error) {
      setProblem(t('messages.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  const time = (label, value, hoursOf) => html`<label>${label} <input type="time" required value=${value} disabled=${isFixed}
    onChange=${({ target }) => { if (target.value !== '') void store(hoursOf(target.value)) }} /></label>`
  return html`<section class="card" aria-labelledby="quiet-title">
    <header><h2 id="quiet-title">${t('messages.quiet')}</h2><span role="status" class="faint">${outcome}</span></header>
    <p class="faint">${t('messages.quiet.text')}</p>
    <label class="setting">${t('messages.quiet.on')} <input type="checkbox" checked=${quiet.hours !== null} disabled=${isFixed}
      onChange=${({ target }) => { void store(target.checked ? USUAL : null) }} /></label>
    ${quiet.hours !== null && html`<div class="times">
      ${time(t('messages.quiet.from'), from, value => `${value}-${to}`)}
      ${time(t('messages.quiet.to'), to, value => `${from}-${value}`)}
      ${quiet.timeZone && html`<small class="faint">${t('messages.quiet.zone', { zone: quiet.timeZone })}</small>`}</div>`}
    ${isFixed && html`<small class="faint">${t('messages.fromFile')}</small>`}
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
  </section>`
}
