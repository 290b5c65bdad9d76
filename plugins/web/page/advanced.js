import { t } from 'shell'
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
      title: t('printer.gcode.title'),
      text: t('printer.gcode.sure', { code: oneLine(text).replaceAll('|', ' · ').slice(0, 200) }),
      action: t('printer.gcode.send'),
      danger: true
    })
    if (yes) await attempt(t('printer.sent'), () => call('send_gcode', { gcode: oneLine(text) }))
  }
  return html`<details><summary>G-code</summary><form onSubmit=${send}>
    <p class="warn">${t('printer.gcode.warn')}</p>
    <label>${t('printer.gcode.lines')} <textarea rows="4" spellcheck="false" required value=${text}
      onInput=${event => setText(event.currentTarget.value)}></textarea></label>
    <div class="buttons end"><button class="danger" disabled=${busy}>${t('printer.gcode.ask')}</button></div>
    ${busy && html`<p class="faint">${t('printer.gcode.busy')}</p>`}</form></details>`
}

const MOST_CHARACTERS = 60_000

function Log () {
  const [text, setText] = useState('')
  const load = () => attempt('', async () => setText(String(await call('dump_log')).slice(-MOST_CHARACTERS) || t('printer.log.empty')))
  const clear = async () => {
    const yes = await confirm({
      title: t('printer.log.clear.title'), text: t('printer.log.clear.sure'), action: t('printer.log.clear.yes'), danger: true
    })
    if (yes && await attempt(t('printer.log.cleared'), () => call('truncate_log'))) await load()
  }
  return html`<details onToggle=${event => event.currentTarget.open && load()}><summary>${t('printer.log.service')}</summary>
    <div class="buttons small"><button type="button" onClick=${load}>${t('printer.refresh')}</button>
      ${has('truncate_log') && html`<button type="button" onClick=${clear}>${t('printer.log.clear')}</button>`}</div>
    <pre class="log" tabindex="0" aria-label=${t('printer.log')}>${text}</pre></details>`
}

/** Functions for experts. */
export const Advanced = ({ view }) => html`<${Card} id="advanced" title=${t('printer.advanced')}>
  ${has('send_gcode') && html`<${Gcode} busy=${view.job.isBusy} />`}
  ${has('dump_log') && html`<${Log} />`}<//>`
