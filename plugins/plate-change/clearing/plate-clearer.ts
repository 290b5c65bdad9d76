import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, isActive, timeoutSignal, type Kernel, type PrinterSession } from '../../../core/index.js'
import type { Finding } from '../../alerts/index.js'
import { why, type PlateClearing, type QueueService, type Run, type Why } from '../../queue/index.js'
import type { Mask } from '../evidence/compare-pictures.js'
import type { Evidence } from '../evidence/types.js'
import type { Recipe } from '../recipe/types.js'
import type { PlateChangeStore, Stored } from '../store.js'
import type { RunRow, RunState } from '../tables.js'
import { acceptedRecipes, magazineOf, type AcceptedRecipe } from './accepted-recipe.js'
import { EndWatch } from './end-watch.js'
import { findEvidence, type EvidenceDeps } from './find-evidence.js'

export interface ClearingTiming {
  readonly tickMs: number
  /** Between two readings of what other services may have changed. */
  readonly refreshMs: number
  /** Longest wait for a sensor, and for all of a check. */
  readonly sensorMs: number
}

export interface PlateChange {
  readonly kind: 'cleared' | 'unsure' | 'magazine_empty'
  readonly printer: string
  readonly reason: string
  /** Of the queue's run. */
  readonly run: string
  readonly at: number
}

export interface PlateClearerDeps extends EvidenceDeps {
  readonly kernel: Kernel
  readonly queue: Pick<QueueService, 'observer' | 'runner' | 'store'>
  readonly store: PlateChangeStore
  readonly timing: ClearingTiming
  /** Other services may see to the same plates. */
  readonly isShared: boolean
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  readonly raise: (printer: string, finding: Finding) => void
  readonly happened: (change: PlateChange) => void
}

const HELD = { cooling: 'plate_cooling', checking: 'plate_checking', unsure: 'plate_unsure' } as const
const MINUTE_MS = 60_000
const CHECK_MS = 120_000
const UNSEEN_MS = 30 * MINUTE_MS
/** So long a plate is left to a service that has the camera or the broker which this one lacks. */
const ELSEWHERE_MS = 5 * MINUTE_MS

/**
 * Follows each print that carries a recipe to its end, and clears its plate if everything was found as it has to be.
 * It sends nothing to a printer. What it does not know for certain is left to a person.
 */
export class PlateClearer implements Pick<PlateClearing, 'handles' | 'alerts'> {
  readonly #deps: PlateClearerDeps
  readonly #checks = new Map<string, AbortController>()
  readonly #ends = new EndWatch()
  /** Since when another service may find what this one cannot, by row. */
  readonly #left = new Map<string, number>()
  #stored: Stored | undefined
  #readAt = -Infinity
  #isBusy = false
  #timer: NodeJS.Timeout | undefined

  constructor (deps: PlateClearerDeps) { this.#deps = deps }

  start (): void {
    this.#timer = setInterval(() => { void this.#tick() }, this.#deps.timing.tickMs)
    this.#timer.unref()
    void this.#tick()
  }

  close (): void {
    clearInterval(this.#timer)
    for (const check of this.#checks.values()) check.abort(new Error('the service ends'))
  }

  /** What was last read; undefined before that. */
  get stored (): Stored | undefined { return this.#stored }

  /** Reads what has changed. */
  async refresh (): Promise<Stored> {
    const stored = await this.#deps.store.load()
    this.#stored = stored
    this.#readAt = performance.now()
    this.#deps.queue.runner.wake()
    return stored
  }

  rowOf (serial: string): RunRow | undefined { return this.#stored?.runs.findLast(row => row.serial === serial) }

  /** Also what is not known is left alone. A print whose end was unclear stays with the person who was asked. */
  handles (serial: string): boolean { return this.#stored === undefined || this.rowOf(serial) !== undefined }

  alerts (serial: string): boolean { return this.rowOf(serial) !== undefined }

  /** Why the queue must not use a printer now. */
  heldBack ({ config: { serial } }: PrinterSession): Why | undefined {
    if (this.#stored === undefined) return why('plate_unknown')
    const state = this.rowOf(serial)?.state
    if (state === 'cooling' || state === 'checking' || state === 'unsure') return why(HELD[state])
    return magazineOf(this.#stored, serial)?.isEmpty === true ? why('magazine_empty') : undefined
  }

  /** A run of the queue has a new state. */
  async runChanged (run: Pick<Run, 'id' | 'serial' | 'state' | 'reason' | 'printer'>): Promise<void> {
    const row = this.#stored?.runs.find(({ id }) => id === run.id)
    if (row?.state !== 'inserted') return
    if (run.state === 'finished') await this.#finished(row, run.reason)
    else if (run.state === 'unknown') await this.#ask(row, ['inserted'], 'it is unknown whether the print ended', true)
    else if (run.state === 'failed' || run.state === 'cancelled') {
      if (await this.#move(row, ['inserted'], { state: 'over', reason: `the print ended ${run.state}` })) this.#alert(row, `the print ended ${run.state}`)
    } else if (run.state === 'not_started') await this.#move(row, ['inserted'], { state: 'over', reason: 'it was not started' })
  }

  async #finished (row: RunRow, said: string): Promise<void> {
    const plate = (await this.#deps.queue.store.plates()).get(row.serial)
    // A reason means that a person said so: the reports did not.
    if (said !== '' || plate?.state !== 'used' || plate.job === '') {
      return await this.#ask(row, ['inserted'], 'the end of the print was not observed', true)
    }
    const changed = { state: 'cooling', reason: '', identity: plate.job, plate_since: plate.changedAt } as const
    if (await this.#move(row, ['inserted'], changed, true)) this.#reportMagazine(row)
  }

  #reportMagazine ({ serial, printer, id }: RunRow): void {
    const magazine = this.#stored && magazineOf(this.#stored, serial)
    if (magazine?.isEmpty !== true) return
    const reason = `the magazine is empty after ${magazine.used} of ${magazine.size}`
    this.#deps.raise(printer, { type: 'queue_blocked', severity: 'medium', payload: { reason } })
    this.#happened('magazine_empty', printer, reason, id)
  }

  async #tick (): Promise<void> {
    if (this.#isBusy || this.#deps.kernel.signal.aborted) return
    this.#isBusy = true
    try {
      const isOld = performance.now() - this.#readAt >= this.#deps.timing.refreshMs
      if (this.#stored === undefined || isOld) {
        await this.refresh()
        await this.#catchUp()
      }
      const runs = this.#stored?.runs ?? []
      this.#ends.keep(runs)
      for (const id of this.#left.keys()) if (!runs.some(row => row.id === id)) this.#left.delete(id)
      for (const row of runs) {
        if (row.state === 'inserted') this.#watchEnd(row)
        else await this.#follow(row)
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'plates that were changed cannot be followed')
    } finally {
      this.#isBusy = false
    }
  }

  #watchEnd (row: RunRow): void {
    const recipe = this.#stored?.recipes.get(row.recipe)
    const minutes = this.#ends.late(row, this.#sessionOf(row), recipe, this.#deps.kernel.now())
    if (minutes === undefined) return
    this.#alert(row, `the print is at 100 % for more than ${minutes} min and does not end: perhaps it waits for a temperature`)
  }

  /** Of a printer that this service is connected to itself. */
  #sessionOf ({ serial }: RunRow): PrinterSession | undefined {
    const session = this.#deps.kernel.printers.sessions.find(({ config }) => config.serial === serial)
    return session?.remote === undefined ? session : undefined
  }

  /** Runs that ended while this service did not see it. */
  async #catchUp (): Promise<void> {
    const waiting = this.#stored?.runs.filter(({ state }) => state === 'inserted') ?? []
    if (waiting.length === 0) return
    const runs = await this.#deps.queue.store.runsOf([...new Set(waiting.map(({ job }) => job))])
    for (const row of waiting) {
      const run = runs.find(({ id }) => id === row.id)
      if (run === undefined) await this.#move(row, ['inserted'], { state: 'over', reason: 'the queue does not know it' })
      else await this.runChanged(run)
    }
  }

  async #follow (row: RunRow): Promise<void> {
    const { queue } = this.#deps
    const session = this.#sessionOf(row)
    if (session === undefined) return // another service has it
    const plate = (await queue.store.plates()).get(row.serial)
    const isSame = plate?.state === 'used' && (row.identity === '' || (plate.job === row.identity && plate.changedAt === row.plate_since))
    if (!isSame && (row.state !== 'unsure' || plate?.state === 'clear')) {
      this.#checks.get(row.serial)?.abort(new Error('the plate has changed'))
      await this.#move(row, ['cooling', 'checking', 'unsure'], { state: 'over', reason: 'somebody has seen to the plate' })
    } else if (row.state === 'cooling') await this.#cool(row, session)
    else if (row.state === 'checking' && !this.#checks.has(row.serial)) await this.#beginCheck(row, session)
  }

  async #cool (row: RunRow, session: PrinterSession): Promise<void> {
    const recipe = this.#recipeOf(row)
    if (!recipe) return await this.#ask(row, ['cooling'], 'its recipe is not accepted any more')
    const bedC = session.state?.heat.bed.actual // 0: not reported
    const isLate = this.#deps.kernel.now() - row.changed_at > recipe.cool_minutes * MINUTE_MS
    if (this.#isAtRest(row, session) && bedC !== undefined && bedC > 0 && bedC <= recipe.cool_c) {
      await this.#move(row, ['cooling'], { state: 'checking', reason: '' })
    } else if (isLate) {
      const now = hasCurrentState(session) && bedC !== undefined && bedC > 0 ? `the bed still has ${Math.round(bedC)} °C` : 'the printer cannot be seen'
      await this.#ask(row, ['cooling'], `after ${recipe.cool_minutes} min ${now}`)
    }
  }

  /** After a restart the printer has yet to report. */
  async #beginCheck (row: RunRow, session: PrinterSession): Promise<void> {
    const { kernel, timing } = this.#deps
    if (kernel.now() - (this.#left.get(row.id) ?? -Infinity) < ELSEWHERE_MS) return
    if (this.#isAtRest(row, session)) void this.#check(row, session, Math.max(timing.sensorMs, CHECK_MS))
    else if (kernel.now() - row.changed_at > UNSEEN_MS) await this.#ask(row, ['checking'], 'the printer cannot be seen')
  }

  /** The printer shows, now, the end of this very print. */
  #isAtRest ({ identity }: RunRow, session: PrinterSession): boolean {
    const { state } = session
    return state !== undefined && hasCurrentState(session) && !isActive(state.job.gcodeState) && identity !== '' &&
      this.#deps.queue.observer.identity(session) === identity
  }

  async #check (row: RunRow, session: PrinterSession, limitMs: number): Promise<void> {
    const { kernel, store, log } = this.#deps
    const own = new AbortController()
    this.#checks.set(row.serial, own)
    try {
      const recipe = this.#recipeOf(row)
      if (!recipe) return await this.#ask(row, ['checking'], 'its recipe is not accepted any more')
      const printer = (await store.load()).printers.get(row.serial)
      const evidence = await findEvidence(this.#deps, {
        session,
        recipe,
        mask: JSON.parse(printer?.mask ?? '[]') as Mask,
        measured: printer?.measured ?? '',
        signal: AbortSignal.any([own.signal, kernel.signal, timeoutSignal(limitMs)])
      })
      if (own.signal.aborted || kernel.signal.aborted) return
      await this.#decide(row, session, evidence)
    } catch (error) {
      log.warn({ err: error, printer: row.printer }, 'a plate could not be checked')
      if (!own.signal.aborted && !kernel.signal.aborted) await this.#ask(row, ['checking'], 'the check failed').catch(() => {})
    } finally {
      this.#checks.delete(row.serial)
    }
  }

  async #decide (row: RunRow, session: PrinterSession, { verdict, reason, isMissing }: Evidence): Promise<void> {
    const { queue, kernel, isShared } = this.#deps
    if (isMissing === true && isShared && !this.#left.has(row.id)) {
      this.#left.set(row.id, kernel.now())
      return
    }
    if (verdict !== 'empty') return await this.#ask(row, ['checking'], reason)
    await this.refresh()
    const recipe = this.#recipeOf(row)
    if (!recipe || this.#stored?.runs.find(({ id }) => id === row.id)?.state !== 'checking') return
    if (!this.#isAtRest(row, session)) return await this.#ask(row, ['checking'], 'the printer has changed during the check')
    const isClear = await queue.store.clearUsed({
      serial: row.serial, identity: row.identity, since: row.plate_since, by: `plate change '${recipe.name}'`, now: kernel.now()
    })
    if (!isClear) return
    await this.#move(row, ['checking'], { state: 'cleared', reason })
    this.#happened('cleared', row.printer, reason, row.id)
  }

  /** The recipe that the print carried, as long as it is accepted and unchanged. */
  #recipeOf ({ serial, recipe, hash }: RunRow): Recipe | undefined {
    const accepted: readonly AcceptedRecipe[] = this.#stored ? acceptedRecipes(this.#stored, serial) : []
    return accepted.find(one => one.recipe.id === recipe && one.acceptance.hash === hash)?.recipe
  }

  async #ask (row: RunRow, from: readonly RunState[], reason: string, isEjection = false): Promise<void> {
    if (!await this.#move(row, from, { state: 'unsure', reason }, isEjection)) return
    this.#alert(row, reason)
    this.#happened('unsure', row.printer, reason, row.id)
  }

  #alert ({ printer }: RunRow, reason: string): void {
    const job = this.#deps.kernel.printers.get(printer)?.state?.job.subtaskName ?? ''
    this.#deps.raise(printer, { type: 'plate_needs_clearing', severity: 'medium', payload: { job, reason } })
  }

  #happened (kind: PlateChange['kind'], printer: string, reason: string, run: string): void {
    this.#deps.log.info({ printer, kind, reason }, 'a changed plate')
    this.#deps.happened({ kind, printer, reason, run, at: this.#deps.kernel.now() })
  }

  /** @returns whether this service moved it */
  async #move (
    row: RunRow, from: readonly RunState[], values: Partial<RunRow> & Pick<RunRow, 'state'>, isEjection = false
  ): Promise<boolean> {
    const { store, kernel } = this.#deps
    const moved = await store.change(row, from, { ...values, changed_at: kernel.now() }, isEjection)
    await this.refresh()
    return moved
  }
}
