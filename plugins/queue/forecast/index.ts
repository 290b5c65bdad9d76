import { inOrder, jobReason, waitingCopies, type Decision, type View } from '../decide/index.js'
import type { Snapshot } from '../types.js'
import { lanesOf, type Lane } from './lanes.js'
import { schedule, type Plannable, type Schedule } from './schedule.js'

export { expectedView } from './expected-view.js'
export { WAITS_FOR, type Lane, type Running, type WaitsFor } from './lanes.js'
export type { Expected, Slot } from './schedule.js'

/** When the waiting copies are expected to be printed, and where. */
export interface Forecast extends Schedule {
  /** By serial. */
  readonly lanes: ReadonlyMap<string, Lane>
}

/** The same, and what it was computed from. */
export interface Outlook {
  readonly snapshot: Snapshot
  readonly view: View
  readonly decision: Decision
  readonly forecast: Forecast
}

/** Reasons that the forecast takes into account. */
const PASSES = new Set(['not_before', 'queue_paused'])

/** Jobs with other requirements than so many before them are not expected: each kind is compared with every printer. */
const MOST_KINDS = 1_000

function * plannable (view: View, decision: Decision): Generator<Plannable> {
  const kinds = new Set<string>()
  for (const waiting of inOrder(view)) {
    const reason = jobReason(waiting, view)
    if (reason && !PASSES.has(reason.code)) continue
    const kind = decision.requirementsKey(waiting.job)
    if (kinds.size >= MOST_KINDS && !kinds.has(kind)) continue
    kinds.add(kind)
    yield { waiting, copies: waitingCopies(waiting.job), suitable: decision.suitable(waiting) }
  }
}

/** Pure; the time is part of the view. */
export function forecast (view: View, decision: Decision, { runs, heats }: Pick<Snapshot, 'runs' | 'heats'>): Forecast {
  const lanes = lanesOf(view, runs, heats)
  return { lanes, ...schedule(plannable(view, decision), lanes) }
}

/** Least time between two forecasts, ms. */
const KEEP_MS = 3_000

export interface ForecastDeps {
  readonly read: () => Promise<Omit<Outlook, 'forecast'>>
  /** Changes with every write to the store by this service. */
  readonly version: () => number
  readonly now?: () => number
}

/** Forecasts made on request, each of them used for a while. */
export class Forecasts {
  readonly #deps: ForecastDeps
  #latest: { readonly outlook: Promise<Outlook>, readonly at: number, readonly version: number } | undefined
  #last: Outlook | undefined

  constructor (deps: ForecastDeps) { this.#deps = deps }

  /** The last one, without computing any. */
  get last (): Outlook | undefined { return this.#last }

  /** @param isExact also computed anew when the queue has been changed since */
  current (isExact = false): Promise<Outlook> {
    const at = (this.#deps.now ?? (() => performance.now()))()
    const version = this.#deps.version()
    const known = this.#latest
    if (known && at - known.at < KEEP_MS && !(isExact && known.version !== version)) return known.outlook
    const outlook = this.#read()
    this.#latest = { outlook, at, version }
    outlook.catch(() => { this.#latest = undefined })
    return outlook
  }

  async #read (): Promise<Outlook> {
    const { snapshot, view, decision } = await this.#deps.read()
    return (this.#last = { snapshot, view, decision, forecast: forecast(view, decision, snapshot) })
  }
}
