import { withTimeout, type Kernel, type PluginContext, type PrinterSession } from '../../core/index.js'
import type { PlateChangeService } from '../plate-change/index.js'
import { pauseOfPrinter, type QueueService } from '../queue/index.js'
import { Holds, NEAR_MS } from './holds.js'
import { homedOf, STARTS_ELSEWHERE, type Homed, type MotionFacts, type Why } from './why-not.js'

/** So long a database is waited for: a person stands by. */
const DATABASE_MS = 4_000
const NOT_HOMED: Homed = { x: false, y: false, z: false }

export interface MotionDeps {
  readonly now: Kernel['now']
  readonly log: Pick<PluginContext['log'], 'warn'>
  /** ms, which never goes back. */
  readonly steady: () => number
  /** Who looks after plates between two prints, where that plugin is loaded. */
  readonly clearer: () => Pick<PlateChangeService['clearer'], 'stored' | 'rowOf'> | undefined
  /** Where that plugin is loaded. */
  readonly queue: () => { readonly store: Pick<QueueService['store'], 'pause' | 'activeRun'> } | undefined
}

const isAllHomed = (homed: Homed | undefined): boolean => homed !== undefined && homed.x && homed.y && homed.z

/** What is known of the moves of printers. */
export class Motion {
  readonly holds: Holds
  readonly #deps: MotionDeps

  constructor (deps: MotionDeps) {
    this.holds = new Holds(deps.steady)
    this.#deps = deps
  }

  /** A printer reported. */
  see (session: Pick<PrinterSession, 'config' | 'raw'>): void {
    this.holds.see(session.config.serial, isAllHomed(homedOf(session)))
  }

  facts (session: Pick<PrinterSession, 'config' | 'raw'>): MotionFacts {
    const { serial } = session.config
    const now = this.#deps.now()
    const left = this.holds.leftMs(serial, isAllHomed(homedOf(session)))
    return { now, plate: this.#plateOf(serial), movesUntil: now + left }
  }

  /** Axes whose position is known: none after the motors were released, whatever the printer reports. */
  homed (session: Pick<PrinterSession, 'config' | 'raw'>): Homed | undefined {
    const homed = homedOf(session)
    this.holds.leftMs(session.config.serial, isAllHomed(homed)) // a homing may have ended
    return homed && this.holds.isReleased(session.config.serial) ? NOT_HOMED : homed
  }

  beginHoming (session: Pick<PrinterSession, 'config' | 'raw'>): void {
    this.holds.beginHoming(session.config.serial, isAllHomed(homedOf(session)))
  }

  /**
   * Keeps the queue from the printer while somebody may be at it, also that of another service, and after a restart of
   * this one. Without the database only the memory of this service does.
   * @returns why nothing may be moved: a start is on its way
   */
  async keepQueueAway ({ name, config: { serial } }: Pick<PrinterSession, 'name' | 'config'>): Promise<Why | undefined> {
    const { now, log, queue } = this.#deps
    const store = queue()?.store
    if (store === undefined) return undefined
    const at = now()
    const pauseAndLook = async () => {
      await store.pause({ id: pauseOfPrinter(name), until: at + NEAR_MS, by: 'moved by hand', now: at })
      return await store.activeRun(serial)
    }
    try {
      const run = await withTimeout(DATABASE_MS, pauseAndLook(), () => new Error('the database does not answer'))
      return run?.state === 'sending' ? STARTS_ELSEWHERE : undefined
    } catch (error) {
      log.warn({ err: error, printer: name }, 'the queue cannot be paused for a move by hand')
      return undefined
    }
  }

  #plateOf (serial: string): MotionFacts['plate'] {
    const clearer = this.#deps.clearer()
    if (clearer === undefined) return undefined
    if (clearer.stored === undefined) return 'unknown'
    const state = clearer.rowOf(serial)?.state
    return state === 'cooling' || state === 'checking' ? state : undefined
  }
}
