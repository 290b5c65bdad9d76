import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, isActive, isStartPending, type Kernel, type PrinterSession } from '../../../core/index.js'
import type { Finding } from '../../alerts/index.js'
import type { Store } from '../store/index.js'
import type { HeatRecord, Run, Snapshot } from '../types.js'
import { heatsChamber, switchOff } from './heaters.js'
import { LONGEST_MINUTES } from './limits.js'
import type { Heat, OwnHeat, OwnHeats } from './own-heats.js'

const MINUTE_MS = 60_000
/** After this time the printer shows what it was sent. */
const SHOWN_MS = 30_000
/** A start that has not become a print by then gets no more heat. */
const LATEST_MS = (LONGEST_MINUTES + 15) * MINUTE_MS
/** A person is told that something may be hot if it could not be switched off for so long. */
const TELL_AFTER_MS = 5 * MINUTE_MS
/** After this time nobody is told of a printer any more that was removed. */
const FORGOTTEN_MS = 24 * 60 * MINUTE_MS

export interface HeatKeeperDeps {
  readonly kernel: Kernel
  readonly store: Pick<Store, 'endHeat'>
  /** Known even while the database is away. */
  readonly ownHeats: OwnHeats
  /** Id of this service, the same across restarts. */
  readonly instance: string
  /** Whether this service is preparing or starting a run. */
  readonly isStarting: (run: string) => boolean
  readonly raise: (printer: string, finding: Finding) => void
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

type Heater = 'bed' | 'chamber'

/** What is to be done with heat that no start uses any more; `over`: it is not ours any more. */
export function judgeHeat (heat: HeatRecord, session: PrinterSession, now: number): 'wait' | 'over' | readonly Heater[] {
  const { state } = session
  if (state === undefined || !hasCurrentState(session)) return 'wait'
  if (isActive(state.job.gcodeState)) return 'over' // the print sets its own temperatures
  const age = now - heat.heatedAt
  const isFresh = age >= 0 && age < SHOWN_MS // not for an hour after the clock was set back by one
  const { bed, chamber } = state.heat
  const isChamberOurs = heatsChamber(session, heat) && (isFresh || chamber.target === heat.chamberC)
  const heaters: readonly Heater[] = [
    ...isFresh || bed.target === heat.bedC ? ['bed' as const] : [], ...isChamberOurs ? ['chamber' as const] : []
  ]
  return heaters.length === 0 ? 'over' : heaters // a person has set another target
}

/** Whether a start may still become the print that takes over the heat. */
export function isInUse ({ run: id, heatedAt }: HeatRecord, run: Run | undefined, isStarting: boolean, now: number):
boolean {
  if (isStarting) return true
  if (run?.id !== id) return false
  return (run.state === 'preparing' || run.state === 'sending') && now - heatedAt < LATEST_MS
}

/** What was warmed for a print is taken over by it or switched off by this, also after a kill of the service. */
export class HeatKeeper {
  readonly #deps: HeatKeeperDeps
  /** By run. */
  readonly #working = new Map<string, Promise<void>>()
  /** Serials of the printers that are claimed for it. */
  readonly #at = new Set<string>()
  /** Runs whose heat is over, which could not be recorded: a person may want the same temperature by now. */
  readonly #over = new Set<string>()
  /** Since when something could not be switched off, by run; Infinity once somebody was told. */
  readonly #left = new Map<string, number>()

  constructor (deps: HeatKeeperDeps) { this.#deps = deps }

  /** Call before a heater is switched on, and after it was stored. @throws Error when nothing may be heated */
  async begin (serial: string, heat: HeatRecord): Promise<void> {
    const { ownHeats, log } = this.#deps
    try {
      await ownHeats.begin(serial, heat)
    } catch (error) {
      log.warn({ err: error, printer: heat.printer }, 'what is to be heated cannot be written down')
      await this.#end(heat)
      throw new Error('it was not warmed: what is heated could not be written down before')
    }
  }

  /** The print of a run does not begin: switches off what was warmed for it, without the database. Never rejects. */
  async giveUp (run: string, session: PrinterSession): Promise<void> {
    const own = this.#deps.ownHeats.get(run)
    if (own === undefined) return
    own.isGivenUp = true
    await this.settle(own.heat, session)
  }

  /** Called each turn. @param snapshot undefined while the database cannot be read */
  see (snapshot?: Pick<Snapshot, 'heats' | 'runs'>): void {
    const stored = [...snapshot?.heats ?? []].map(([serial, heat]): Heat => ({ serial, heat }))
    const isStored = (run: string): boolean => stored.some(({ heat }) => heat.run === run)
    const unstored = this.#deps.ownHeats.all.filter(({ heat }) => !isStored(heat.run))
    const all = [...stored, ...unstored.filter(own => !snapshot || !this.#isOver(own, snapshot))]
    if (snapshot) for (const id of this.#over) if (!isStored(id)) this.#over.delete(id)
    for (const id of this.#left.keys()) if (!all.some(({ heat }) => heat.run === id)) this.#left.delete(id)
    for (const heat of all) this.#look(heat, snapshot?.runs)
  }

  /** Switches off what is still as it was heated. Never rejects: what could not be done is tried again next turn. */
  async settle (heat: HeatRecord, session: PrinterSession): Promise<void> {
    const { serial } = session.config
    const running = this.#working.get(heat.run) ?? this.#settle(heat, session).finally(() => {
      this.#working.delete(heat.run)
      this.#at.delete(serial)
    })
    this.#at.add(serial)
    this.#working.set(heat.run, running)
    await running
  }

  /** The printer shows the print of a run, which sets its own temperatures from now on. */
  async takenOver (run: string): Promise<void> { await this.#end({ run }) }

  /** Whether it is looking after a printer right now, which must then not be claimed for a start. */
  isAt (serial: string): boolean { return this.#at.has(serial) }

  async settled (): Promise<void> {
    await Promise.allSettled(this.#working.values())
    await this.#deps.ownHeats.settled()
  }

  /**
   * Heat that is not in the database, where it was stored before anything was heated: another service has ended it, and
   * may be heating for a print of its own. Only a database that lost its last rows with the power knows nothing of it.
   */
  #isOver ({ serial, heat, isLeft }: OwnHeat, { heats, runs }: Pick<Snapshot, 'heats' | 'runs'>): boolean {
    if (this.#deps.isStarting(heat.run)) return false
    if (isLeft && !heats.has(serial) && !runs.some(run => run.serial === serial)) return false
    void this.#forget(heat.run)
    return true
  }

  #look ({ serial, heat }: Heat, runs: readonly Run[] | undefined): void {
    const { kernel, instance } = this.#deps
    if (this.#over.has(heat.run)) {
      void this.#end(heat)
      return
    }
    const run = runs?.find(({ id }) => id === heat.run)
    const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
    if (session?.remote !== undefined) return
    const isUsed = this.#isUsed(heat, run, session, runs !== undefined)
    if (session === undefined) {
      if (isUsed || heat.owner !== instance) return
      this.#tell(heat, undefined)
      if (this.#isForgotten(serial, heat)) void this.#end(heat)
    } else if (!isUsed) {
      void this.settle(heat, session)
    } else if (run?.state !== 'preparing' && !this.#deps.isStarting(heat.run) && judgeHeat(heat, session, kernel.now()) === 'over') {
      void this.#end(heat)
    }
  }

  /** Whether a start may still become the print that takes over the heat. */
  #isUsed (heat: HeatRecord, run: Run | undefined, session: PrinterSession | undefined, isRead: boolean): boolean {
    const { kernel, instance, isStarting, ownHeats } = this.#deps
    const own = ownHeats.get(heat.run)
    if (own?.isGivenUp === true) return false
    const isOn = isStarting(heat.run)
    // Nobody goes on with what this service has warmed before it was started again, unless its print was sent.
    const isLeft = !isOn && heat.owner === instance && own?.isLeft !== false
    const now = kernel.now()
    if (!isRead) {
      const mayBegin = now - heat.heatedAt < LATEST_MS && (!isLeft || isStartPending(session?.context.start, now))
      return isOn || mayBegin
    }
    if (isLeft && run?.state === 'preparing') return false
    return isInUse(heat, run, isOn, now)
  }

  /** Its printer was removed, and somebody was told long ago. */
  #isForgotten (serial: string, { run, heatedAt }: HeatRecord): boolean {
    const { now, printers: { names, config } } = this.#deps.kernel
    if (this.#left.get(run) !== Infinity || now() - heatedAt < FORGOTTEN_MS) return false
    return !names.some(name => config(name)?.serial === serial)
  }

  async #settle (heat: HeatRecord, session: PrinterSession): Promise<void> {
    const { kernel, log } = this.#deps
    try {
      // Claimed, so that no print begins between the look at the printer and the command.
      const isDone = await session.exclusively('switching off what was warmed for a print', async () => {
        const what = judgeHeat(heat, session, kernel.now())
        if (what === 'wait' || what === 'over') return what === 'over'
        return await switchOff(kernel, session, what, 'the print it was warmed for does not begin')
      })
      if (isDone) return await this.#end(heat)
    } catch (error) {
      log.warn({ err: error, printer: session.name }, 'what was warmed for a print could not be switched off')
    }
    this.#tell(heat, session)
  }

  async #forget (run: string): Promise<void> {
    const { ownHeats, log } = this.#deps
    await ownHeats.end(run).catch((error: unknown) => log.warn({ err: error }, 'the end of a warming could not be written down'))
  }

  async #end ({ run }: Pick<HeatRecord, 'run'>): Promise<void> {
    const { store, log } = this.#deps
    this.#over.add(run)
    const forgotten = this.#forget(run)
    try {
      await store.endHeat({ run })
      this.#over.delete(run)
    } catch (error) {
      log.warn({ err: error }, 'the end of a warming could not be recorded')
    }
    await forgotten
  }

  /** @param session undefined: it was disconnected, or removed */
  #tell ({ run, printer, bedC }: HeatRecord, session: PrinterSession | undefined): void {
    const { kernel, raise } = this.#deps
    const now = kernel.now()
    const since = this.#left.get(run) ?? now
    this.#left.set(run, since)
    if (now - since < TELL_AFTER_MS) return
    this.#left.set(run, Infinity)
    const why = session ? 'could not be switched off' : 'was not switched off before the printer was disconnected'
    const reason = `its bed was heated to ${bedC} °C before a print that did not begin, and ${why}: it may be hot`
    raise(session?.name ?? printer, { type: 'queue_blocked', severity: 'high', payload: { reason } })
  }
}
