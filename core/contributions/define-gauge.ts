import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { gauges: GaugeSpec }
}

/** A value with its labels. */
export interface GaugeSample {
  /** By name of the label, as declared. */
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface GaugeBasics {
  /** In Prometheus' style: lower case with underscores, ending with the unit; not `process_…` or `nodejs_…`. */
  readonly name: string
  readonly help: string
}

/** One value. */
export interface PlainGauge extends GaugeBasics {
  readonly labels?: undefined
  readonly read: (kernel: Kernel) => number
}

/** A value for each thing, told apart by labels. */
export interface LabelledGauge extends GaugeBasics {
  /** Names of the labels. Their values should be few and stable. */
  readonly labels: readonly string[]
  /** The first thousand are shown. */
  readonly read: (kernel: Kernel) => readonly GaugeSample[]
}

/** A gauge, read at each scrape. */
export type GaugeSpec = PlainGauge | LabelledGauge

/** Adds a gauge to `/metrics`. */
export const defineGauge = <G extends GaugeSpec>(spec: G): G => Object.freeze(spec)
