// What happens after the button: how far it is, what came of it, and where it is printed.

import { call, hasPage, linkTo, number, shell, t } from 'shell'
import { durationText, html, useState } from './lib.js'

const MONEY = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** Steps of the service have names here; those of a slicer are shown as they are. */
const STEPS = new Set(['placing', 'slicing', 'writing', 'checking'])
const stepText = ({ state, step }) => state === 'waiting'
  ? t('slicing.waiting')
  : STEPS.has(step) ? t(`slicing.step.${step}`) : step

const Running = ({ job, onCancel }) => html`<section class="card" aria-label=${t('slicing.running')}>
  <p role="status"><b>${number(job.percent)} %</b> ${stepText(job)}</p>
  <progress max="100" value=${job.percent} aria-label=${t('slicing.running')} />
  <div class="buttons end"><button type="button" onClick=${onCancel}>${t('slicing.cancel')}</button></div></section>`

const Finding = ({ weight, message, remedy }) =>
  html`<p class=${`note ${weight === 'note' ? '' : 'warn'}`}>${message}. ${remedy}</p>`

function Done ({ job: { id, printer, result }, onAgain }) {
  const [queued, setQueued] = useState(/** @type {{ why?: string } | null} */ (null))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  // Twice in the queue is printed twice.
  const add = async () => {
    if (runs) return
    setRuns(true)
    await call('POST', 'queue', { file: result.file, printers: [printer] }).then(
      ({ state, printers }) => setQueued({ why: state === 'blocked' ? printers.find(one => one.printer === printer)?.reason : '' }),
      error => setProblem(error.message))
    setRuns(false)
  }
  return html`<section class="card done" aria-label=${t('slicing.done')}>
    <p class="amounts"><span><b>${durationText(result.seconds)}</b></span><span><b>${number(result.grams, { maximumFractionDigits: 1 })} g</b></span>
      <span><b>${t('slicing.layers', { count: result.layers })}</b></span>
      ${result.cost !== undefined && html`<span><b>${t('slicing.cost', { cost: number(result.cost, MONEY) })}</b></span>`}</p>
    <p class="faint">${t('slicing.by', { slicer: result.slicer })}</p>
    ${result.findings.map(finding => html`<${Finding} key=${finding.code} ...${finding} />`)}
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${queued && html`<p class=${`note ${queued.why ? 'warn' : 'good'}`} role="status">${queued.why
      ? t('slicing.blocked', { printer, reason: queued.why })
      : t('slicing.queued', { printer })}</p>`}
    <div class="buttons">
      ${queued === null
        ? html`<button type="button" class="primary" disabled=${runs} onClick=${add}>${t('slicing.queue', { printer })}</button>`
        : hasPage('queue') && html`<a class="button primary" href=${linkTo('queue')}>${t('slicing.toQueue')}</a>`}
      ${hasPage('plate') && html`<a class="button" href=${linkTo('plate', { printer, file: `library:${result.file}/${result.name}`, plate: '1' })}>
        ${t('slicing.look')}</a>`}
      <a class="button" download href=${`${shell.base}api/slicing/jobs/${id}/plate`}>${t('slicing.save')}</a>
      <button type="button" class="quiet" onClick=${onAgain}>${t('slicing.again')}</button></div></section>`
}

/** @param {{ job: any, onCancel: () => void, onAgain: () => void }} props */
export function Result ({ job, onCancel, onAgain }) {
  if (job.state === 'done') return html`<${Done} job=${job} onAgain=${onAgain} />`
  if (job.state === 'waiting' || job.state === 'running') return html`<${Running} job=${job} onCancel=${onCancel} />`
  return html`<section class="card"><p class="bad" role="alert">${job.error ?? t('slicing.cancelled')}</p>
    <div class="buttons"><button type="button" class="primary" onClick=${onAgain}>${t('slicing.back')}</button></div></section>`
}
