// The queue page: plates, the board of jobs, the timeline of printers, and actions on all of them.

import { call, dateTime, fileProblem, hasPage, linkTo, t, takeFile } from 'shell'
import { Add } from './add.js'
import { Ask } from './ask.js'
import { Board } from './board.js'
import { ClearPlates } from './clear-plates.js'
import { JobDialog } from './job-dialog.js'
import { html, Icon, render, useEffect, useLayoutEffect, useRef, useState } from './lib.js'
import { clearQuestion, isToClear, Plates, resumeQuestion } from './plates.js'
import { Selection } from './selection.js'
import { Timeline } from './timeline.js'
import { HOURS, STEP, useBoard, useDrop } from './use-board.js'
import { summaryText } from './words.js'

const STATES = ['open', 'done', 'failed', 'cancelled']
const VIEWS = ['board', 'timeline']

/** Keeps the focus on the button that moved a row, or on its other button at an end of the list. */
function focusMover ({ id, name }) {
  const job = document.querySelector(`[data-job="${globalThis.CSS.escape(id)}"]`)
  const button = job?.querySelector(`[data-move=${name}]:enabled`) ?? job?.querySelector('[data-move]:enabled')
  const focusable = /** @type {any} */ (button)
  focusable?.focus()
}

/**
 * After a move, says where the row is now, and keeps the focus.
 * @returns {[string, (row: any, name: string) => void]}
 */
function useMoved (board) {
  const [said, setSaid] = useState('')
  const moved = useRef(/** @type {any} */ (null))
  useLayoutEffect(() => {
    if (!moved.current || !board || board.askedAt < moved.current.at) return // requested before the move
    const { id, title } = moved.current
    const rows = board.groups.filter(({ section }) => section === moved.current.section)
    const at = rows.findIndex(({ first }) => first === id)
    focusMover(moved.current)
    moved.current = null
    if (at >= 0) setSaid(t('queue.moved', { job: title, at: at + 1, jobs: rows.length }))
  }, [board])
  return [said, (row, name) => {
    moved.current = { id: row.first, section: row.section, name, title: row.name, at: performance.now() }
  }]
}

/** Chosen rows: groups by key, single jobs of groups by id. */
function useChosen () {
  const [chosen, setChosen] = useState(/** @type {Map<string, any>} */ (new Map()))
  const set = (key, value, on) => setChosen(known => {
    const next = new Map(known)
    if (on) next.set(key, value)
    else next.delete(key)
    return next
  })
  return {
    chosen,
    choose: (group, on) => set(group.key, { group, jobs: group.jobs }, on),
    chooseJob: ({ id }, on) => set(id, { id, jobs: 1 }, on),
    clear: () => setChosen(new Map())
  }
}

const Views = ({ view, onChange }) => html`<div class="views" role="group" aria-label=${t('queue.views')}>${VIEWS.map(one =>
  html`<button type="button" key=${one} class="small" aria-pressed=${String(view === one)} onClick=${() => onChange(one)}>
    ${t(`queue.view.${one}`)}</button>`)}</div>`

const Nothing = ({ isOpen, isFirst, onAdd }) => isOpen
  ? html`<section class="card"><div class="empty"><${Icon} name="queue" /><h2>${t('queue.none')}</h2><p>${t('queue.dropping')}</p>
    <button type="button" class=${isFirst ? 'primary' : ''} onClick=${onAdd}>${t('queue.file')}</button></div></section>`
  : html`<p class="boot">${t('queue.none.ended')}</p>`

function Head ({ board, state, view, setState, setView, ask, act, onAdd }) {
  const { printers, is_paused: isPaused, groups } = board
  const count = printers.filter(isToClear).length
  return html`<header class="page-head"><h1>${t('queue.title')}</h1>
    <span class="space" />
    ${state === 'open' && html`<${Views} view=${view} onChange=${setView} />`}
    <label><span class="hidden">${t('queue.show')}</span> <select value=${state} onChange=${({ target }) => setState(target.value)}>
      ${STATES.map(one => html`<option key=${one} value=${one}>${t(`queue.show.${one}`)}</option>`)}</select></label>
    <button type="button" onClick=${() => isPaused
      ? ask(resumeQuestion(undefined))
      : act(() => call('POST', 'queue/pause', { paused: true }))}>${t(isPaused ? 'queue.resume' : 'queue.pause')}</button>
    ${(state !== 'open' || groups.length > 0) && html`<button type="button" class=${count > 1 ? '' : 'primary'} onClick=${onAdd}>${t('queue.file')}</button>`}
    ${board.summary && html`<p class="lead">${summaryText(board, count)}
      ${hasPage('groups') && html` <a href=${linkTo('groups')}>${t('groups.title')}</a>`}</p>`}
  </header>`
}

/** The one dialogue that is open. */
function Dialogs ({ dialog, board, ask, act, setDialog, refresh, onQueued }) {
  const close = () => setDialog({})
  const { question, clearing, file, job } = dialog
  if (question) return html`<${Ask} question=${question} onClose=${close} />`
  if (clearing) return html`<${ClearPlates} rows=${clearing} onClose=${close} onDone=${refresh} />`
  if (job) {
    return html`<${JobDialog} key=${job} id=${job} board=${board} ask=${ask}
      act=${work => { close(); return act(work) }} onClose=${close} />`
  }
  return file && html`<${Add} file=${file} printers=${board.printers} onClose=${close} onQueued=${onQueued} />`
}

function App () {
  const [what, setWhat] = useState({ state: 'open', limit: STEP, view: 'board' })
  const { state, view } = what
  const { board, problem, refresh } = useBoard({ ...what, hours: view === 'timeline' ? HOURS : 0 })
  const { chosen, choose, chooseJob, clear } = useChosen()
  const [refused, setRefused] = useState('')
  const [dialog, setDialog] = useState(/** @type {any} */ ({}))
  const [said, remember] = useMoved(board)
  const chooser = useRef(/** @type {any} */ (null))
  const latest = useRef(board)
  latest.current = board
  const rowNow = name => latest.current.printers.find(({ printer }) => printer === name)

  const act = async work => {
    setRefused('')
    try {
      await work()
    } catch (error) {
      setRefused(t('queue.failed', { reason: /** @type {Error} */ (error).message }))
    }
    await refresh()
  }
  const ask = asked => {
    setRefused('')
    setDialog({ question: { ...asked, run: async () => { await asked.run(); await refresh() } } })
  }
  const take = async files => {
    setRefused('')
    if (Object.keys(dialog).length > 0) return
    if (files.length !== 1) return setRefused(t('queue.onefile'))
    const [file] = files
    const wrong = await fileProblem(file)
    if (wrong !== '') return setRefused(t(`file.problem.${wrong}`, { name: file.name }))
    setDialog({ file })
  }
  useEffect(() => { void takeFile().then(file => { if (file) void take([file]) }) }, [])
  const over = useDrop(take)
  const show = job => setDialog({ job })
  const setState = state => { clear(); setWhat({ ...what, state, limit: STEP, view: 'board' }) }
  const move = (row, name, work) => act(async () => { await work(); remember(row, name) })
  const acts = { act, choose, chooseJob, show, move }
  const onWaiting = ({ printer, waits_for: waitsFor }) => {
    const row = rowNow(printer)
    if (row && isToClear(row)) ask(clearQuestion(row, rowNow, undefined))
    else if (waitsFor === 'resume') ask(resumeQuestion(latest.current.is_paused ? undefined : printer))
    else if (hasPage('printer')) location.assign(linkTo('printer', { printer }))
  }

  if (!board) return html`<main class="page"><h1>${t('queue.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const isOpen = board.state === 'open'
  const onAdd = () => chooser.current.click()
  return html`<main class=${`page${over ? ' drop' : ''}`}>
    <${Head} board=${board} state=${state} view=${view} setState=${setState} setView=${view => { clear(); setWhat({ ...what, view }) }}
      ask=${ask} act=${act} onAdd=${onAdd} />
    <input type="file" hidden ref=${chooser} accept=".3mf" aria-label=${t('queue.file')}
      onChange=${({ target }) => { const files = [...target.files]; target.value = ''; if (files.length > 0) take(files) }} />
    <p class="hidden" role="status">${said}</p>
    <p class="bad" role="alert" hidden=${(refused || problem) === ''}>${refused || problem}</p>
    ${board.is_paused && html`<p class="warn">${board.paused_until === null ? t('queue.paused') : t('queue.paused.until', { time: dateTime(board.paused_until) })}
      ${board.paused_until !== null && html` <button type="button" class="small" onClick=${() => act(() => call('POST', 'queue/pause', { paused: true }))}>${t('queue.paused.keep')}</button>`}</p>`}
    ${view === 'timeline' && isOpen
      ? html`<${Timeline} lanes=${board.lanes} show=${show} onWaiting=${onWaiting} />`
      : html`<${Plates} printers=${board.printers} groups=${board.groups} rowNow=${rowNow} ask=${ask} act=${act}
          onClear=${clearing => setDialog({ clearing })} />
        ${board.groups.length === 0
          ? html`<${Nothing} isOpen=${isOpen} onAdd=${onAdd} isFirst=${board.printers.filter(isToClear).length < 2} />`
          : html`<section class="card jobs-part" aria-label=${t('queue.jobs')}><${Board} board=${board} chosen=${chosen} acts=${acts}
            onEnd=${() => setWhat({ ...what, limit: what.limit + STEP })} /></section>`}`}
    ${chosen.size > 0 && html`<${Selection} chosen=${chosen} isOpen=${isOpen} ask=${ask} act=${act} onClear=${clear} />`}
    <${Dialogs} dialog=${dialog} board=${board} ask=${ask} act=${act} setDialog=${setDialog} refresh=${refresh}
      onQueued=${async () => { setDialog({}); setState('open'); await refresh() }} />
  </main>`
}

const place = /** @type {any} */ (document.getElementById('queue'))
place.replaceChildren()
render(html`<${App} />`, place)
