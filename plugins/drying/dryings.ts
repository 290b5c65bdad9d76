import { randomUUID } from 'node:crypto'
import { hasCurrentState, isServiceError, type AmsUnit, type PrinterSession } from '../../core/index.js'
import { isWhy } from './acceptor.js'
import { concerns, decide, lookBackFrom, PAUSE_MS, stillIn } from './decide.js'
import { NO_SPOOLS, type DryingsOptions, type Outlook } from './dryings-options.js'
import { hasFault, hotUnits, isPrinting, mayHeat, readUnits } from './read-units.js'
import type { PlanRow, RunRow, RunState } from './tables.js'
import type { Setting, UnitFacts, Why, WhyCode } from './types.js'
import { HOUR_MS, isOver, LOST_HOURS, WhyEnd, type Plans } from './why-end.js'

/** Between two looks at a print that has not shown its slots. */
const WATCH_MS = 2_000
/** So long it may be unknown whether a unit dries; then it is told to stop. */
const START_MS = 5 * 60_000
/** Of its time, after which a drying counts as finished. */
const MOST_OF_IT = 0.95
/** So long after its time a unit is told to stop. */
const GIVE_UP_HOURS = 2
/** Reasons to stop that are faults. */
const FAILURES: readonly string[] = ['unit_fault', 'unclear', 'goes_on'] satisfies WhyCode[]
/** Errors after which the unit has not begun: nothing was sent, or the printer refused it. After all others it may. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  'PRN_ERR_CANNOT_DRY', 'PRN_ERR_NO_AMS_UNIT', 'PRN_ERR_REFUSED', 'PRN_ERR_SIGNATURE_REQUIRED', 'PRN_ERR_ROLE_TOO_LOW',
  'PRN_ERR_ALL_PRINTERS_ONLY', 'PRN_ERR_TRUSTED_ONLY'
])
/** Begins and ends dryings by the accepted plans, one turn at a time, also beside another service with its database. */
export class Dryings {
  readonly #options: DryingsOptions
  readonly #whyEnd: WhyEnd
  #open: readonly RunRow[] = []
  /** What the last report said of printing, dryers and spools, by serial. */
  readonly #seen = new Map<string, readonly unknown[]>()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined
  #isAgain = false
  #hasFailed = false
  /** Accepted ones, as they were last read. */
  #plans: Plans = new Map()
  /** Runs whose fault was told. */
  readonly #alarmed = new Set<string>()

  constructor (options: DryingsOptions) {
    this.#options = options
    this.#whyEnd = new WhyEnd(options)
  }

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
    const plans = await store.plans()
    const [runs, newest] = await Promise.all([store.runsSince(lookBackFrom(plans, now)), store.runs()])
    const units = await readUnits({ ...this.#options, runs })
    const around = { now, runs, plans, hot: hotUnits(kernel.printers) }
    return {
      plans,
      runs: newest,
      units: units.map(unit => ({
        ...unit,
        verdicts: plans.filter(plan => concerns(plan, unit))
          .map(plan => ({ plan: plan.id, ...decide(plan, unit, { ...around, barred: this.#barred(plan, unit) }) }))
      }))
    }
  }

  #barred (plan: PlanRow, { printer }: UnitFacts): Why | undefined {
    const caller = this.#options.caller(plan, printer)
    return isWhy(caller) ? caller : undefined
  }

  async #take (): Promise<void> {
    const { log, turnMs, kernel } = this.#options
    this.#whyEnd.isWatching = false
    try {
      await this.#settleAll()
      await this.#beginAll()
      await this.#tellSpools()
      this.#hasFailed = false
    } catch (error) {
      if (!kernel.signal.aborted && !this.#hasFailed) log.warn({ err: error }, 'drying plans cannot be followed now; retrying')
      this.#hasFailed = true
      await this.#guard()
    }
    this.#turn = undefined
    const isAgain = this.#isAgain && !this.#hasFailed
    this.#isAgain = false
    this.wake(isAgain ? 0 : this.#whyEnd.isWatching ? Math.min(WATCH_MS, turnMs) : turnMs)
  }

  async #settleAll (): Promise<void> {
    const { store } = this.#options
    this.#open = await store.openRuns()
    if (this.#open.length === 0) return
    const plans = this.#plans = new Map((await store.plans()).filter(plan => plan.accepted_by !== '').map(plan => [plan.id, plan]))
    const facts = await readUnits({ ...this.#options, queue: undefined, runs: [] })
    for (const run of this.#open) {
      const session = this.#sessionOf(run)
      const unit = session?.state?.ams.units.find(({ id }) => id === run.unit)
      if (!session || !hasCurrentState(session) || unit?.dryer === undefined) { // nothing is decided by an old state
        if (isOver(run, this.#options.kernel.now(), LOST_HOURS)) await this.#end(run, run.state === 'starting' ? 'failed' : 'stopped', 'lost')
        continue
      }
      const own = facts.find(({ serial, unit }) => serial === run.serial && unit === run.unit)
      if (mayHeat(unit)) await this.#watch(run, session, unit, own, plans)
      else await this.#settleEnd(run, session, own)
    }
    this.#open = await store.openRuns()
  }

  /** While the database is away, units still end where they heat too much or are in the way; that is noted later. */
  async #guard (): Promise<void> {
    const { kernel, log } = this.#options
    try {
      const facts = await readUnits({ ...this.#options, spools: NO_SPOOLS, queue: undefined, runs: [] })
      for (const run of this.#open) {
        const session = this.#sessionOf(run)
        const unit = session?.state?.ams.units.find(({ id }) => id === run.unit)
        if (!session || !hasCurrentState(session) || unit === undefined || !mayHeat(unit)) continue
        const own = facts.find(({ serial, unit }) => serial === run.serial && unit === run.unit)
        const reason = hasFault(unit) ? 'unit_fault' : await this.#whyEnd.find(run, session, own, this.#plans)
        if (reason === 'unit_fault') this.#alarm({ ...run, reason })
        if (reason !== undefined || run.state === 'stopping') await this.#send(run, session)
      }
    } catch (error) {
      if (!kernel.signal.aborted) log.warn({ err: error }, 'dryings cannot be watched now; retrying')
    }
  }

  #sessionOf ({ serial }: RunRow): PrinterSession | undefined {
    const { sessions } = this.#options.kernel.printers
    return sessions.find(({ config, remote }) => config.serial === serial && remote === undefined)
  }

  /** A unit that may heat: it ends where it would heat too much, keep a print waiting, or nobody wants it any more. */
  async #watch (run: RunRow, session: PrinterSession, unit: AmsUnit, facts: UnitFacts | undefined, plans: Plans):
  Promise<void> {
    if (run.state === 'stopping') {
      if (isOver(run, this.#options.kernel.now(), GIVE_UP_HOURS)) await this.#end(run, 'failed', run.reason)
      else await this.#stop(run, session)
      return
    }
    const reason = hasFault(unit) ? 'unit_fault' : await this.#whyEnd.find(run, session, facts, plans)
    if (reason !== undefined) await this.#stop(run, session, reason)
    else if (run.state === 'starting' && unit.dryer?.state === 'DRYING') await this.#step(run, { state: 'drying' })
    else if (run.state === 'starting' && this.#isStartOver(run)) await this.#stop(run, session, 'unclear')
  }

  #isStartOver ({ began_at: beganAt }: RunRow): boolean { return this.#options.kernel.now() - beganAt > START_MS }

  /** Sends the command. @param reason left out: again */
  async #stop (run: RunRow, session: PrinterSession, reason?: WhyCode): Promise<void> {
    if (reason !== undefined) {
      if (!await this.#step(run, { state: 'stopping', reason })) return
      if (reason === 'unit_fault') this.#alarm({ ...run, state: 'stopping', reason })
    }
    await this.#send(run, session)
  }

  #alarm (run: RunRow): void {
    if (!this.#alarmed.has(run.id)) this.#options.alarm(run)
    this.#alarmed.add(run.id)
  }

  async #send (run: RunRow, session: PrinterSession): Promise<void> {
    const { commands, log } = this.#options
    await commands.stop(session.name, run.unit)
      .catch((error: unknown) => log.warn({ err: error, printer: session.name, unit: run.unit }, 'a drying could not be ended; retrying'))
  }

  /** A unit that does not heat. */
  async #settleEnd (run: RunRow, session: PrinterSession, facts: UnitFacts | undefined): Promise<void> {
    const passed = this.#options.kernel.now() - run.began_at
    if (run.state === 'starting') { // the command may still be on its way
      if (this.#isStartOver(run)) await this.#stop(run, session, 'unclear')
    } else if (run.state === 'stopping') await this.#end(run, FAILURES.includes(run.reason) ? 'failed' : 'stopped', run.reason)
    else if (passed >= run.hours * HOUR_MS * MOST_OF_IT) await this.#end({ ...run, spools: stillIn(run, facts) }, 'finished', '')
    else await this.#end(run, 'stopped', 'ended_there')
  }

  async #step (run: RunRow, to: Partial<RunRow>): Promise<boolean> {
    const isOurs = await this.#options.store.step(run.id, run.state, to)
    if (isOurs) this.#options.changed()
    return isOurs
  }

  async #end (run: RunRow, state: RunState, reason: string): Promise<void> {
    const to = { state, reason, ended_at: this.#options.kernel.now(), spools: run.spools }
    if (await this.#step(run, to)) this.#options.ended({ ...run, ...to })
  }

  async #beginAll (): Promise<void> {
    const { store, kernel } = this.#options
    const all = await store.plans()
    const plans = all.filter(plan => plan.accepted_by !== '')
    if (plans.length === 0) return
    const now = kernel.now()
    const from = lookBackFrom(all, now)
    let runs = await store.runsSince(from)
    const units = await readUnits({ ...this.#options, runs })
    for (const plan of plans) {
      for (const unit of units.filter(unit => concerns(plan, unit))) {
        if (kernel.signal.aborted) return
        const around = { now, runs, plans: all, hot: hotUnits(kernel.printers), barred: this.#barred(plan, unit) }
        const { reasons, setting } = decide(plan, unit, around)
        if (reasons.length > 0 || setting === undefined || !await this.#begin(plan, unit, setting)) continue
        runs = await store.runsSince(from)
      }
    }
  }

  async #begin (plan: PlanRow, unit: UnitFacts, setting: Setting): Promise<boolean> {
    const caller = this.#options.caller(plan, unit.printer)
    if (isWhy(caller)) return false
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
      await commands.start(unit.printer, unit.unit, { ...setting, rotate: plan.rotate === 1 }, caller)
      await this.#step(run, { state: 'drying' })
      log.info({ plan: plan.name, printer: unit.printer, unit: unit.unit, ...setting }, 'a drying began')
    } catch (error) {
      if (kernel.signal.aborted) throw error // whether it dries shows after the restart
      // It may heat: the run stays open, and holds its power group.
      if (!isServiceError(error) || !NOT_BEGUN.has(error.code)) {
        log.warn({ err: error, printer: unit.printer, unit: unit.unit }, 'whether a drying began is not known yet')
        return true
      }
      await this.#end(run, 'failed', kernel.redact(error.message).slice(0, 300))
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
