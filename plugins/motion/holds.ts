/** Longest that homing is waited for, ms: the slowest models also wipe the nozzle. */
const HOMING_MS = 120_000
/** So long it cannot be over. */
const HOMING_LEAST_MS = 10_000
/** Between the acceptance of a command and its begin. */
const SPARE_MS = 500

/** So long after an act a person may still have their hands in the printer: no job of the queue starts on it, ms. */
export const NEAR_MS = 5 * 60_000

interface Homing {
  /** It is not over before. */
  readonly from: number
  /** Its report said that an axis is not homed: one that says so afterwards is of this homing, not from before. */
  wasLost: boolean
  /** The printer answered that it homes. */
  isAccepted: boolean
  /** It may have stopped half-way. */
  isDoubtful: boolean
}

/** What a report says beside the axes. */
export interface Condition {
  readonly isAtRest: boolean
  /** Codes of what keeps it from working. */
  readonly faults: readonly string[]
}

const SOUND: Condition = { isAtRest: true, faults: [] }

interface Released {
  /** Its report has said since that an axis is not homed. */
  wasLost: boolean
  /** What it reported by then: of a job that failed before, for example. */
  readonly faults: ReadonlySet<string>
}

interface Hold {
  readonly until: number
  /** Undefined for anything but homing. */
  readonly homing?: Homing
}

/** Acts by hand that printers are still busy with: one at a time, so that nobody sends ten while it goes on. */
export class Holds {
  readonly #holds = new Map<string, Hold>()
  readonly #last = new Map<string, number>()
  /** Printers whose motors were released. */
  readonly #released = new Map<string, Released>()
  readonly #now: () => number

  /** @param now ms, which never goes back */
  constructor (now: () => number) { this.#now = now }

  /** @param ms that it takes */
  begin (serial: string, ms: number): void {
    this.#last.set(serial, this.#now())
    this.#holds.set(serial, { until: this.#now() + ms + SPARE_MS })
  }

  /** @param isHomed by the last report */
  beginHoming (serial: string, isHomed: boolean): void {
    const now = this.#now()
    this.#last.set(serial, now)
    const homing = { from: now + HOMING_LEAST_MS, wasLost: !isHomed, isAccepted: false, isDoubtful: false }
    this.#holds.set(serial, { until: now + HOMING_MS, homing })
  }

  homingAccepted (serial: string): void {
    const { homing } = this.#holds.get(serial) ?? {}
    if (homing) homing.isAccepted = true
  }

  /** The printer has said that it does not do it; whoever wanted it is still near. */
  refused (serial: string): void { this.#holds.delete(serial) }

  /** @param faults that it reports now */
  releaseMotors (serial: string, faults: Condition['faults'] = []): void {
    this.begin(serial, 0)
    this.#released.set(serial, { wasLost: false, faults: new Set(faults) })
  }

  /** What a report says: it may be late, and nobody knows whether every firmware forgets its axes with the motors. */
  see (serial: string, isHomed: boolean, { isAtRest, faults }: Condition = SOUND): void {
    const { homing } = this.#holds.get(serial) ?? {}
    const released = this.#released.get(serial)
    if (homing && !isHomed) homing.wasLost = true
    const isSound = isAtRest && faults.every(code => released?.faults.has(code))
    if (homing && !isSound) homing.isDoubtful = true
    if (released && !isHomed) released.wasLost = true
    if (released?.wasLost === true && isHomed) this.#released.delete(serial)
  }

  /** How long it still lasts, ms; 0 when nothing does. @param isHomed by the last report */
  leftMs (serial: string, isHomed: boolean): number {
    const hold = this.#holds.get(serial)
    if (!hold) return 0
    const { until, homing } = hold
    const left = (homing?.wasLost === true && isHomed ? homing.from : until) - this.#now()
    if (left > 0) return left
    this.#holds.delete(serial)
    if (homing?.isAccepted === true && !homing.isDoubtful) this.#released.delete(serial)
    return 0
  }

  /** Its motors were released and it has not been homed since, whatever it reports. */
  isReleased (serial: string): boolean { return this.#released.has(serial) }

  /** How long somebody may still be at the printer, ms; 0 when nobody has moved it lately. */
  nearMs (serial: string): number {
    const at = this.#last.get(serial)
    if (at === undefined) return 0
    const left = at + NEAR_MS - this.#now()
    if (left <= 0) this.#last.delete(serial)
    return Math.max(0, left)
  }
}
