// What the page knows of the queue, kept up to date; and files that are dropped on the page.

import { call, follow, t } from 'shell'
import { useEffect, useRef, useState } from './lib.js'

const REFRESH_MS = 10_000
/** After a change, so that several changes are one request. */
const SOON_MS = 400
/** A long answer is requested less often: so many times as long as it took. */
const PACE = 8
/** Groups at first, and with each request for more. */
export const STEP = 300
const MOST_ENDED = 200
export const HOURS = 24

/** A job that has ended, in the shape of a group of its own. */
const asGroup = job => ({
  key: job.id,
  section: job.state,
  first: job.id,
  jobs: 1,
  name: job.name,
  priority: job.priority,
  file: job.files[0]?.id ?? '',
  plate: job.files[0]?.plate ?? 1,
  seconds: null,
  grams: null,
  filaments: [],
  copies: job.copies,
  finished: job.finished,
  parts: job.parts,
  waiting: 0,
  runs: [],
  reason: '',
  why: null,
  expected: null,
  ended_at: job.ended_at
})

async function load ({ state, limit, hours }) {
  const askedAt = performance.now()
  if (state === 'open') return { ...await call('GET', 'queue/board', { limit, hours }), state, askedAt }
  const { jobs, ...rest } = await call('GET', 'queue', { state, limit: MOST_ENDED, reasons: false })
  return { ...rest, groups: jobs.map(asGroup), lanes: [], summary: undefined, state, askedAt }
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

/**
 * The queue, kept up to date while the page is visible.
 * @param {{ state: string, limit: number, hours: number }} what
 */
export function useBoard (what) {
  const [board, setBoard] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const wanted = useRef(what)
  wanted.current = what
  const tookMs = useRef(0)
  const refresh = useRef(createRefresh(async () => {
    try {
      const loaded = await load(wanted.current)
      tookMs.current = performance.now() - loaded.askedAt
      setBoard(loaded)
      setProblem('')
    } catch (error) {
      setProblem(t('queue.failed', { reason: /** @type {Error} */ (error).message }))
    }
  })).current
  useEffect(() => { void refresh() }, [what.state, what.limit, what.hours])
  useEffect(() => {
    let timer = 0
    const refreshIfVisible = () => { if (!document.hidden) void refresh() }
    const soon = () => {
      timer ||= setTimeout(() => { timer = 0; refreshIfVisible() }, Math.max(SOON_MS, PACE * tookMs.current))
    }
    const regular = setInterval(refreshIfVisible, REFRESH_MS)
    document.addEventListener('visibilitychange', refreshIfVisible)
    const leave = follow({ topics: ['queue'], onMessage: ({ topic }) => { if (topic === 'queue') soon() } })
    return () => {
      clearInterval(regular)
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refreshIfVisible)
      leave()
    }
  }, [])
  return { board, problem, refresh }
}

/** Takes files dropped anywhere. @returns whether files are being dragged over the page */
export function useDrop (take) {
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
