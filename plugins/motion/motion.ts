import type { PrinterSession } from '../../core/index.js'
import type { PlateChangeService } from '../plate-change/index.js'
import { Holds } from './holds.js'
import { homedOf, type MotionFacts } from './why-not.js'

type PlateClearer = Pick<PlateChangeService['clearer'], 'stored' | 'rowOf'>

/** What this service knows of the moves of its printers. */
export class Motion {
  readonly holds: Holds
  readonly #now: () => number
  readonly #clearer: () => PlateClearer | undefined

  /**
   * @param now ms since the epoch
   * @param steady ms, which never goes back
   * @param clearer who looks after plates between two prints, where that plugin is loaded
   */
  constructor (now: () => number, steady: () => number, clearer: () => PlateClearer | undefined) {
    this.holds = new Holds(steady)
    this.#now = now
    this.#clearer = clearer
  }

  facts (session: Pick<PrinterSession, 'config' | 'raw'>): MotionFacts {
    const { serial } = session.config
    const homed = homedOf(session)
    const now = this.#now()
    const left = this.holds.leftMs(serial, homed !== undefined && homed.x && homed.y && homed.z)
    return { now, plate: this.#plateOf(serial), movesUntil: now + left }
  }

  #plateOf (serial: string): MotionFacts['plate'] {
    const clearer = this.#clearer()
    if (clearer === undefined) return undefined
    if (clearer.stored === undefined) return 'unknown'
    const state = clearer.rowOf(serial)?.state
    return state === 'cooling' || state === 'checking' ? state : undefined
  }
}
