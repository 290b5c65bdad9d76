import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, type Kernel, type PrinterSession, type Services } from '../../core/index.js'
import type { History } from '../history/index.js'
import type { QueueService } from '../queue/index.js'
import { concerns, decide, PAUSE_MS } from './decide.js'
import { isDrying, isLoadedFrom, isPrinting, readUnits } from './read-units.js'
import type { Store } from './store.js'
import type { PlanRow, RunRow, RunState } from './tables.js'
import type { Setting, UnitFacts, Verdict, WhyCode } from './types.js'

/** Commands to units; they go through the operations, so that their checks hold and the audit knows of them. */
export interface Commands {
  start (printer: string, unit: number, setting: Setting & { readonly rotate: boolean }): Promise<void>
  stop (printer: string, unit: number): Promise<void>
}

export interface DryingsOptions {
  readonly kernel: Pick<Kernel, 'printers' | 'now' | 'redact' | 'signal'>
  readonly store: Store
  readonly spools: Services['spools']
  readonly queue: QueueService | undefined
  readonly history: Pick<History, 'inProgress'> | undefined
  readonly commands: Commands
  readonly changed: () => void
  readonly ended: (run: RunRow) => void
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Between two turns. */
  readonly turnMs: number
  /** How long a print may leave open which slots it uses. */
  readonly graceMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Between two looks at a print that has not shown its slots. */
const WATCH_MS = 2_000
/** A service that ended while it started a unit leaves it in that state. */
const START_MS = 5 * 60_000
/** Of its time, after which a drying counts as finished. */
const MOST_OF_IT = 0.95
/** So long after its time nothing dries any more, and others of its power group may begin. */
const LOST_HOURS = 1
/** Long enough for the pause, and for when units without known spools were dried. */
const LOOK_BACK_MS = 100 * DAY_MS

/** What is going on, for people. */
export interface Outlook {
  readonly plans: readonly PlanRow[]
  readonly runs: readonly RunRow[]
  readonly units: readonly (UnitFacts & { readonly verdicts: readonly (Verdict & { readonly plan: string })[] })[]
}

/** Begins and ends dryings by the accepted plans, one turn at a time, also beside another service with its database. */
export class Dryings {
  readonly #options: DryingsOptions
  #open: readonly RunRow[] = []
  /** What the last report said of printing, dryers and spools, by serial. */
  readonly #seen = new Map<string, readonly unknown[]>()
  /** Since when a printer is seen printing, by serial. */
  readonly #printsSince = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined
  #isAgain = false
  /** A print has not shown yet which slots it uses. */
  #isWatching = false
  #hasFailed = false

  constructor (options: DryingsOptions) { this.#options = options }

  /** The drying for which the queue is to leave a printer alone. */
  holding (serial: string): RunRow | undefined {
    return this.#open.find(run => run.serial === serial && run.holds_queue === 1)
  }

  /** Call with each report of a printer. */
  seen (session: PrinterSession): void {
    const { state, config: { serial } } = session
    if (state === undefined || !this.#open.some(run => run.serial === serial)) return
    const dryers = state.ams.units.map(({ dryer }) => dryer?.state)
    const now = [isPrinting(session, this.#options.kernel.now()), ...dryers, state.spools]
    const before = this.#seen.get(serial) ?? []
    this.#seen.set(serial, now)
    if (now.length !== before.length || now.some((value, at) => value !== before[at])) this.wake()
  }

  /** Takes a turn now, or another one after the one in progress. */
  wake (afterMs = 0): void {
    if (this.#options.kernel.signal.aborted) return
    if (this.#turn !== undefined) {
      this.#isAgain ||= afterMs === 0
      return
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => { this.#turn ??= this.#take() }, afterMs).unref()
  }

  async close (): Promise<void> {
    clearTimeout(this.#timer)
    await this.#turn
  }

  /** What each plan would do with each unit now, also plans that nobody accepted. */
  async outlook (): Promise<Outlook> {
    const { store, kernel } = this.#options
    const now = kernel.now()
    const [plans, runs, newest] = await Promise.all([store.plans(), store.runsSince(now - LOOK_BACK_MS), store.runs()])
    const units = await readUnits({ ...this.#options, runs })
    return {
      plans,
      runs: newest,
      units: units.map(unit => ({
        ...unit,
        verdicts: plans.filter(plan => concerns(plan, unit))
          .map(plan => ({ plan: plan.id, ...decide(plan, unit, { now, runs }) }))
      }))
    }
  }

  async #take (): Promise<void> {
    const { log, turnMs, kernel } = this.#options
    this.#isWatching = false
    try {
      await this.#settleAll()
      await this.#beginAll()
      await this.#tellSpools()
      this.#hasFailed = false
    } catch (error) {
      if (!kernel.signal.aborted && !this.#hasFailed) log.warn({ err: error }, 'drying plans cannot be followed now; retrying')
      this.#hasFailed = true
    }
    this.#turn = undefined
    const isAgain = this.#isAgain && !this.#hasFailed
    this.#isAgain = false
    this.wake(isAgain ? 0 : this.#isWatching ? Math.min(WATCH_MS, turnMs) : turnMs)
  }

  async #settleAll (): Promise<void> {
    const { store } = this.#options
    this.#open = await store.openRuns()
    if (this.#open.length === 0) return
    const plans = new Set((await store.plans()).filter(plan => plan.accepted_by !== '').map(({ id }) => id))
    const facts = await readUnits({ ...this.#options, queue: undefined, runs: [] })
    for (const run of this.#open) {
      const session = this.#sessionOf(run)
      const unit = session?.state?.ams.units.find(({ id }) => id === run.unit)
      if (!session || !hasCurrentState(session)) { // nothing is decided by an old state
        if (this.#options.kernel.now() > run.began_at + (run.hours + LOST_HOURS) * HOUR_MS) await this.#end(run, 'stopped', 'lost')
        continue
      }
      const own = facts.find(({ serial, unit }) => serial === run.serial && unit === run.unit)
      if (run.state === 'starting') await this.#settleStart(run, unit !== undefined && isDrying(unit))
      else if (unit !== undefined && isDrying(unit)) await this.#endIfNeeded(run, session, own, plans)
      else await this.#settleEnd(run)
    }
    this.#open = await store.openRuns()
  }

  #sessionOf ({ serial }: RunRow): PrinterSession | undefined {
    const { sessions } = this.#options.kernel.printers
    return sessions.find(({ config, remote }) => config.serial === serial && remote === undefined)
  }

  async #settleStart (run: RunRow, dries: boolean): Promise<void> {
    const isOld = this.#options.kernel.now() - run.began_at > START_MS
    if (!isOld) return // the service that claimed it may still be waiting for the unit
    if (dries) await this.#step(run, { state: 'drying' })
    else await this.#end(run, 'failed', 'restarted')
  }

  /** Ends a drying that would heat too much, keep a print waiting, or that nobody wants any more. */
  async #endIfNeeded (run: RunRow, session: PrinterSession, unit: UnitFacts | undefined, plans: ReadonlySet<string>):
  Promise<void> {
    const reason = run.state === 'stopping' ? undefined : await this.#whyEnd(run, session, unit, plans)
    if (run.state === 'drying' && reason === undefined) return
    if (reason !== undefined && !await this.#step(run, { state: 'stopping', reason })) return
    await this.#options.commands.stop(session.name, run.unit)
      .catch((error: unknown) => this.#options.log.warn({ err: error, printer: session.name, unit: run.unit }, 'a drying could not be ended; retrying'))
  }

  async #whyEnd (run: RunRow, session: PrinterSession, unit: UnitFacts | undefined, plans: ReadonlySet<string>):
  Promise<WhyCode | undefined> {
    if (!plans.has(run.plan)) return 'withdrawn'
    if (unit?.slots.some(({ limitC, material }) => material === '' || limitC < run.celsius)) return 'other_spool'
    return await this.#isInPrintsWay(run, session) ? 'print' : undefined
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
    const print = (await history.inProgress()).find(print => print.serial === serial)
    const places = print?.filaments.map(({ place }) => place) ?? []
    if (places.some(place => place.startsWith(`ams ${unit} `))) return true
    const isKnown = places.length > 0 && !places.includes('')
    this.#isWatching ||= !isKnown
    return !isKnown && now - since >= graceMs
  }

  async #settleEnd (run: RunRow): Promise<void> {
    const passed = this.#options.kernel.now() - run.began_at
    if (run.state === 'stopping') await this.#end(run, 'stopped', run.reason)
    else if (passed >= run.hours * HOUR_MS * MOST_OF_IT) await this.#end(run, 'finished', '')
    else await this.#end(run, 'stopped', 'ended_there')
  }

  async #step (run: RunRow, to: Partial<RunRow>): Promise<boolean> {
    const isOurs = await this.#options.store.step(run.id, run.state, to)
    if (isOurs) this.#options.changed()
    return isOurs
  }

  async #end (run: RunRow, state: RunState, reason: string): Promise<void> {
    const to = { state, reason, ended_at: this.#options.kernel.now() }
    if (await this.#step(run, to)) this.#options.ended({ ...run, ...to })
  }

  async #beginAll (): Promise<void> {
    const { store, kernel } = this.#options
    const plans = (await store.plans()).filter(plan => plan.accepted_by !== '')
    if (plans.length === 0) return
    const now = kernel.now()
    let runs = await store.runsSince(now - LOOK_BACK_MS)
    const units = await readUnits({ ...this.#options, runs })
    for (const plan of plans) {
      for (const unit of units.filter(unit => concerns(plan, unit))) {
        if (kernel.signal.aborted) return
        const { reasons, setting } = decide(plan, unit, { now, runs })
        if (reasons.length > 0 || setting === undefined || !await this.#begin(plan, unit, setting)) continue
        runs = await store.runsSince(now - LOOK_BACK_MS)
      }
    }
  }

  async #begin (plan: PlanRow, unit: UnitFacts, setting: Setting): Promise<boolean> {
    const { store, kernel, commands, changed, log } = this.#options
    const run: RunRow = {
      id: randomUUID(),
      plan: plan.id,
      plan_name: plan.name,
      serial: unit.serial,
      printer: unit.printer,
      unit: unit.unit,
      power_group: plan.power_group,
      holds_queue: plan.holds_queue,
      ...setting,
      spools: unit.slots.map(({ spool }) => spool).filter(Boolean).join(','),
      materials: [...new Set(unit.slots.map(({ material }) => material))].join(','),
      state: 'starting',
      reason: '',
      began_at: kernel.now(),
      ended_at: null,
      told: 0
    }
    if (!await store.claim(run, plan, PAUSE_MS)) return false
    this.#open = [...this.#open, run]
    changed()
    try {
      await commands.start(unit.printer, unit.unit, { ...setting, rotate: plan.rotate === 1 })
      await this.#step(run, { state: 'drying' })
      log.info({ plan: plan.name, printer: unit.printer, unit: unit.unit, ...setting }, 'a drying began')
    } catch (error) {
      if (kernel.signal.aborted) throw error // whether it dries shows after the restart
      await this.#end(run, 'failed', kernel.redact(error instanceof Error ? error.message : String(error)).slice(0, 300))
    }
    return true
  }

  /** Notes finished dryings with their spools; repeated until it is done. */
  async #tellSpools (): Promise<void> {
    const { store, spools, kernel } = this.#options
    if (spools.kind !== 'prnd') return
    for (const run of await store.untold(kernel.now())) {
      const ids = run.spools.split(',').filter(Boolean)
      const known = new Set((await spools.inventory.list()).map(({ id }) => id))
      const note = `${run.hours} h · ${run.celsius} °C · ${run.plan_name}`
      const drying = { id: run.id, at: run.ended_at ?? kernel.now() }
      await spools.inventory.dried(ids.filter(id => known.has(id)), drying, note, run.printer)
      await store.markTold(run.id)
    }
  }
}
