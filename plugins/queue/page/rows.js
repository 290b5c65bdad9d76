// One row of the board: a part with all of its jobs, or one job of an open group.

import { filamentName, number, t, timeText } from 'shell'
import { html, Icon, Picture, useState } from './lib.js'
import { moveBy, moveTo, neighbour } from './moves.js'
import { doneText, durationText, expectedText, hasParts, storyOf } from './words.js'

/** MIME type of a dragged row, which dragged files do not have. */
export const DRAGGED = 'application/x-prnd-job'

const TONES = { done: 'good', failed: 'bad' }
const ICONS = { done: 'check', failed: 'alert', cancelled: 'close' }

/** With more filaments, colours are not named. */
const MOST_NAMED = 2

/** Filaments as colours and words; colours are shown as they are. */
const Filaments = ({ filaments }) => filaments.length > 0 && html`<span class="filaments">
  <span class="dots" aria-hidden="true">${filaments.slice(0, 8).map(({ color }, at) => html`<i key=${at} class=${color === '' ? 'unknown' : ''}
    style=${{ backgroundColor: color.slice(0, 7) }}></i>`)}</span>
  ${[...new Set(filaments.map(({ type, color }) => filaments.length > MOST_NAMED ? type : filamentName(type, [color])))].join(', ')}</span>`

const factsOf = ({ grams, seconds, priority, jobs, parts, copies, finished, ended_at: endedAt }) => [
  grams !== null && t('queue.grams', { grams: number(grams, { maximumFractionDigits: 0 }) }),
  seconds !== null && durationText(seconds * 1000),
  hasParts(parts) && copies > finished && t('queue.plates.left', { count: copies - finished, number: number(copies - finished) }),
  jobs > 1 && t('queue.jobs.count', { count: jobs }),
  priority !== 0 && t('queue.priority.is', { priority: number(priority) }),
  endedAt && t('queue.ended', { at: timeText(endedAt) })
].filter(Boolean)

const Count = ({ row }) => {
  const running = row.runs.reduce((sum, { percent }) => sum + percent / 100, 0)
  return html`<div class="count">
    <span>${doneText(row)}</span>
    <progress max=${row.copies} value=${Math.min(row.copies, row.finished + running)}
      aria-label=${t('queue.progress', { job: row.name })} /></div>`
}

function Mover ({ rows, at, move }) {
  const row = rows[at]
  const button = (name, step) => html`<button type="button" class="icon-only small quiet" data-move=${name}
    aria-label=${t(`queue.${name}`, { job: row.name })} disabled=${!neighbour(rows, at, step)}
    onClick=${() => move(row, name, () => moveBy(rows, at, step))}>${step < 0 ? '↑' : '↓'}</button>`
  return html`<div class="mover">${button('up', -1)}${button('down', 1)}</div>`
}

export const Pick = ({ label, isChosen, onChoose }) => html`<label class="pick"><input type="checkbox" checked=${isChosen}
  aria-label=${t('queue.select', { job: label })} onChange=${({ target }) => onChoose(target.checked)} /></label>`

/** @param {any} props `rows[at]` is shown; `place` has the height, and where it is among all rows */
export function GroupRow ({ rows, at, place, isOpen, isUnfolded, isChosen, acts }) {
  const row = rows[at]
  const [over, setOver] = useState(false)
  const takes = event => isOpen && event.dataTransfer.types.includes(DRAGGED)
  const drop = event => {
    setOver(false)
    if (!takes(event)) return
    event.preventDefault()
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const isBelow = event.clientY > top + height / 2
    const dragged = event.dataTransfer.getData(DRAGGED)
    if (dragged !== row.key) acts.act(() => moveTo(rows, dragged, row.key, isBelow))
  }
  const story = storyOf(row)
  return html`<li class=${`row job${over ? ' over' : ''}${isChosen ? ' chosen' : ''}`} data-job=${row.first} draggable=${isOpen} ...${place}
    onDragStart=${event => { event.dataTransfer.setData(DRAGGED, row.key); event.dataTransfer.effectAllowed = 'move' }}
    onDragOver=${event => { if (takes(event)) { event.preventDefault(); setOver(true) } }}
    onDragLeave=${() => setOver(false)} onDrop=${drop}>
    <${Pick} label=${row.name} isChosen=${isChosen} onChoose=${on => acts.choose(row, on)} />
    <${Picture} file=${row.file} plate=${row.plate} />
    <div class="row-main">
      <h3><button type="button" class="name" aria-expanded=${row.jobs > 1 ? String(isUnfolded) : undefined}
        onClick=${() => row.jobs > 1 ? acts.unfold(row) : acts.show(row.first)}>${row.name}</button></h3>
      <small class="facts"><${Filaments} filaments=${row.filaments} />${factsOf(row).map(fact => html`<span key=${fact}>${fact}</span>`)}</small>
      ${story !== '' && html`<small class=${`story${row.section === 'needs_person' ? ' why' : ''}`} title=${story}>${story}</small>`}
    </div>
    <${Count} row=${row} />
    ${!isOpen && html`<b class=${`badge ${TONES[row.section] ?? ''}`}><${Icon} name=${ICONS[row.section]} />${t(`queue.state.${row.section}`)}</b>`}
    ${isOpen && html`<${Mover} rows=${rows} at=${at} move=${acts.move} />`}
  </li>`
}

const stateText = ({ held, state }) => held && state === 'waiting' ? t('queue.held') : t(`queue.state.${state}`)

/** A job of a group; only its place before it is loaded. */
export function JobRow ({ job, place, isChosen, acts }) {
  if (!job) return html`<li class="row line" ...${place}><span class="faint">…</span></li>`
  const running = job.runs.filter(({ ended_at: endedAt }) => endedAt === null).map(({ printer }) => printer).join(', ')
  return html`<li class=${`row line${isChosen ? ' chosen' : ''}`} data-job=${job.id} ...${place}>
    <${Pick} label=${`${job.name}, ${t('queue.place', { at: job.place })}`} isChosen=${isChosen} onChoose=${on => acts.chooseJob(job, on)} />
    <span class="row-main"><button type="button" class="name" onClick=${() => acts.show(job.id)}>
      ${t('queue.place', { at: number(job.place) })} <small>${stateText(job)}</small></button></span>
    <small class="story">${running || expectedText(job.expected, job.waiting)}</small>
    <small class="faint">${t('queue.copies.done', { done: number(job.finished), copies: number(job.copies) })}</small>
  </li>`
}
