/** Longest that homing is waited for, ms: the slowest models also wipe the nozzle. */
const HOMING_MS = 120_000
/** So long it cannot be over: the axes may be reported as homed from before. */
const HOMING_LEAST_MS = 10_000
/** Between the acceptance of a command and its begin. */
const SPARE_MS = 500

/** So long after an act a person may still have their hands in the printer: no job of the queue starts on it, ms. */
const NEAR_MS = 5 * 60_000

interface Hold {
  readonly until: number
  /** From then on it is over as soon as all axes are homed; undefined for anything but homing. */
  readonly homedFrom?: number
}

/** Acts by hand that printers are still busy with: one at a time, so that nobody sends ten while it goes on. */
export class Holds {
  readonly #holds = new Map<string, Hold>()
  readonly #last = new Map<string, number>()
  readonly #now: () => number

  /** @param now ms, which never goes back */
  constructor (now: () => number) { this.#now = now }

  /** @param ms that it takes */
  begin (serial: string, ms: number): void {
    this.#last.set(serial, this.#now())
    this.#holds.set(serial, { until: this.#now() + ms + SPARE_MS })
  }

  beginHoming (serial: string): void {
    const now = this.#now()
    this.#last.set(serial, now)
    this.#holds.set(serial, { until: now + HOMING_MS, homedFrom: now + HOMING_LEAST_MS })
  }

  /** How long it still lasts, ms; 0 when nothing does. */
  leftMs (serial: string, isHomed: boolean): number {
    const hold = this.#holds.get(serial)
    if (!hold) return 0
    const until = isHomed ? hold.homedFrom ?? hold.until : hold.until
    const left = until - this.#now()
    if (left <= 0) this.#holds.delete(serial)
    return Math.max(0, left)
  }

  /** How long somebody may still be at the printer, ms; 0 when nobody has moved it lately. */
  nearMs (serial: string): number {
    const at = this.#last.get(serial)
    if (at === undefined) return 0
    const left = at + NEAR_MS - this.#now()
    if (left <= 0) this.#last.delete(serial)
    return Math.max(0, left)
  }
}
