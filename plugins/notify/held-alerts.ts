import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Type, type Static } from 'typebox'
import { openJsonStore, type JsonStore } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'

const MOST_ALERTS = 512
const MOST_CHARS = 4_096
/** Repetitions change often, and are written at most this often. */
const PAUSE_MS = 5_000

const Held = Type.Object({
  version: Type.Literal(1),
  alerts: Type.Array(Type.Object({
    type: Type.String(),
    printer: Type.String(),
    timestamp: Type.String(),
    severity: Type.Enum(['high', 'medium', 'low']),
    payload: Type.Record(Type.String(), Type.Unknown())
  }), { maxItems: MOST_ALERTS })
})
export type HeldStore = JsonStore<Static<typeof Held>>

/** @param folder of the plugin */
export const openHeldStore = (folder: string, warn: (message: string) => void): Promise<HeldStore> =>
  openJsonStore(join(folder, 'held.json'), { schema: Held, initial: { version: 1, alerts: [] }, warn, compact: true })

export interface HeldAlertsOptions {
  readonly store: HeldStore
  /** Alerts that are held back now. */
  readonly held: () => readonly Alert[]
  readonly redact: (text: string) => string
  /** Monotonic clock, ms. */
  readonly steady: () => number
  readonly log: Pick<FastifyBaseLogger, 'debug'>
}

const isShort = (alert: Alert): boolean => JSON.stringify(alert).length <= MOST_CHARS

/** Where not all can be kept, ever new faults of some printers must not push out that a print of another one failed. */
const failuresLast = (alerts: readonly Alert[]): readonly Alert[] =>
  [...alerts.filter(({ type }) => type !== 'job_failed'), ...alerts.filter(({ type }) => type === 'job_failed')]

/** Keeps alerts that are held back in a file, so that a killed service tells them at its next start. */
export class HeldAlerts {
  readonly #options: HeldAlertsOptions
  #left: readonly Alert[]
  #written = ''
  #nextAt = -Infinity

  constructor (options: HeldAlertsOptions) {
    this.#options = options
    this.#left = options.store.get().alerts
  }

  /** What an earlier run held back and did not send; only the first time. */
  takeLeft (): readonly Alert[] {
    const left = this.#left
    this.#left = []
    return left
  }

  /**
   * Call after each change and every second. What was sent stays in the file for a moment, until it is written
   * elsewhere: after a kill it is rather told twice than not at all.
   */
  write (isUrgent = false): void {
    const { store, held, redact, steady, log } = this.#options
    const at = steady()
    if (!isUrgent && at < this.#nextAt) return
    const alerts = failuresLast([...this.#left, ...held()]).slice(-MOST_ALERTS)
      .map(alert => isShort(alert) ? alert : { ...alert, payload: {} })
    const text = redact(JSON.stringify(alerts))
    if (text === this.#written || (alerts.length === 0 && store.get().alerts.length === 0)) return
    this.#written = text
    this.#nextAt = at + PAUSE_MS
    store.set({ version: 1, alerts: JSON.parse(text) as Alert[] }).catch((error: Error) => {
      this.#written = '' // tried again
      log.debug({ err: error }, 'alerts that are held back were not written')
    })
  }

  /** Resolves when nothing is being written. */
  async close (): Promise<void> {
    this.write(true)
    await this.#options.store.settled()
  }
}
