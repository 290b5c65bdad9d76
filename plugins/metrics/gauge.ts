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
