import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { choose } from './printer-store.js'
import { html } from './lib.js'

/** How fresh what is shown is: `[word, class, detail]`. */
export function freshness ({ link, view, problem }) {
  if (link === 'lost') return ['No service', 'bad', 'The service does not answer; the values are out of date.']
  if (!view) return ['Waiting', 'warn', problem || 'This printer has not reported yet.']
  if (view.service === 'PAUSED') return ['Session paused', 'warn', 'The session is paused; the values are out of date.']
  if (view.service !== 'CONNECTED') return ['Offline', 'bad', problem || 'The printer is not connected; the values are out of date.']
  if (!view.isLive) return ['Stale', 'warn', 'The printer has not reported for a while; the values are out of date.']
  return link === 'live' ? ['Live', 'good', ''] : ['Polling', 'good', '']
}

const Chooser = ({ printers, printer }) => html`<label class="chooser"><span class="hidden">Printer</span>
  <select value=${printer} onChange=${event => choose(event.currentTarget.value)}>
    ${printers.map(name => html`<option key=${name} value=${name}>${name}</option>`)}
  </select></label>`

async function toggleSession (isPaused) {
  const wanted = isPaused || await confirm({
    title: 'Pause the session?',
    text: 'The service stops listening to the printer. A print continues, but it is not monitored.',
    action: 'Pause session'
  })
  if (wanted) await attempt(isPaused ? 'The session was resumed' : 'The session was paused', () => call('toggle_session'))
}

const Session = ({ view }) => html`<details class="menu"><summary aria-label="More">⋯</summary><div>
  ${has('trigger_printer_refresh') && html`<button type="button" onClick=${() =>
    attempt('Full state requested', () => call('trigger_printer_refresh'))}>Request full state</button>`}
  ${has('toggle_session') && html`<button type="button" onClick=${() => toggleSession(view?.service === 'PAUSED')}>
    ${view?.service === 'PAUSED' ? 'Resume session' : 'Pause session'}</button>`}
</div></details>`

/** The bar at the top. */
export function Head ({ state }) {
  const { printers, printer, view } = state
  const [word, look, detail] = freshness(state)
  return html`<header class="top">
    <h1 class=${printers.length > 1 ? 'hidden' : ''}>${printer || 'prn'}</h1>
    ${printers.length > 1 && html`<${Chooser} printers=${printers} printer=${printer} />`}
    ${view?.model && html`<span class="faint model">${view.model.replaceAll('_', ' ')}</span>`}
    <span class="space"></span>
    ${view?.door && html`<b class="badge warn">Door open</b>`}
    ${view?.wifi && html`<span class="faint wifi" title="Wi-Fi signal">${view.wifi}</span>`}
    <b class=${`badge ${look}`} role="status" title=${detail}>${word}</b>
    <${Session} view=${view} />
  </header>
  ${detail && html`<p class=${`strip ${look}`}>${detail}</p>`}`
}
