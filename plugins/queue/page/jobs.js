// The ordered list of jobs, with drag and drop.

import { call, clock, dateTime, number, t } from 'shell'
import { bedWords, html, Icon, Picture, useState, wordsOf } from './lib.js'

const TONES = { printing: 'busy', done: 'good', blocked: 'bad', failed: 'bad' }
const ICONS = { printing: 'play', done: 'check', blocked: 'alert', failed: 'alert', cancelled: 'close' }
/** MIME type of a dragged job, which dragged files do not have. */
export const DRAGGED = 'application/x-prnd-job'

const update = (id, changes) => call('PATCH', `queue/jobs/${id}`, changes)

/** Jobs move only among those of the same priority. */
const neighbour = (jobs, at, step) => {
  const other = jobs[at + step]
  return other?.priority === jobs[at].priority ? other : undefined
}

/** Moves a job above or below another one. */
export async function moveTo (jobs, id, target, isBelow) {
  const others = jobs.filter(job => job.id !== id)
  const at = others.findIndex(job => job.id === target)
  const job = jobs.find(one => one.id === id)
  if (!job || at < 0 || others[at].priority !== job.priority) return
  await update(id, { before: isBelow ? others[at + 1]?.id ?? 'last' : target })
}

const question = (job, act, danger) => ({
  title: t(`queue.act.${act}.title`, { job: job.name }),
  text: t(`queue.act.${act}.sure`),
  yes: t(`queue.act.${act}`),
  danger,
  run: () => update(job.id, { act })
})

function Progress ({ job, percents }) {
  const running = job.runs.filter(({ ended_at: endedAt }) => endedAt === null)
  const percentOf = ({ printer, state }) => state === 'printing' ? percents.get(printer) : undefined
  const part = running.reduce((sum, run) => sum + (percentOf(run) ?? 0), 0) / 100
  return html`<div class="progress"><progress max=${job.copies}
      value=${Math.min(job.copies, job.finished + part)} aria-label=${t('queue.progress', { job: job.name })} />
    <span>${t('queue.copies.done', { done: number(job.finished), copies: number(job.copies) })}</span></div>
    ${running.map(({ id, printer, state }) => html`<small key=${id}>${printer}: ${t(`queue.run.${state}`)}${
      state === 'printing' && percents.has(printer) ? ` · ${number(percents.get(printer))} %` : ''}</small>`)}`
}

const Why = ({ job }) => html`${job.reason !== '' && html`<p class="why">${wordsOf(job)}</p>`}
  ${job.printers.length > 0 && html`<details><summary>${t('queue.why', { count: job.printers.length })}</summary>
    <ul class="reasons">${job.printers.map(row => html`<li key=${row.printer}><b>${row.printer}</b> ${wordsOf(row)}</li>`)}</ul>
  </details>`}`

/** Build plates that the job's files are sliced for. */
const bedsOf = job => [...new Set(job.files.map(file => bedWords(file.bed_type)).filter(Boolean))].join(', ')

const notesOf = job => [
  t('queue.by', { who: job.created_by, at: dateTime(job.created_at) }),
  job.priority !== 0 && t('queue.priority.is', { priority: number(job.priority) }),
  bedsOf(job) !== '' && t('queue.bed', { bed: bedsOf(job) }),
  job.wanted_printers.length > 0 && t('queue.only', { printers: job.wanted_printers.join(', ') }),
  job.allow_low && t('queue.low'),
  job.not_before !== null && t('queue.notbefore', { at: dateTime(job.not_before) }),
  job.ended_at !== null && t('queue.ended', { at: clock(job.ended_at) })
].filter(Boolean).join(' · ')

function Mover ({ jobs, at, move }) {
  const job = jobs[at]
  const button = (name, step) => html`<button type="button" class="icon-only small quiet" data-move=${name}
    aria-label=${t(`queue.${name}`, { job: job.name })} disabled=${!neighbour(jobs, at, step)} onClick=${() => move(job, name, () => step < 0
      ? update(job.id, { before: neighbour(jobs, at, -1).id })
      : update(neighbour(jobs, at, 1).id, { before: job.id }))}>${step < 0 ? '↑' : '↓'}</button>`
  return html`<div class="mover">${button('up', -1)}${button('down', 1)}</div>`
}

function Job ({ jobs, at, percents, ask, act, move, isOpen }) {
  const job = jobs[at]
  const [over, setOver] = useState(false)
  const { id, files: [file] } = job
  const takes = event => isOpen && event.dataTransfer.types.includes(DRAGGED)
  const drop = event => {
    setOver(false)
    if (!takes(event)) return
    event.preventDefault()
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const isBelow = event.clientY > top + height / 2
    const dragged = event.dataTransfer.getData(DRAGGED)
    if (dragged !== id) act(() => moveTo(jobs, dragged, id, isBelow))
  }
  const does = (name, ask) => html`<button type="button" class="small quiet"
    aria-label=${`${t(`queue.act.${name}`)}: ${job.name}`} onClick=${ask}>${t(`queue.act.${name}`)}</button>`
  return html`<li class=${`card job${over ? ' over' : ''}`} data-job=${id} draggable=${isOpen}
      onDragStart=${({ dataTransfer }) => { dataTransfer.setData(DRAGGED, id); dataTransfer.effectAllowed = 'move' }}
      onDragOver=${event => { if (takes(event)) { event.preventDefault(); setOver(true) } }}
      onDragLeave=${() => setOver(false)} onDrop=${drop}>
    ${file && html`<${Picture} key=${`${file.id} ${file.plate}`} file=${file.id} plate=${file.plate} />`}
    <div class="what">
      <div class="job-head"><h3>${job.name}</h3>
        <b class=${`badge ${TONES[job.state] ?? ''}`}>
          <${Icon} name=${ICONS[job.state] ?? 'queue'} />${t(`queue.state.${job.state}`)}</b>
        ${job.held && html`<b class="badge warn"><${Icon} name="pause" />${t('queue.held')}</b>`}</div>
      <${Progress} job=${job} percents=${percents} />
      <${Why} job=${job} />
      ${job.note !== '' && html`<p>${job.note}</p>`}
      <small>${notesOf(job)}</small>
      <div class="buttons">${isOpen
        ? html`${job.held
          ? does('release', () => ask(question(job, 'release')))
          : does('hold', () => act(() => update(id, { act: 'hold' })))}
          ${does('cancel', () => ask(question(job, 'cancel', true)))}`
        : job.state !== 'done' && does('retry', () => ask(question(job, 'retry')))}</div>
    </div>
    ${isOpen && html`<${Mover} jobs=${jobs} at=${at} move=${move} />`}
  </li>`
}

export const Jobs = ({ jobs, more, ...rest }) => html`<ol class="jobs" aria-label=${t('queue.jobs')}>
    ${jobs.map((job, at) => html`<${Job} key=${job.id} jobs=${jobs} at=${at} ...${rest} />`)}</ol>
  ${jobs.length === 0 && (rest.isOpen
    ? html`<div class="card empty"><h3>${t('queue.none')}</h3><p>${t('queue.dropping')}</p></div>`
    : html`<p class="boot">${t('queue.none.ended')}</p>`)}
  ${more > 0 && html`<p class="faint">${t('queue.more', { count: more })}</p>`}`
