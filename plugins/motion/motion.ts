import { withTimeout, type Kernel, type PluginContext, type PrinterSession } from '../../core/index.js'
import type { PlateChangeService } from '../plate-change/index.js'
import type { QueueService } from '../queue/index.js'
import { Holds, NEAR_MS, type Condition } from './holds.js'
import { AT_REST, homedOf, STARTS_ELSEWHERE, type Homed, type MotionFacts, type Why } from './why-not.js'

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
  readonly queue: () => { readonly store: Pick<QueueService['store'], 'beginMove' | 'endMove'> } | undefined
}

/** What became of keeping the queue away. */
interface KeptAway {
  /** Why nothing may be moved: a start is on its way. */
  readonly why?: Why | undefined
  /** Nothing is moved after all. */
  readonly letBack: () => Promise<void>
}

const isAllHomed = (homed: Homed | undefined): boolean => homed !== undefined && homed.x && homed.y && homed.z

type Reported = Pick<PrinterSession, 'config' | 'raw' | 'state'>

/** Lists of faults may be old: what counts is which of them are new. */
const conditionOf = ({ state }: Pick<PrinterSession, 'state'>): Condition => ({
  isAtRest: state !== undefined && AT_REST.has(state.job.gcodeState),
  faults: (state?.errors.faults ?? []).filter(({ type, ignored, critical }) => type !== 'command_error' && ignored !== true && critical)
    .map(({ type, digits }) => `${type} ${digits}`)
})

/** What is known of the moves of printers. */
export class Motion {
  readonly holds: Holds
  readonly #deps: MotionDeps

  constructor (deps: MotionDeps) {
    this.holds = new Holds(deps.steady)
    this.#deps = deps
  }

  /** A printer reported. */
  see (session: Reported): void {
    this.holds.see(session.config.serial, isAllHomed(homedOf(session)), conditionOf(session))
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

  releaseMotors (session: Reported): void {
    this.holds.releaseMotors(session.config.serial, conditionOf(session).faults)
  }

  /**
   * Keeps the queue from the printer while somebody may be at it, also that of another service, and after a restart of
   * this one. Without the database only the memory of this service does.
   */
  async keepQueueAway ({ name, config: { serial } }: Pick<PrinterSession, 'name' | 'config'>): Promise<KeptAway> {
    const { now, log, queue } = this.#deps
    const store = queue()?.store
    if (store === undefined) return { letBack: async () => {} }
    const at = now()
    const move = { serial, until: at + NEAR_MS, now: at }
    const inTime = <T>(work: Promise<T>) => withTimeout(DATABASE_MS, work, () => new Error('the database does not answer'))
    const warn = (error: unknown): undefined => {
      log.warn({ err: error, printer: name }, 'the queue cannot be paused for a move by hand')
    }
    const begun = await inTime(store.beginMove(move)).catch(warn)
    return {
      why: begun === 'starts' ? STARTS_ELSEWHERE : undefined,
      // The end of a pause that a move before this one needs is not known any more.
      letBack: async () => { if (begun === 'began') await inTime(store.endMove(move)).catch(warn) }
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
