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
  /** Since when something could not be switched off, by run; Infinity once somebody was told. */
  readonly #left = new Map<string, number>()

  constructor (deps: HeatKeeperDeps) { this.#deps = deps }

  /** Called each turn. */
  see ({ heats, runs }: Pick<Snapshot, 'heats' | 'runs'>): void {
    const { kernel, isStarting } = this.#deps
    for (const id of this.#left.keys()) if (![...heats.values()].some(({ run }) => run === id)) this.#left.delete(id)
    for (const [serial, heat] of heats) {
      const run = runs.find(({ id }) => id === heat.run)
      const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
      if (session === undefined || session.remote !== undefined) continue
      if (!isInUse(heat, run, isStarting(heat.run), kernel.now())) void this.settle(heat, session)
      else if (run?.state === 'sending' && !isStarting(heat.run) && judgeHeat(heat, session, kernel.now()) === 'over') void this.#end(heat)
    }
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

  async #end (heat: Pick<HeatRecord, 'run'>): Promise<void> {
    const { store, log } = this.#deps
    await store.endHeat(heat).catch((error: unknown) => log.warn({ err: error }, 'the end of a warming could not be recorded'))
  }

  #tell ({ run, bedC }: HeatRecord, { name }: PrinterSession): void {
    const { kernel, raise } = this.#deps
    const now = kernel.now()
    const since = this.#left.get(run) ?? now
    this.#left.set(run, since)
    if (now - since < TELL_AFTER_MS) return
    this.#left.set(run, Infinity)
    const reason = `its bed was heated to ${bedC} °C before a print that did not begin, and could not be switched off: it may be hot`
    raise(name, { type: 'queue_blocked', severity: 'high', payload: { reason } })
  }
}
