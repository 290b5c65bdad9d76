// The broker through which Home Assistant sees the printers: its state, and the form that changes it.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, dateTime, t } from 'shell'
import { Dialog, html } from 'components'
import { BrokerForm } from './form.js'
import { problemText } from './problems.js'

const EVERY_MS = 3_000
const FORBIDDEN = 403

/** @param {any} state @returns {{ word: string, tone: string }} */
const wordOf = ({ connected_at: connectedAt, failure }) => {
  if (connectedAt !== null) return { word: 'connected', tone: 'good' }
  return failure === null ? { word: 'connecting', tone: 'busy' } : { word: 'failed', tone: 'bad' }
}

/** @param {{ view: any, onDisconnect: () => void }} options */
function State ({ view: { state, settings, origin }, onDisconnect }) {
  const { connected_at: connectedAt, failure } = state
  const { word, tone } = wordOf(state)
  const failed = failure && problemText(failure)
  return html`<section class="card" aria-labelledby="state-title">
    <header><h2 id="state-title">${t('homeassistant.state')}</h2><span class=${`badge ${tone}`} role="status">${t(`homeassistant.state.${word}`)}</span></header>
    <div class="row"><div class="row-main"><b>${settings.host}:${settings.port}</b>
      ${connectedAt !== null && html`<small>${t('homeassistant.since', { time: dateTime(connectedAt) })}</small>`}
      ${failure && (connectedAt === null
        ? html`<small class="problem">${failed} ${t('homeassistant.retries')}</small>`
        : html`<small>${t('homeassistant.lastFailure', { time: dateTime(failure.at), reason: failed })}</small>`)}</div>
      ${origin === 'stored' && html`<div class="row-end"><button type="button" onClick=${onDisconnect}>${t('homeassistant.disconnect')}</button></div>`}
    </div></section>`
}

/** @param {{ onClose: () => void, onDone: () => Promise<void> }} options */
function Disconnect ({ onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const remove = async () => {
    try {
      await call('DELETE', 'homeassistant')
      await onDone()
      onClose()
    } catch (error) {
      setProblem(t('homeassistant.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  return html`<${Dialog} title=${t('homeassistant.disconnect.title')} onClose=${onClose}><p>${t('homeassistant.disconnect.means')}</p>
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('homeassistant.cancel')}</button>
      <button type="button" class="danger" onClick=${remove}>${t('homeassistant.disconnect')}</button></div><//>`
}

function HomeAssistant () {
  const [view, setView] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const [asks, setAsks] = useState(false)
  const [removals, setRemovals] = useState(0)
  const refresh = async () => {
    try {
      setView(await call('GET', 'homeassistant'))
      setProblem('')
    } catch (error) {
      const { status, message } = /** @type {any} */ (error)
      setProblem(status === FORBIDDEN ? t('homeassistant.forbidden') : t('homeassistant.failed', { reason: message }))
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void refresh() }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  if (view === null) return problem === '' ? '' : html`<p class="note warn" role="alert">${problem}</p>`
  return html`${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    ${view.state !== null && view.settings !== null && html`<${State} view=${view} onDisconnect=${() => setAsks(true)} />`}
    <${BrokerForm} key=${removals} view=${view} onDone=${refresh} />
    ${asks && html`<${Disconnect} onClose=${() => setAsks(false)} onDone=${async () => {
      await refresh()
      setRemovals(removals + 1)
    }} />`}`
}

render(html`<${HomeAssistant} />`, /** @type {any} */ (document.getElementById('homeassistant')))
