import type { PrinterState } from '../../../core/index.js'

/** How long the printer has been in each job state since the job began. */
export interface Durations {
  /** Goes on counting: the time since the report before belongs to the state that it told of. */
  add (state: PrinterState): void
  /** Begins anew. */
  reset (): void
  /** Seconds by state; another object whenever something changed. */
  readonly seconds: Readonly<Record<string, number>>
}

/** Printers know eight; one that makes up ever new states must not make us count them all. */
const MOST_STATES = 16
const round = (seconds: number) => Math.round(seconds * 1000) / 1000

export function createDurations (): Durations {
  let seconds: Readonly<Record<string, number>> = {}
  let before: { readonly name: string, readonly at: number } | undefined

  function count (name: string, more: number): void {
    const known = Object.hasOwn(seconds, name)
    if (name === '' || (!known && Object.keys(seconds).length >= MOST_STATES)) return
    if (!known || more > 0) seconds = { ...seconds, [name]: round((seconds[name] ?? 0) + more) }
  }

  return {
    get seconds () { return seconds },
    add ({ job: { gcodeState: name }, receivedAt: at }) {
      if (before) count(before.name, Math.max(0, at - before.at) / 1000)
      count(name, 0)
      before = { name, at }
    },
    reset () {
      seconds = {}
      before = undefined
    }
  }
}
