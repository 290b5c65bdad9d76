import { dateTime, t } from 'shell'
import { attempt } from './dialogs.js'
import { ApiError, call, has, request } from './api.js'
import { Dialog } from './dialog.js'
import { Card } from './ui.js'
import { html, useEffect, useState } from './lib.js'

const PATH = 'plugins/management'
const SINCE_MS = 60_000

/**
 * A call that is allowed only on the service's machine. It answers with one line of JSON for each step.
 * @param {string} act @param {Record<string, unknown>} params
 */
async function manage (act, params) {
  const response = await request(`${PATH}/${act}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params)
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, t('printer.error', { status: response.status }))
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}')
  if (last.error) throw new ApiError(response.status, last.error.message)
  return last.output
}

/** Whether the service lets this browser manage printers. */
function useManages () {
  const [may, setMay] = useState(/** @type {boolean | undefined} */ (undefined))
  useEffect(() => {
    let gone = false
    request(PATH).then(({ ok }) => gone || setMay(ok), () => gone || setMay(false))
    return () => { gone = true }
  }, [])
  return may
}

/** When the printer last reported; empty when unknown. */
function useSince (printer) {
  const [since, setSince] = useState('')
  useEffect(() => {
    if (!has('fleet')) return
    let gone = false
    const ask = () => call('fleet').then(({ printers }) =>
      gone || setSince(printers.find(({ name }) => name === printer)?.since ?? ''), () => {})
    void ask()
    const timer = setInterval(ask, SINCE_MS)
    return () => { gone = true; clearInterval(timer) }
  }, [printer])
  return since
}

function Edit ({ printer, onClose }) {
  const [host, setHost] = useState('')
  const [code, setCode] = useState('')
  const [runs, setRuns] = useState(false)
  const send = async event => {
    event.preventDefault()
    setRuns(true)
    const change = { name: printer, ...(host !== '' && { host }), ...(code !== '' && { accessCode: code }) }
    const done = await attempt(t('printer.offline.saved'), () => manage('update', change))
    setRuns(false)
    if (done) onClose()
  }
  return html`<${Dialog} title=${t('printer.offline.edit')} onClose=${onClose}><form onSubmit=${send}>
    <label>${t('printer.offline.host')} <input type="text" maxlength="253" autocomplete="off" spellcheck="false" value=${host}
      onInput=${event => setHost(event.currentTarget.value.trim())} /></label>
    <label>${t('printer.offline.code')} <input type="password" maxlength="64" autocomplete="off" value=${code}
      onInput=${event => setCode(event.currentTarget.value.trim())} /></label>
    <p class="warn">${t('printer.offline.edit.sure')}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
      <button class="primary" disabled=${runs || (host === '' && code === '')}>${t('printer.save')}</button></div>
  </form><//>`
}

/** Why the state is out of date, since when, and how to fix it. */
export function Offline ({ printer, problem }) {
  const may = useManages()
  const since = useSince(printer)
  const [edits, setEdits] = useState(false)
  const [test, setTest] = useState(/** @type {any} */ (undefined))
  const ask = async () => {
    setTest({ lines: [t('printer.offline.testing')], good: true, runs: true })
    setTest(await manage('test', { name: printer }).catch(error => ({ good: false, lines: [error.message] })))
  }
  return html`<${Card} id="offline" title=${t('printer.offline.title')} className="loud warn">
    ${problem && html`<p>${problem}</p>`}
    ${since && html`<p>${t('printer.offline.since', { time: dateTime(since) })}</p>`}
    ${may && html`<div class="buttons">
      <button type="button" onClick=${ask} disabled=${test?.runs === true}>${t('printer.offline.test')}</button>
      <button type="button" onClick=${() => setEdits(true)}>${t('printer.offline.edit')} …</button></div>`}
    ${may === false && html`<p class="faint">${t('printer.offline.elsewhere')}</p>`}
    ${test && html`<ul class="plain" role="status">${test.lines.map((line, at) => html`<li key=${at}>${line}</li>`)}</ul>`}
    ${edits && html`<${Edit} printer=${printer} onClose=${() => setEdits(false)} />`}
  <//>`
}
