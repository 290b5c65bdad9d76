import type { Alert } from '../alerts/index.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** An incident that did not occur for this long counts as new and is sent at once. */
const QUIET_MS = 10 * MINUTE_MS
/** Delays until repetitions are sent, combined in one message; they grow while the repetitions continue. */
const STEPS_MS = [1, 10, 30, 60].map(minutes => minutes * MINUTE_MS)
/** Then they are sent after a pause of this length, or at the latest after the second one. */
const SETTLE_MS = 30 * SECOND_MS
const LATEST_MS = 5 * MINUTE_MS
/** Bounds the memory for a printer that reports ever new codes; the incidents of other printers stay. */
const MOST_OF_PRINTER = 128

interface Incident {
  sentAt: number
  seenAt: number
  step: number
  /** Number of repetitions held back, and the time of the first. */
  count: number
  since: string
  held: Alert | undefined
}

type Holding = Incident & { readonly held: Alert }
const isHolding = (incident: Incident): incident is Holding => incident.held !== undefined

/** A combined message states how often, and since when. */
const repeated = ({ held, count, since }: Holding): Alert =>
  count <= 1 ? held : { ...held, payload: { ...held.payload, repeated: count, since } }

/** When the repetitions of an incident are sent. */
const dueAt = ({ sentAt, seenAt, step }: Incident): number => {
  const next = sentAt + (STEPS_MS[step] ?? 0)
  return Math.max(next, Math.min(seenAt + SETTLE_MS, next + LATEST_MS))
}

const isOver = ({ seenAt }: Incident, at: number): boolean => at - seenAt >= QUIET_MS

/** The last incidents of each printer by their keys, with the repetitions that are held back. */
export class Incidents {
  readonly #byPrinter = new Map<string, Map<string, Incident>>()
  /** Alerts of forgotten incidents, which are sent all the same. */
  #dropped: Alert[] = []

  /** What is held back, as it will be sent. */
  get held (): readonly Alert[] {
    return [...this.#dropped, ...[...this.#all()].filter(isHolding).map(repeated)]
  }

  /** @returns whether to send it now; otherwise it is held back */
  take (key: string, alert: Alert, at: number): boolean {
    const incidents = this.#byPrinter.get(alert.printer) ?? new Map<string, Incident>()
    this.#byPrinter.set(alert.printer, incidents)
    const known = incidents.get(key)
    incidents.delete(key)
    if (known === undefined || isOver(known, at)) {
      const { count = 0, since = alert.timestamp, held } = known ?? {}
      incidents.set(key, { sentAt: at, seenAt: at, step: 0, count, since, held })
      this.#dropOldest(incidents)
      return true
    }
    if (known.count === 0) known.since = alert.timestamp
    incidents.set(key, { ...known, seenAt: at, count: known.count + 1, held: alert })
    return false
  }

  /** Holds an alert back as part of an incident that still goes on. @returns whether there is one */
  join (key: string, alert: Alert, at: number): boolean {
    const known = this.#byPrinter.get(alert.printer)?.get(key)
    if (known === undefined || isOver(known, at)) return false
    known.seenAt = at
    const { held } = known
    const isFirst = held === undefined || known.count === 0
    known.held = isFirst ? alert : { ...held, payload: { ...held.payload, goes_on: true } }
    if (known.count === 0) known.since = alert.timestamp
    return true
  }

  /** What was held back long enough. @param isLast returns everything */
  due (at: number, isLast: boolean): Alert[] {
    const ready = this.#dropped
    this.#dropped = []
    for (const incident of this.#all()) {
      if (!isHolding(incident) || (!isLast && at < dueAt(incident))) continue
      ready.push(repeated(incident))
      const step = Math.min(incident.step + 1, STEPS_MS.length - 1)
      Object.assign(incident, { sentAt: at, step, count: 0, held: undefined })
    }
    return ready
  }

  * #all (): Generator<Incident> {
    for (const incidents of this.#byPrinter.values()) yield * incidents.values()
  }

  #dropOldest (incidents: Map<string, Incident>): void {
    const [oldest] = incidents
    if (incidents.size <= MOST_OF_PRINTER || oldest === undefined) return
    const [key, incident] = oldest
    incidents.delete(key)
    if (isHolding(incident)) this.#dropped.push(repeated(incident))
  }
}
