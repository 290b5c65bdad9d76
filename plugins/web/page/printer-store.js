import { call, choosePrinter, has, takes } from './api.js'
import { historyOf, historyOfCharts, withView } from './history.js'
import { follow } from './live.js'
import { viewOf } from './model.js'
import { createStore } from './store.js'

const MOST_ALERTS = 30
const MS_PER_S = 1000

const EMPTY = {
  /** @type {ReturnType<typeof viewOf> | undefined} */
  view: undefined,
  /** @type {Record<string, readonly { t: number, v: number }[]>} */
  history: {},
  /** @type {any[]} */
  alerts: [],
  link: 'polling',
  problem: '',
  /** @type {{ job: string, since: number } | null} */
  pending: null,
  /** @type {{ at: number, failures: number, reason: string } | null} */
  stopped: null
}

/** The state of the chosen printer. */
export const desk = createStore({ ...EMPTY, printer: '', printers: /** @type {string[]} */ ([]), asked: false })

let leave = () => {}

function takeState (doc) {
  const view = viewOf(doc)
  desk.patch({ view, history: withView(desk.get().history, view, secondsNow()) })
}

function takeSession ({ service_state: service, recent_update: isLive, problem, pending_start: pending = null }) {
  const { view } = desk.get()
  desk.patch({
    problem: problem?.message ?? '',
    pending,
    ...(view && { view: { ...view, service: service ?? 'NO_STATE', isLive } })
  })
}

const secondsNow = () => Date.now() / MS_PER_S

/** Recorded readings from before the page was opened, in the form of either application. */
const recorded = async () => has('monitoring_data')
  ? historyOf(await call('monitoring_data'))
  : historyOfCharts(await call('get_all_data'), secondsNow())

async function loadHistory (printer) {
  const history = await recorded().catch(() => undefined) // without them charts begin empty
  if (history && desk.get().printer === printer) desk.patch({ history })
}

/** Shows another printer. @param {string} printer */
export function choose (printer) {
  leave()
  choosePrinter(printer)
  desk.patch({ ...EMPTY, printer })
  void loadHistory(printer)
  leave = follow(printer, {
    onState: takeState,
    onSession: takeSession,
    onQueue: status => desk.patch({ stopped: status?.stopped ?? null }),
    onAlert: alert => desk.patch({ alerts: [alert, ...desk.get().alerts].slice(0, MOST_ALERTS) }),
    onLink: (link, problem) => desk.patch({ link, problem: link === 'live' ? desk.get().problem : problem })
  })
}

/** Which job is meant, for a service that compares it. @param {string} route @param {{ start?: number }} job */
export const meantJob = (route, { start }) => start !== undefined && takes(route, 'job_start') ? { job_start: start } : {}

const isSameJob = (one, other) => one !== undefined && one.start === other.start && one.name === other.name

/**
 * For a question about a job: whether there is another printer or job by now, or none.
 * @param {{ start?: number, name: string }} job
 * @returns {() => boolean}
 */
export function otherJob (job) {
  const { printer } = desk.get()
  return () => {
    const { printer: shown, view } = desk.get()
    return shown !== printer || !view?.job.isBusy || !isSameJob(view.job, job)
  }
}
