// A list of spools from a file: first what would happen, then the import.

import { Dialog } from 'components'
import { number, shell, t } from 'shell'
import { Field, html, useState } from './lib.js'

const SHOWN = 50

/** @param {Blob} file @param {Record<string, string>} params */
async function send (file, params) {
  const response = await fetch(`${shell.base}api/spools/import?${new URLSearchParams(params)}`, {
    method: 'POST', headers: { 'content-type': 'text/csv' }, body: await file.text()
  })
  const text = await response.text()
  let body
  try { body = JSON.parse(text) } catch { body = {} }
  if (!response.ok || body.status === 'error') throw new Error(body.reason ?? body.message ?? `HTTP ${response.status}`)
  return body
}

const problemText = ({ line, column, value, reason }) => column === ''
  ? t('spools.import.problem.row', { line: number(line), reason })
  : t('spools.import.problem', { line: number(line), column, value, reason })

function Plan ({ plan }) {
  const { added, changed, unchanged, broken, problems, ignored, new_types: types, new_places: places, format } = plan
  return html`<div class="plan"><p><b>${t(`spools.import.format.${format}`)}</b></p>
    <ul>${[['added', added], ['changed', changed], ['unchanged', unchanged], ['types', types], ['places', places]].map(([name, count]) =>
      html`<li key=${name}>${t(`spools.import.${name}`, { count: number(count) })}</li>`)}</ul>
    ${ignored.length > 0 && html`<p class="faint">${t('spools.import.ignored', { columns: ignored.join(', ') })}</p>`}
    ${problems.length > 0 && html`<p class="warn">${t('spools.import.broken', { count: number(broken) })}</p>
      <ul class="problems" aria-label=${t('spools.import.problems')}>${problems.slice(0, SHOWN).map((problem, at) => html`<li key=${at}>${problemText(problem)}</li>`)}
        ${problems.length > SHOWN && html`<li>${t('spools.import.more', { count: number(problems.length - SHOWN) })}</li>`}</ul>`}</div>`
}

export function Import ({ onClose, onDone }) {
  const [file, setFile] = useState(/** @type {any} */ (undefined))
  const [plan, setPlan] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [running, setRunning] = useState(0)
  const attempt = async work => {
    setProblem('')
    setRunning(count => count + 1)
    try {
      await work()
    } catch (error) {
      setProblem(t('spools.failed', { reason: /** @type {Error} */ (error).message }))
    } finally {
      setRunning(count => count - 1)
    }
  }
  const choose = ({ target }) => attempt(async () => {
    const [chosen] = target.files
    setPlan(undefined)
    setFile(chosen)
    if (chosen) setPlan(await send(chosen, {}))
  })
  const apply = () => attempt(async () => {
    setPlan(await send(file, { apply: 'true', ...(plan.broken > 0 && { skip_broken: 'true' }) }))
    await onDone()
  })
  const isDone = plan?.applied === true
  const count = plan ? plan.added + plan.changed : 0
  return html`<${Dialog} title=${t('spools.import')} onClose=${onClose}><div class="edit">
    <${Field} label=${t('spools.import.file')} hint=${t('spools.import.hint')}><input type="file" accept=".csv,.tsv,.txt,.json,text/csv,application/json" onChange=${choose} /><//>
    ${plan && html`<${Plan} plan=${plan} />`}
    ${isDone && html`<p class="note good" role="status">${t('spools.import.done', { count: number(count) })}</p>`}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t(isDone ? 'spools.ok' : 'spools.cancel')}</button>
      ${plan && !isDone && html`<button type="button" class="primary" disabled=${count === 0 || running > 0} onClick=${apply}>
        ${t(plan.broken > 0 ? 'spools.import.skip' : 'spools.import.apply', { count: number(count) })}</button>`}</div>
  </div><//>`
}
