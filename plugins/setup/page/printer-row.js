// A configured printer in the list: its state, what is wrong, and what can be done.

import { useState } from 'preact/hooks'
import { PrinterDrawing } from 'printer-drawing'
import { call, linkTo, modelName, t } from 'shell'
import { html } from 'components'
import { Question } from './question.js'
import { failureOf, problemText } from './problems.js'

const WAIT_MS = 60_000
const TONES = { connected: 'good', connecting: 'busy', failed: 'bad', paused: '', stopped: '' }
/** A printer that is only switched off is no fault. */
const AWAY = new Set(['unreachable', 'connection_lost'])

const toneOf = ({ state, problem }) => state === 'failed' && AWAY.has(problem?.code) ? 'warn' : TONES[state]

/** What is wrong, in words. @param {{ printer: any, children?: any }} options children: what can be done about it */
function Trouble ({ printer, children }) {
  const { problem, developer_mode: developerMode, state } = printer
  if (problem === null) return developerMode === 'off' ? html`<p class="note warn">${t('printers.watch')}</p>` : ''
  const tone = state === 'connected' ? 'warn' : AWAY.has(problem.code) ? '' : 'bad'
  return html`<div class=${`note ${tone}`}><p>${problemText(problem.code, problem.message)}</p>${children}</div>`
}

/** Tests a printer over its session. @param {string} name @param {() => unknown} onDone */
function useTest (name, onDone) {
  const [runs, setRuns] = useState(false)
  const [problem, setProblem] = useState('')
  const test = async accept => {
    setRuns(true)
    setProblem('')
    await call('POST', 'setup/printers/test', { name, accept }, { waitMs: WAIT_MS })
      .catch(error => setProblem(failureOf(error).text))
    await onDone()
    setRuns(false)
  }
  return { runs, problem, test }
}

/** @param {{ printer: any, edit: (printer: any) => void, remove: (printer: any) => void,
 *   refresh: () => unknown }} options */
export function PrinterRow ({ printer, edit, remove, refresh }) {
  const { name, model, host, firmware, state, virtual, held_by: holder, problem } = printer
  const { runs, problem: failure, test } = useTest(name, refresh)
  const known = model === 'UNKNOWN' ? '' : modelName(model)
  const facts = [known, virtual ? t('printers.virtual.where') : host, firmware && t('printers.firmware', { version: firmware }), holder && t('printers.held', { service: holder })]
  const button = (what, act, more = {}) => html`<button type="button" class="small" aria-label=${`${t(`printers.${what}`)}: ${name}`} onClick=${act} ...${more}>${t(`printers.${what}`)}</button>`
  return html`<li class="row">
    <span class="row-picture"><${PrinterDrawing} model=${model} /></span>
    <span class="row-main"><b><a href=${linkTo('printer', { printer: name })}>${name}</a></b><small>${facts.filter(Boolean).join(' · ')}</small></span>
    <span class="row-end"><span class=${`badge ${runs ? 'busy' : toneOf(printer)}`}>${t(runs ? 'printers.tests' : `printers.state.${state}`)}</span>
      ${virtual && html`<span class="badge">${t('printers.virtual')}</span>`}
      ${!virtual && holder === null && html`<span class="buttons">
        ${button('test', () => test(false), { disabled: runs })}${button('edit', () => edit(printer))}${button('remove', () => remove(printer), { class: 'small quiet' })}</span>`}
    </span>
    <${Trouble} printer=${printer}>${problem?.code === 'certificate_changed' && html`<div class="buttons">
      <button type="button" class="small" disabled=${runs} onClick=${() => test(true)}>${t('printers.accept')}</button></div>`}<//>
    ${failure !== '' && html`<p class="note bad" role="alert">${failure}</p>`}
  </li>`
}

/** @param {{ printer: any, onClose: () => void, onDone: (name: string) => void }} options */
export function RemovePrinter ({ printer: { name }, onClose, onDone }) {
  const [runs, setRuns] = useState(false)
  const [problem, setProblem] = useState('')
  const remove = async () => {
    setRuns(true)
    try {
      await call('DELETE', 'setup/printers', { name })
      onDone(name)
    } catch (error) {
      setProblem(failureOf(error).text)
      setRuns(false)
    }
  }
  return html`<${Question} title=${t('printers.remove.of', { name })} text=${t('printers.remove.means')} yes=${t('printers.remove')}
    ...${{ problem, runs, onClose }} onYes=${remove} />`
}
