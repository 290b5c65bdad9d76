import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, isActive, type Kernel, type PrinterSession } from '../../../core/index.js'
import type { Finding } from '../../alerts/index.js'
import type { Store } from '../store/index.js'
import type { HeatRecord, Run, Snapshot } from '../types.js'
import { heatsChamber, switchOff } from './heaters.js'
import { LONGEST_MINUTES } from './limits.js'

const MINUTE_MS = 60_000
/** After this time the printer shows what it was sent. */
const SHOWN_MS = 30_000
/** A start that has not become a print by then gets no more heat. */
const LATEST_MS = (LONGEST_MINUTES + 15) * MINUTE_MS
/** A person is told that something may be hot if it could not be switched off for so long. */
const TELL_AFTER_MS = 5 * MINUTE_MS

export interface HeatKeeperDeps {
  readonly kernel: Kernel
  readonly store: Pick<Store, 'endHeat'>
  /** Id of this service, the same across restarts. */
  readonly instance: string
  /** Whether this service is preparing or starting a run. */
  readonly isStarting: (run: string) => boolean
  readonly raise: (printer: string, finding: Finding) => void
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

interface Heat { readonly serial: string, readonly heat: HeatRecord }

interface OwnHeat extends Heat { isGivenUp: boolean }

type Heater = 'bed' | 'chamber'

/** What is to be done with heat that no start uses any more; `over`: it is not ours any more. */
export function judgeHeat (heat: HeatRecord, session: PrinterSession, now: number): 'wait' | 'over' | readonly Heater[] {
  const { state } = session
  if (state === undefined || !hasCurrentState(session)) return 'wait'
  if (isActive(state.job.gcodeState)) return 'over' // the print sets its own temperatures
  const isFresh = now - heat.heatedAt < SHOWN_MS
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
  /** What this service has heated since its start, by run: known even while the database is away. */
  readonly #own = new Map<string, OwnHeat>()
  /** Runs whose heat is over, which could not be recorded: a person may want the same temperature by now. */
  readonly #over = new Set<string>()
  /** Since when something could not be switched off, by run; Infinity once somebody was told. */
  readonly #left = new Map<string, number>()

  constructor (deps: HeatKeeperDeps) { this.#deps = deps }

  /** Call before a heater is switched on. */
  begin (serial: string, heat: HeatRecord): void { this.#own.set(heat.run, { serial, heat, isGivenUp: false }) }

  /** The print of a run does not begin: switches off what was warmed for it, without the database. Never rejects. */
  async giveUp (run: string, session: PrinterSession): Promise<void> {
    const own = this.#own.get(run)
    if (own === undefined) return
    own.isGivenUp = true
    await this.settle(own.heat, session)
  }

  /** Called each turn. @param snapshot undefined while the database cannot be read */
  see (snapshot?: Pick<Snapshot, 'heats' | 'runs'>): void {
    const stored = [...snapshot?.heats ?? []].map(([serial, heat]): Heat => ({ serial, heat }))
    const isStored = (run: string): boolean => stored.some(({ heat }) => heat.run === run)
    const all = [...stored, ...[...this.#own.values()].filter(({ heat }) => !isStored(heat.run))]
    if (snapshot) for (const id of this.#over) if (!isStored(id)) this.#over.delete(id)
    for (const id of this.#left.keys()) if (!all.some(({ heat }) => heat.run === id)) this.#left.delete(id)
    for (const heat of all) this.#look(heat, snapshot?.runs, snapshot === undefined || isStored(heat.heat.run))
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

  async settled (): Promise<void> { await Promise.allSettled(this.#working.values()) }

  /** @param isOpen nobody else has recorded that it is over */
  #look ({ serial, heat }: Heat, runs: readonly Run[] | undefined, isOpen: boolean): void {
    const { kernel, instance } = this.#deps
    if (this.#over.has(heat.run)) {
      void this.#end(heat)
      return
    }
    const run = runs?.find(({ id }) => id === heat.run)
    const isUsed = this.#isUsed(heat, run, runs !== undefined)
    const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
    if (session?.remote !== undefined) return
    if (session === undefined) {
      if (!isOpen && !isUsed) this.#own.delete(heat.run)
      else if (!isUsed && heat.owner === instance) this.#tell(heat, undefined)
    } else if (!isUsed) {
      void this.settle(heat, session)
    } else if (run?.state !== 'preparing' && !this.#deps.isStarting(heat.run) && judgeHeat(heat, session, kernel.now()) === 'over') {
      void this.#end(heat)
    }
  }

  /** Whether a start may still become the print that takes over the heat. */
  #isUsed (heat: HeatRecord, run: Run | undefined, isRead: boolean): boolean {
    const { kernel, instance, isStarting } = this.#deps
    const own = this.#own.get(heat.run)
    if (own?.isGivenUp === true) return false
    const isOn = isStarting(heat.run)
    if (!isRead) return isOn || kernel.now() - heat.heatedAt < LATEST_MS
    // Nobody goes on with what this service has warmed before it was started again.
    if (!isOn && own === undefined && heat.owner === instance && run?.state === 'preparing') return false
    return isInUse(heat, run, isOn, kernel.now())
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

  async #end ({ run }: Pick<HeatRecord, 'run'>): Promise<void> {
    const { store, log } = this.#deps
    this.#own.delete(run)
    this.#over.add(run)
    try {
      await store.endHeat({ run })
      this.#over.delete(run)
    } catch (error) {
      log.warn({ err: error }, 'the end of a warming could not be recorded')
    }
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
