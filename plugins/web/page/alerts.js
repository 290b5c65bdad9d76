import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Card } from './ui.js'
import { words } from './format.js'
import { html } from './lib.js'
import { lookOf } from './model.js'

/** Only addresses of the web are links, whatever the printer says. */
const isLink = url => /^https:\/\//.test(url ?? '')

const clear = view => attempt('Error cleared', () => call('clear_print_error', { print_error: view.printError, subtask_id: '' }))

/** What a button of the printer's own dialogue may send from here. */
const COMMANDS = {
  resume: () => attempt('Sent', () => call('send_ams_control_command', { cmd: 'resume' })),
  done: () => attempt('Sent', () => call('send_ams_control_command', { cmd: 'done' })),
  abort: () => attempt('Sent', () => call('send_ams_control_command', { cmd: 'abort' })),
  clean_print_error: clear
}

const canSend = command => Object.hasOwn(COMMANDS, command) &&
  (command === 'clean_print_error' ? has('clear_print_error') : takes('send_ams_control_command', 'cmd', command))

async function act (action, view) {
  const yes = await confirm({ title: `${action.label}?`, text: "This answers the dialog on the printer's screen.", action: action.label })
  if (yes) await COMMANDS[action.command](view)
}

const Fault = ({ fault, view }) => html`<li class=${lookOf(fault)}>
  <p><b>${fault.detail || fault.msg}</b>${fault.count > 1 && html` <span class="badge">× ${fault.count}</span>`}</p>
  <p class="faint">${fault.severity} · ${fault.module} · <code>${fault.code}</code>
    ${isLink(fault.url) && html` · <a href=${fault.url} target="_blank" rel="noreferrer noopener">What to do</a>`}</p>
  ${(fault.actions ?? []).filter(({ command }) => canSend(command)).map(action => html`
    <button key=${action.id} type="button" class="small" onClick=${() => act(action, view)}>${action.label}</button>`)}
</li>`

const timeOf = alert => new Date(alert.timestamp).toLocaleTimeString()
/** @param {{ type: string, payload?: any }} alert */
const titleOf = ({ type, payload }) => type === 'job_failed' && payload?.cancelled ? 'Job cancelled' : words(type)
/** @param {{ payload?: any }} alert */
const textOf = ({ payload = {} }) => payload.stage_name || payload.subtask_name ||
  (payload.errors ?? []).map(({ description, code }) => description || code).join('; ')

const Recent = ({ alerts }) => html`<details class="recent"><summary>Recent (${alerts.length})</summary><ul>
  ${alerts.map((alert, at) => html`<li key=${at}><time class="faint">${timeOf(alert)}</time> <b>${titleOf(alert)}</b>
    ${textOf(alert) ? ` – ${textOf(alert)}` : ''}</li>`)}</ul></details>`

/** Listed by the printer, but by the order of its list not active. */
const Past = ({ faults }) => html`<details class="recent"><summary>Not active (${faults.length})</summary><ul>
  ${faults.map(({ code, detail, msg, url }) => html`<li key=${code}>${detail || msg} <code class="faint">${code}</code>
    ${isLink(url) && html` · <a href=${url} target="_blank" rel="noreferrer noopener">What to do</a>`}</li>`)}</ul></details>`

/** The card is as loud as its most serious fault. @param {readonly any[]} faults */
function loudness (faults) {
  const looks = faults.map(lookOf)
  return looks.includes('bad') ? 'loud' : looks.includes('warn') ? 'loud warn' : ''
}

/** What is wrong now, and what happened while the page was open. */
export function Alerts ({ view, alerts }) {
  const hasError = view.printError !== 0 && has('clear_print_error')
  const button = hasError && html`<button type="button" class="small" onClick=${() => clear(view)}>Clear error</button>`
  return html`<${Card} id="alerts" title="Alerts" className=${loudness(view.faults)} extra=${button}>
    <div aria-live="assertive">${view.faults.length === 0
      ? html`<p class="faint">No problems.</p>`
      : html`<ul class="faults">${view.faults.map(fault => html`<${Fault} key=${fault.code} fault=${fault} view=${view} />`)}</ul>`}</div>
    ${view.pastFaults.length > 0 && html`<${Past} faults=${view.pastFaults} />`}
    ${alerts.length > 0 && html`<${Recent} alerts=${alerts} />`}
  <//>`
}
