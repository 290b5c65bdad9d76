import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { Card } from './ui.js'
import { html, useState } from './lib.js'

const oneLine = text => text.split('\n').map(line => line.trim()).filter(Boolean).join('|')

function Gcode ({ busy }) {
  const [text, setText] = useState('')
  const send = async event => {
    event.preventDefault()
    const yes = await confirm({
      title: 'Send this G-code?',
      text: `The printer executes it at once, without any check: ${oneLine(text).replaceAll('|', ' · ').slice(0, 200)}`,
      action: 'Send',
      danger: true
    })
    if (yes) await attempt('Sent', () => call('send_gcode', { gcode: oneLine(text) }))
  }
  return html`<details><summary>G-code</summary><form onSubmit=${send}>
    <p class="warn">It is sent to the printer unchecked. Wrong movements and temperatures can damage the printer.</p>
    <label>Commands, one per line <textarea rows="4" spellcheck="false" required value=${text}
      onInput=${event => setText(event.currentTarget.value)}></textarea></label>
    <div class="buttons end"><button class="danger" disabled=${busy}>Send …</button></div>
    ${busy && html`<p class="faint">Not available during a job.</p>`}</form></details>`
}

const MOST_CHARACTERS = 60_000

function Log () {
  const [text, setText] = useState('')
  const load = () => attempt('', async () => setText(String(await call('dump_log')).slice(-MOST_CHARACTERS) || 'The log is empty.'))
  const clear = async () => {
    const yes = await confirm({ title: 'Clear the log?', text: 'The log of the service will be lost.', action: 'Clear', danger: true })
    if (yes && await attempt('Log cleared', () => call('truncate_log'))) await load()
  }
  return html`<details onToggle=${event => event.currentTarget.open && load()}><summary>Service log</summary>
    <div class="buttons small"><button type="button" onClick=${load}>Refresh</button>
      ${has('truncate_log') && html`<button type="button" onClick=${clear}>Clear …</button>`}</div>
    <pre class="log" tabindex="0" aria-label="Log">${text}</pre></details>`
}

/** For experts. */
export const Advanced = ({ view }) => html`<${Card} id="advanced" title="Advanced">
  ${has('send_gcode') && html`<${Gcode} busy=${view.job.isBusy} />`}
  ${has('dump_log') && html`<${Log} />`}<//>`
