// Quiet hours for all places: one form, saved as a whole.

import { useEffect, useRef, useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from './lib.js'

const USUAL = '22:00-07:00'
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Hours that were never set follow the clock of whoever sets them; others keep their zone. */
const firstZone = ({ hours, timeZone }) => timeZone ?? (hours === null ? ownZone() : null)

/** @param {FormData} data @returns {string | null} null for none */
const hoursIn = data => data.has('quiet') ? `${data.get('from')}-${data.get('to')}` : null

function Hours ({ hours, zone, onZone }) {
  const [from, to] = hours.split('-')
  return html`<div class="times">
    <label>${t('messages.quiet.from')} <input type="time" name="from" required defaultValue=${from} /></label>
    <label>${t('messages.quiet.to')} <input type="time" name="to" required defaultValue=${to} /></label>
    <small class="faint">${t('messages.quiet.zone', { zone: zone ?? t('messages.quiet.zone.machine') })}</small>
    ${zone !== ownZone() && html`<button type="button" class="small" onClick=${() => onZone(ownZone())}>${t('messages.quiet.zone.own')}</button>`}</div>`
}

/**
 * @param {{ quiet: { hours: string | null, timeZone: string | null, origin: string }, onDone: () => unknown }} options
 */
export function Quiet ({ quiet, onDone }) {
  const form = useRef(/** @type {any} */ (null))
  const busy = useRef(false)
  /** Switched off and on again, the hours are those from before. */
  const last = useRef(USUAL)
  if (quiet.hours !== null) last.current = quiet.hours
  const [isOn, setOn] = useState(quiet.hours !== null)
  const [zone, setZone] = useState(firstZone(quiet))
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState('')
  const [outcome, setOutcome] = useState('')
  const isFixed = quiet.origin === 'file'
  const compare = () => {
    const hours = form.current ? hoursIn(new FormData(form.current)) : quiet.hours
    setChanged(hours !== quiet.hours || (hours !== null && zone !== quiet.timeZone))
  }
  useEffect(compare)
  const save = async event => {
    event.preventDefault()
    if (busy.current) return
    busy.current = true
    setProblem('')
    setOutcome('')
    try {
      await call('PATCH', 'messages/quiet', { hours: hoursIn(new FormData(event.currentTarget)), ...(zone !== null && { timeZone: zone }) })
      setOutcome(t('messages.quiet.saved'))
      await onDone()
    } catch (error) {
      setProblem(t('messages.failed', { reason: /** @type {Error} */ (error).message }))
    } finally {
      busy.current = false
    }
  }
  return html`<section class="card" aria-labelledby="quiet-title">
    <header><h2 id="quiet-title">${t('messages.quiet')}</h2><span role="status" class="faint">${outcome}</span></header>
    <p class="faint">${t('messages.quiet.text')}</p>
    <form ref=${form} onSubmit=${save} onInput=${compare}><fieldset class="place" disabled=${isFixed}>
      <label class="setting">${t('messages.quiet.on')} <input type="checkbox" name="quiet" checked=${isOn}
        onInput=${({ target }) => setOn(target.checked)} /></label>
      ${isOn && html`<${Hours} hours=${last.current} zone=${zone} onZone=${setZone} />`}
      ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
      ${isFixed
        ? html`<small class="faint">${t('messages.fromFile')}</small>`
        : html`<div class="buttons"><button disabled=${!isChanged}>${t('messages.save')}</button></div>`}</fieldset></form>
  </section>`
}
