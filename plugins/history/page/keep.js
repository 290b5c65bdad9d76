// How long prints and their telemetry are kept, and what a shorter time would delete.

import { Dialog } from 'components'
import { call, number, shell, t } from 'shell'
import { sizeText } from '../../shell/page/format.js'
import { html, useAnswer, useEffect, useState } from './lib.js'

const TYPING_MS = 300
const MIB = 1024 * 1024
const FIELDS = { keep_days: 'prints', keep_telemetry_days: 'telemetry', keep_telemetry_mib: 'room' }

const daysText = days => days === 0 ? t('history.keep.forever') : t('history.keep.days', { count: days, days: number(days) })
const roomText = mib => mib === 0 ? t('history.keep.nolimit') : sizeText(mib * MIB)

/** Empty is no limit. @param {any} form */
const limitsIn = form =>
  Object.fromEntries(Object.keys(FIELDS).map(name => [name, Number(new FormData(form).get(name) || 0)]))

const Field = ({ name, value, onInput }) => html`<label class="field"><span>${t(`history.keep.${FIELDS[name]}`)}</span>
  <span class="unit"><input type="number" name=${name} min="0" max=${name === 'keep_telemetry_mib' ? 100_000_000 : 36_500} step="1" inputmode="numeric"
    defaultValue=${value === 0 ? '' : value} placeholder="∞" onInput=${onInput} /> ${t(`history.keep.${FIELDS[name]}.unit`)}</span></label>`

/** What the limits in the form would delete, some time after the last key. */
function useEffectOf (limits) {
  const [gone, setGone] = useState(/** @type {any} */ (null))
  const key = JSON.stringify(limits)
  useEffect(() => {
    let isWanted = true
    setGone(null)
    const timer = setTimeout(() => {
      call('GET', 'history/keeping/effect', limits).then(answer => { if (isWanted) setGone(answer) }, () => {})
    }, TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key])
  return gone
}

function goneText ({ prints, telemetry_bytes: bytes }) {
  const parts = [
    prints > 0 && t('history.keep.gone.prints', { count: prints, number: number(prints) }),
    bytes > 0 && t('history.keep.gone.telemetry', { size: sizeText(bytes) })
  ].filter(Boolean)
  return parts.length === 0 ? '' : t('history.keep.gone', { what: parts.join(', ') })
}

function KeepDialog ({ view, onClose, onDone }) {
  const [limits, setLimits] = useState(() => Object.fromEntries(Object.keys(FIELDS).map(name => [name, view[name]])))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const gone = useEffectOf(limits)
  const warning = gone === null ? '' : goneText(gone)
  const save = async event => {
    event.preventDefault()
    if (runs || gone === null) return
    setRuns(true)
    try {
      await call('PATCH', 'history/keeping', limitsIn(event.currentTarget))
      onClose()
      onDone()
    } catch (error) {
      setProblem(t('history.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  const onInput = ({ target: { form } }) => { if (form.checkValidity()) setLimits(limitsIn(form)) }
  return html`<${Dialog} title=${t('history.keep')} onClose=${onClose}><form class="ask" onSubmit=${save}>
    <p class="faint">${t('history.keep.hint')}</p>
    ${Object.keys(FIELDS).map(name => html`<${Field} key=${name} name=${name} value=${view[name]} onInput=${onInput} />`)}
    <p class=${`note${warning === '' ? '' : ' warn'}`} role="status">${gone === null ? '…' : warning || t('history.keep.gone.none')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('history.no')}</button>
      <button class=${warning === '' ? 'primary' : 'danger'} disabled=${runs || gone === null}>${t(warning === '' ? 'history.prices.save' : 'history.keep.delete')}</button></div>
  </form><//>`
}

const Fact = ({ name, value, used }) => html`<div><dt>${t(`history.keep.${name}`)}</dt><dd>${value}${used !== '' && html`<small class="faint">${used}</small>`}</dd></div>`

/** @param {{ onDone: () => void }} props called after a change */
export function Keep ({ onDone }) {
  const [turn, setTurn] = useState(0)
  const [open, setOpen] = useState(false)
  const { body: view } = useAnswer(() => call('GET', 'history/keeping'), String(turn))
  if (!view) return null
  const { origin, may_change: mayChange, prints, oldest_at: oldest, telemetry_bytes: bytes } = view
  const since = oldest === null ? '' : new Date(oldest).toLocaleDateString(shell.language, { dateStyle: 'medium' })
  return html`<section class="card" aria-labelledby="keep-title">
    <header><h2 id="keep-title">${t('history.keep')}</h2>${mayChange && origin !== 'file' &&
      html`<button type="button" class="small" onClick=${() => setOpen(true)}>${t('history.prices.edit')}</button>`}</header>
    <dl class="priced"><${Fact} name="prints" value=${daysText(view.keep_days)} used=${since === '' ? '' : t('history.keep.since', { count: prints, number: number(prints), date: since })} />
      <${Fact} name="telemetry" value=${daysText(view.keep_telemetry_days)} used="" />
      <${Fact} name="room" value=${roomText(view.keep_telemetry_mib)} used=${t('history.keep.used', { size: sizeText(bytes) })} /></dl>
    ${origin === 'file' && html`<p class="note">${t('history.keep.file')}</p>`}
    ${open && html`<${KeepDialog} view=${view} onClose=${() => setOpen(false)} onDone=${() => { setTurn(turn + 1); onDone() }} />`}
  </section>`
}
