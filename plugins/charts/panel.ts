import type { ModelInfo, PrinterState } from '../../core/index.js'
import type { HealthRecord, MonitoringData } from '../telemetry/index.js'

/** Everything that a chart may show about a printer. */
export interface ChartView {
  /** Name of the printer. */
  readonly printer: string
  readonly model: ModelInfo
  /** ms since the epoch. */
  readonly now: number
  /** The last hour: the lowest and the highest value in each 256th of the time. */
  readonly data: MonitoringData
  /** Verdicts of the job monitor, oldest first. */
  readonly health: readonly HealthRecord[]
  /** Undefined before the first report. */
  readonly state: PrinterState | undefined
}

interface Named {
  /** Unique; lower-case letters, digits and hyphens. */
  readonly id: string
  readonly title: string
}

/** A panel of the dashboard that shows recorded values as lines. */
export interface CollectionPanel extends Named {
  /** Names of telemetry collections, up to six. */
  readonly collections: readonly string[]
  readonly render?: never
}

/** A panel of the dashboard that draws itself. */
export interface DrawnPanel extends Named {
  /** Pure. @returns the text of one `<svg>` element, with all external text escaped */
  readonly render: (view: ChartView) => string
  readonly collections?: never
}

export type ChartPanel = CollectionPanel | DrawnPanel

/** Adds a panel to the dashboard, after the built-in ones. */
export const defineChart = <P extends ChartPanel>(panel: P): Readonly<P> => Object.freeze(panel)
