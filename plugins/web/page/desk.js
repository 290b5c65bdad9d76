import { call, choosePrinter, has } from './api.js'
import { historyOf, withView } from './history.js'
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
  problem: ''
}

/** What is known of the chosen printer. */
export const desk = createStore({ ...EMPTY, printer: '', printers: /** @type {string[]} */ ([]), asked: false })

let leave = () => {}

function takeState (doc) {
  const view = viewOf(doc)
  desk.patch({ view, history: withView(desk.get().history, view, Date.now() / MS_PER_S) })
}

function takeSession ({ service_state: service, recent_update: isLive, problem }) {
  const { view } = desk.get()
  desk.patch({
    problem: problem?.message ?? '',
    ...(view && { view: { ...view, service: service ?? 'NO_STATE', isLive } })
  })
}

async function loadHistory (printer) {
  if (!has('monitoring_data')) return
  const recorded = await call('monitoring_data').catch(() => undefined) // charts then begin empty
  if (recorded && desk.get().printer === printer) desk.patch({ history: historyOf(recorded) })
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
    onAlert: alert => desk.patch({ alerts: [alert, ...desk.get().alerts].slice(0, MOST_ALERTS) }),
    onLink: (link, problem) => desk.patch({ link, problem: link === 'live' ? desk.get().problem : problem })
  })
}
