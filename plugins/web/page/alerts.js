import { alertDetail, alertTitle, hasText, t, timeText } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { words } from '../../shell/page/format.js'
import { IgnoreButton, IgnoredFaults } from './ignored-faults.js'
import { html } from './lib.js'
import { toneOf } from './model.js'
import { desk, meantJob } from './printer-store.js'

/** Only https addresses become links, whatever the printer reports. */
const isLink = url => /^https:\/\//.test(url ?? '')

const clear = (view, dialogue = {}) => attempt(t('printer.alerts.cleared'),
  () => call('clear_print_error', { print_error: view.printError, subtask_id: '', ...dialogue }))
const send = (cmd, dialogue) => attempt(t('printer.sent'), () => call('send_ams_control_command', { cmd, ...dialogue }))

/** What is sent for the buttons of the printer's own dialog. */
const COMMANDS = {
  resume: (_view, dialogue) => send('resume', dialogue),
  done: (_view, dialogue) => send('done', dialogue),
  abort: (_view, dialogue) => send('abort', dialogue),
  clean_print_error: clear
}

const routeOf = command => command === 'clean_print_error' ? 'clear_print_error' : 'send_ams_control_command'

/** Which dialogue is meant, for a service that compares it. */
const meantDialogue = (command, { code }, { job }) => takes(routeOf(command), 'fault')
  ? { fault: code, ...meantJob(routeOf(command), job) }
  : {}

const canSend = command => Object.hasOwn(COMMANDS, command) &&
  (command === 'clean_print_error' ? has('clear_print_error') : takes('send_ams_control_command', 'cmd', command))

/** The printer shows another dialogue by now, or none, or it is another printer: the answer is not for that. */
function isGone (code, { printer, start }) {
  const { printer: shown, view } = desk.get()
  return shown !== printer || view?.job.start !== start || !view?.faults.some(fault => fault.code === code)
}

async function act (action, fault, view) {
  const asked = { printer: desk.get().printer, start: view.job.start }
  const yes = await confirm({
    title: t('printer.alerts.answer', { action: action.label }),
    text: t('printer.alerts.answer.why'),
    action: action.label,
    isStale: () => isGone(fault.code, asked)
  })
  if (yes) await COMMANDS[action.command](view, meantDialogue(action.command, fault, view))
}

const wordOf = (key, other) => hasText(key) ? t(key) : words(other)

const Help = ({ url }) => isLink(url) && html` · <a href=${url} target="_blank" rel="noreferrer noopener">${t('printer.alerts.todo')}</a>`

const Fault = ({ fault, view }) => html`<li class=${toneOf(fault)}>
  <p><b>${fault.detail || fault.msg}</b>${fault.count > 1 && html` <span class="badge">× ${fault.count}</span>`}</p>
  <p class="faint">${wordOf(`printer.severity.${fault.severity}`, fault.severity)} · ${fault.module} · <code>${fault.code}</code>
    <${Help} url=${fault.url} /></p>
  ${(fault.actions ?? []).filter(({ command }) => canSend(command)).map(action => html`
    <button key=${action.id} type="button" class="small" onClick=${() => act(action, fault, view)}>${action.label}</button>`)}
  <${IgnoreButton} fault=${fault} />
</li>`

const Recent = ({ alerts }) => html`<details class="recent"><summary>${t('printer.alerts.recent', { number: alerts.length })}</summary><ul>
  ${alerts.map((alert, at) => html`<li key=${at}><time class="faint">${timeText(alert.timestamp)}</time> <b>${alertTitle(alert)}</b>
    ${alertDetail(alert) ? ` – ${alertDetail(alert)}` : ''}</li>`)}</ul></details>`

/** Faults that the printer lists but that are no longer active. */
const Past = ({ faults }) => html`<details class="recent"><summary>${t('printer.alerts.past', { number: faults.length })}</summary><ul>
  ${faults.map(({ code, detail, msg, url }) => html`<li key=${code}>${detail || msg} <code class="faint">${code}</code>
    <${Help} url=${url} /></li>`)}</ul></details>`

/** Emphasis of the card, by its most serious fault. @param {readonly any[]} faults */
function loudness (faults) {
  const tones = faults.map(toneOf)
  return tones.includes('bad') ? 'loud' : tones.includes('warn') ? 'loud warn' : 'thin'
}

/** Current faults, and alerts since the page was opened; a single line when there are none. */
export function Alerts ({ view, alerts }) {
  const seen = [...view.faults, ...view.ignoredFaults].map(({ code, ignored }) => `${code}${ignored === true}`).join()
  const isQuiet = view.faults.length + view.pastFaults.length + view.ignoredFaults.length + alerts.length === 0
  const hasError = view.printError !== 0 && has('clear_print_error')
  return html`<section class=${isQuiet && !hasError ? 'hidden' : `card ${loudness(view.faults)}`} aria-labelledby="alerts-title" id="alerts">
    <header><h2 id="alerts-title">${t('printer.alerts')}</h2>
      ${hasError && html`<button type="button" class="small" onClick=${() => clear(view)}>${t('printer.alerts.clear')}</button>`}</header>
    <div aria-live="assertive">${view.faults.length === 0
      ? html`<p class="faint">${t('printer.alerts.none')}</p>`
      : html`<ul class="faults">${view.faults.map(fault => html`<${Fault} key=${fault.code} fault=${fault} view=${view} />`)}</ul>`}</div>
    <${IgnoredFaults} seen=${seen} />
    ${view.pastFaults.length > 0 && html`<${Past} faults=${view.pastFaults} />`}
    ${alerts.length > 0 && html`<${Recent} alerts=${alerts} />`}
  </section>`
}
