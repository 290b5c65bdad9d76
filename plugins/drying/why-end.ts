import type { PrinterSession } from '../../core/index.js'
import { isWhy } from './acceptor.js'
import type { DryingsOptions } from './dryings-options.js'
import { isLoadedFrom, isPrinting } from './read-units.js'
import type { PlanRow, RunRow } from './tables.js'
import type { UnitFacts, WhyCode } from './types.js'

export type Plans = ReadonlyMap<string, PlanRow>

export const HOUR_MS = 3_600_000
/** So long after its time nothing dries any more, and others of its power group may begin. */
export const LOST_HOURS = 1
/** So long an acceptor may be unknown before what the plan began is ended. */
const BARRED_MS = 60_000

/** So many hours after the time of a drying. */
export const isOver = ({ began_at: beganAt, hours }: RunRow, now: number, later: number): boolean =>
  now > beganAt + (hours + later) * HOUR_MS

/** Finds out why a drying must end before its time. */
export class WhyEnd {
  readonly #options: Pick<DryingsOptions, 'kernel' | 'history' | 'graceMs' | 'caller'>
  /** Since when a printer is seen printing, by serial. */
  readonly #printsSince = new Map<string, number>()
  /** Since when the acceptor of a plan is unknown, or may not act, by id of the plan. */
  readonly #barredSince = new Map<string, number>()
  /** A print has not shown yet which slots it uses. */
  isWatching = false

  constructor (options: DryingsOptions) { this.#options = options }

  async find (run: RunRow, session: PrinterSession, unit: UnitFacts | undefined, plans: Plans):
  Promise<WhyCode | undefined> {
    const plan = plans.get(run.plan)
    if (plan === undefined) return 'withdrawn'
    if (this.#isBarred(plan, run)) return 'acceptor'
    if (isOver(run, this.#options.kernel.now(), LOST_HOURS)) return 'goes_on'
    if (unit?.slots.some(({ limitC, material }) => material === '' || limitC < run.celsius)) return 'other_spool'
    return await this.#isInPrintsWay(run, session) ? 'print' : undefined
  }

  /** Whether its acceptor has been gone for a while: after a restart, users are not known at once. */
  #isBarred (plan: PlanRow, { printer }: RunRow): boolean {
    const { caller, kernel } = this.#options
    if (!isWhy(caller(plan, printer))) {
      this.#barredSince.delete(plan.id)
      return false
    }
    const since = this.#barredSince.get(plan.id) ?? kernel.now()
    this.#barredSince.set(plan.id, since)
    return kernel.now() - since >= BARRED_MS
  }

  /** A unit that dries cannot feed. While it is unknown which slots a print uses, it has a moment to show them. */
  async #isInPrintsWay ({ serial, unit }: RunRow, session: PrinterSession): Promise<boolean> {
    const { kernel, history, graceMs } = this.#options
    const now = kernel.now()
    if (session.state === undefined || !isPrinting(session, now)) {
      this.#printsSince.delete(serial)
      return false
    }
    if (isLoadedFrom(session.state, unit) || history === undefined) return true
    const since = this.#printsSince.get(serial) ?? now
    this.#printsSince.set(serial, since)
    const print = (await history.inProgress().catch(() => [])).find(print => print.serial === serial)
    const places = print?.filaments.map(({ place }) => place) ?? []
    if (places.some(place => place.startsWith(`ams ${unit} `))) return true
    const isKnown = places.length > 0 && !places.includes('')
    this.isWatching ||= !isKnown
    return !isKnown && now - since >= graceMs
  }
}
