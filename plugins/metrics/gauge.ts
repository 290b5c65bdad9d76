import type { Kernel } from '../../core/index.js'

/** A gauge, read at each scrape. */
export interface GaugeSpec {
  /** In Prometheus' style: lower case with underscores, ending with the unit; not `process_…` or `nodejs_…`. */
  readonly name: string
  readonly help: string
  readonly read: (kernel: Kernel) => number
}

/** Adds a gauge to `/metrics`. */
export const defineGauge = (spec: GaugeSpec): GaugeSpec => Object.freeze(spec)

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
/** Prefixes of the default metrics of the process, which exist from the first scrape on. */
const PROCESS = /^(process|nodejs)_/

/**
 * @param taken names already in use
 * @throws TypeError for a name that is invalid, a duplicate or reserved
 */
export function checkNames (gauges: readonly GaugeSpec[], taken: readonly string[]): void {
  const names = new Set(taken)
  for (const { name } of gauges) {
    if (!NAME.test(name)) throw new TypeError(`'${name}' is not a valid metric name: use letters, digits and _`)
    if (PROCESS.test(name)) throw new TypeError(`'${name}': names that begin with process_ or nodejs_ are reserved`)
    if (names.has(name)) throw new TypeError(`Two metrics are named '${name}'`)
    names.add(name)
  }
}
