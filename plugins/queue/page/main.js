// The queue page: jobs, plates, and actions on both.

import { call, follow, hasPage, t } from 'shell'
import { Add } from './add.js'
import { Ask } from './ask.js'
import { ClearPlates } from './clear-plates.js'
import { Jobs } from './jobs.js'
import { html, render, useEffect, useLayoutEffect, useRef, useState } from './lib.js'
import { isToClear, Plates, resumeQuestion } from './plates.js'

const REFRESH_MS = 10_000
const MOST = 200
const STATES = ['open', 'done', 'failed', 'cancelled']

async function load (state) {
  const askedAt = performance.now()
  const [queue, fleet] = await Promise.all([
    call('GET', 'queue', { state, limit: MOST }),
    hasPage('fleet') ? call('GET', 'fleet').catch(() => undefined) : undefined // the queue works without it
  ])
  const percents = new Map((fleet?.printers ?? []).filter(({ job }) => job).map(({ name, job }) => [name, job.percent]))
  return { ...queue, state, percents, askedAt }
}

/** Loads once at a time; a refresh requested meanwhile follows. */
function createRefresh (load) {
  let runs = false
  let again = false
  return async () => {
    again = true
    if (runs) return
    runs = true
    while (again) {
      again = false
      await load()
    }
    runs = false
  }
}

/** Takes files dropped anywhere. @returns whether files are being dragged over the page */
function useDrop (take) {
  const [over, setOver] = useState(false)
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const hasFiles = event => event.dataTransfer?.types.includes('Files') ?? false
    const above = event => { if (hasFiles(event)) { event.preventDefault(); setOver(true) } }
    const leave = event => { if (event.relatedTarget === null) setOver(false) }
    const drop = event => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      latest.current([...event.dataTransfer.files])
    }
    document.addEventListener('dragover', above)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', above)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return over
}

function useQueue (state) {
  const [queue, setQueue] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const wanted = useRef(state)
  wanted.current = state
  const refresh = useRef(createRefresh(async () => {
    try {
      setQueue(await load(wanted.current))
      setProblem('')
    } catch (error) {
      setProblem(t('queue.failed', { reason: /** @type {Error} */ (error).message }))
    }
  })).current
  useEffect(() => { void refresh() }, [state])
  useEffect(() => {
    const refreshIfVisible = () => { if (!document.hidden) void refresh() }
    const timer = setInterval(refreshIfVisible, REFRESH_MS)
    document.addEventListener('visibilitychange', refreshIfVisible)
    const leave = follow({ topics: ['queue'], onMessage: ({ topic }) => { if (topic === 'queue') refreshIfVisible() } })
    return () => { clearInterval(timer); document.removeEventListener('visibilitychange', refreshIfVisible); leave() }
  }, [])
  return { queue, problem, refresh }
}

/** Keeps the focus on the button that moved a job, or on its other button at an end of the list. */
function focusMover ({ id, name }) {
  const job = document.querySelector(`[data-job="${globalThis.CSS.escape(id)}"]`)
  const button = /** @type {any} */ (job?.querySelector(`[data-move=${name}]:enabled`) ?? job?.querySelector('[data-move]:enabled'))
  button?.focus()
}

function App () {
  const [state, setState] = useState('open')
  const { queue, problem, refresh } = useQueue(state)
  const [refused, setRefused] = useState('')
  const [said, setSaid] = useState('')
  const [question, setQuestion] = useState(/** @type {any} */ (null))
  const [clearing, setClearing] = useState(/** @type {any[] | null} */ (null))
  const [file, setFile] = useState(/** @type {File | null} */ (null))
  const moved = useRef(/** @type {any} */ (null))
  const chooser = useRef(/** @type {any} */ (null))
  const latest = useRef(queue)
  latest.current = queue
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
    setQuestion({ ...asked, run: async () => { await asked.run(); await refresh() } })
  }
  const move = (job, name, work) => act(async () => {
    await work()
    moved.current = { id: job.id, name, title: job.name, at: performance.now() }
  })
  const take = files => {
    setRefused('')
    if (question || file || clearing) return
    if (files.length !== 1 || !/\.3mf$/i.test(files[0].name)) return setRefused(t('queue.onefile'))
    setFile(files[0])
  }
  const over = useDrop(take)
  useLayoutEffect(() => {
    if (!moved.current || !queue || queue.askedAt < moved.current.at) return // requested before the move
    const { id, title } = moved.current
    const at = queue.jobs.findIndex(job => job.id === id)
    focusMover(moved.current)
    moved.current = null
    if (at >= 0) setSaid(t('queue.moved', { job: title, at: at + 1, jobs: queue.jobs.length }))
  }, [queue])

  if (!queue) return html`<main class="page"><h1>${t('queue.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const { printers, jobs, is_paused: isPaused } = queue
  return html`<main class=${`page${over ? ' drop' : ''}`}>
    <header class="page-head"><h1>${t('queue.title')}</h1>
      <span class="space" />
      <label>${t('queue.show')} <select value=${state} onChange=${({ target }) => setState(target.value)}>
        ${STATES.map(one => html`<option key=${one} value=${one}>${t(`queue.show.${one}`)}</option>`)}</select></label>
      <button type="button" onClick=${() => isPaused
        ? ask(resumeQuestion(undefined))
        : act(() => call('POST', 'queue/pause', { paused: true }))}>
        ${t(isPaused ? 'queue.resume' : 'queue.pause')}</button>
      <button type="button" class=${printers.filter(isToClear).length > 1 ? '' : 'primary'}
        onClick=${() => chooser.current.click()}>${t('queue.file')}</button>
      <input type="file" hidden ref=${chooser} accept=".3mf" aria-label=${t('queue.file')}
        onChange=${({ target }) => { const files = [...target.files]; target.value = ''; if (files.length > 0) take(files) }} />
    </header>
    <p class="hidden" role="status">${said}</p>
    <p class="bad" role="alert" hidden=${(refused || problem) === ''}>${refused || problem}</p>
    ${isPaused && html`<p class="warn">${t('queue.paused')}</p>`}
    <${Plates} printers=${printers} jobs=${jobs} rowNow=${rowNow} ask=${ask} act=${act} onClear=${setClearing} />
    <section class="jobs-part" aria-labelledby="jobs-title"><h2 id="jobs-title">${t('queue.jobs')}</h2>
      <${Jobs} jobs=${jobs} more=${queue.more} isOpen=${queue.state === 'open'} percents=${queue.percents}
        ask=${ask} act=${act} move=${move} /></section>
    ${question && html`<${Ask} question=${question} onClose=${() => setQuestion(null)} />`}
    ${clearing && html`<${ClearPlates} rows=${clearing} onClose=${() => setClearing(null)} onDone=${refresh} />`}
    ${file && html`<${Add} file=${file} printers=${printers} onClose=${() => setFile(null)}
      onQueued=${async () => { setFile(null); setState('open'); await refresh() }} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('queue'))
place.replaceChildren()
render(html`<${App} />`, place)
