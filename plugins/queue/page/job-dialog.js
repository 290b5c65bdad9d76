// Everything about one job, and what can be done with it.

import { Dialog } from 'components'
import { call, callerName, dateTime, number, t, timeText } from 'shell'
import { bedWords, html, Picture, useEffect, useState, wordsOf } from './lib.js'
import { update } from './moves.js'
import { doneText, expectedText, hasParts } from './words.js'

/** Build plates that the job's files are sliced for. */
const bedsOf = job => [...new Set(job.files.map(file => bedWords(file.bed_type)).filter(Boolean))].join(', ')

const notesOf = job => [
  t('queue.by', { who: callerName(job.created_by), at: dateTime(job.created_at) }),
  bedsOf(job) !== '' && t('queue.bed', { bed: bedsOf(job) }),
  job.wanted_printers.length > 0 && t('queue.only', { printers: job.wanted_printers.join(', ') }),
  job.allow_low && t('queue.low'),
  hasParts(job.parts) && t('queue.parts.each', { parts: number(job.parts.per_copy), copies: number(job.copies) }),
  job.soak && t(`queue.soak.${job.soak.chamber === null ? 'bed' : 'chamber'}.is`, job.soak) + (job.soak.by === 'material' ? ` (${t('queue.soak.usual')})` : ''),
  job.not_before !== null && t('queue.notbefore', { at: dateTime(job.not_before) }),
  job.ended_at !== null && t('queue.ended', { at: timeText(job.ended_at) })
].filter(Boolean).join(' · ')

/** @param {any} job @param {string} act @param {boolean} [danger] */
const question = (job, act, danger) => ({
  title: t(`queue.act.${act}.title`, { job: job.name }),
  text: t(`queue.act.${act}.sure`),
  yes: t(`queue.act.${act}`),
  danger,
  run: () => update(job.id, { act })
})

/** Printers with the same reason are one line: a farm has hundreds. */
function reasonsOf (printers) {
  const found = new Map()
  for (const row of printers) {
    const words = wordsOf(row)
    found.set(words, [...found.get(words) ?? [], row.printer])
  }
  return [...found].sort(([, a], [, b]) => a.length - b.length)
}

const FEW = 8
const names = printers => printers.length > FEW
  ? `${printers.slice(0, FEW).join(', ')}, ${t('queue.runs.more', { count: printers.length - FEW })}`
  : printers.join(', ')

const Runs = ({ runs }) => runs.length > 0 && html`<ul class="reasons">${runs.slice(-FEW).map(({ id, printer, state, reason, ended_at: endedAt }) =>
  html`<li key=${id}><b>${printer}</b> ${t(`queue.run.${state}`)}${endedAt ? ` · ${timeText(endedAt)}` : ''}${reason === '' ? '' : ` · ${reason}`}</li>`)}</ul>`

const Why = ({ job }) => html`${job.reason !== '' && html`<p class="why">${wordsOf(job)}</p>`}
  ${job.printers.length > 0 && html`<details><summary>${t('queue.why', { count: job.printers.length })}</summary>
    <ul class="reasons">${reasonsOf(job.printers).map(([words, printers]) => html`<li key=${words}><b>${names(printers)}</b> ${words}</li>`)}</ul>
  </details>`}`

/** Copies and priority; sent together. */
function Amounts ({ job, act }) {
  const [changed, setChanged] = useState(false)
  const send = event => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    act(() => update(job.id, { copies: Number(data.get('copies')), priority: Number(data.get('priority')) }))
    setChanged(false)
  }
  return html`<form class="amounts" onSubmit=${send} onInput=${() => setChanged(true)}>
    <label class="field"><span>${t('queue.copies')}</span><input type="number" name="copies" min="1" max="1000" defaultValue=${job.copies} required /></label>
    <label class="field"><span>${t('queue.priority')}</span><input type="number" name="priority" min="-100" max="100" defaultValue=${job.priority} required /></label>
    <button disabled=${!changed}>${t('queue.change')}</button>
  </form>`
}

function Actions ({ job, ask, act }) {
  const does = (name, run, type = '') => html`<button type="button" class=${type}
    aria-label=${`${t(`queue.act.${name}`)}: ${job.name}`} onClick=${run}>${t(`queue.act.${name}`)}</button>`
  const isOpen = job.ended_at === null
  return html`<div class="buttons">
    ${isOpen && does('top', () => act(() => update(job.id, { before: 'first' })))}
    ${isOpen && does('last', () => act(() => update(job.id, { before: 'last' })))}
    ${isOpen && (job.held
      ? does('release', () => ask(question(job, 'release')))
      : does('hold', () => act(() => update(job.id, { act: 'hold' }))))}
    ${job.state !== 'done' && (!isOpen || job.printers.some(({ why }) => why?.code.startsWith('failed_here'))) &&
      does('retry', () => ask(question(job, 'retry')))}
    ${isOpen && does('cancel', () => ask(question(job, 'cancel', true)), 'danger')}
  </div>`
}

/**
 * @param {{ id: string, board: any, ask: (question: any) => void, act: (work: () => Promise<unknown>) => Promise<void>,
 *   onClose: () => void }} props loads the job again with each board
 */
export function JobDialog ({ id, board, ask, act, onClose }) {
  const [job, setJob] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isOver = false
    call('GET', `queue/jobs/${id}`).then(found => { if (!isOver) setJob(found) }, error => { if (!isOver) setProblem(error.message) })
    return () => { isOver = true }
  }, [id, board])
  const [file] = job?.files ?? []
  return html`<${Dialog} title=${job?.name ?? t('queue.job')} onClose=${onClose}>
    ${problem !== '' && html`<p class="bad" role="alert">${t('queue.failed', { reason: problem })}</p>`}
    ${job && html`<div class="about-job">
      <div class="about-head">${file && html`<${Picture} file=${file.id} plate=${file.plate} />`}
        <div class="what"><b>${doneText(job)}</b>
          <span>${job.held ? t('queue.held') : t(`queue.state.${job.state}`)}</span>
          ${!job.held && html`<span class="faint">${expectedText(job.expected, job.waiting)}</span>`}</div></div>
      <${Runs} runs=${job.runs} />
      <${Why} job=${job} />
      ${job.note !== '' && html`<p class="note">${job.note}</p>`}
      <small class="faint">${notesOf(job)}</small>
      ${job.ended_at === null && html`<${Amounts} key=${`${job.copies} ${job.priority}`} job=${job} act=${act} />`}
      <${Actions} job=${job} ask=${ask} act=${act} />
    </div>`}
  <//>`
}
