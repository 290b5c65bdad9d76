import type { Kernel } from '../../core/index.js'

/** A figure that is read when it is asked for. */
export interface GaugeSpec {
  /** As Prometheus wants it: lower case with underscores, the unit at its end; not `process_…` or `nodejs_…`. */
  readonly name: string
  readonly help: string
  readonly read: (kernel: Kernel) => number
}

/** Adds a figure to `/metrics`. */
export const defineGauge = (spec: GaugeSpec): GaugeSpec => Object.freeze(spec)

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
/** What the process itself does is told under these, from the first look on. */
const PROCESS = /^(process|nodejs)_/

/**
 * @param taken names that are in use already
 * @throws TypeError for a name that Prometheus does not take, that two have, or that the process itself may have
 */
export function checkNames (gauges: readonly GaugeSpec[], taken: readonly string[]): void {
  const names = new Set(taken)
  for (const { name } of gauges) {
    if (!NAME.test(name)) throw new TypeError(`'${name}' is no name for a figure: letters, digits and _`)
    if (PROCESS.test(name)) throw new TypeError(`'${name}': names that begin with process_ or nodejs_ are taken`)
    if (names.has(name)) throw new TypeError(`Two figures are named '${name}'`)
    names.add(name)
  }
}
