import type { MonitoringData, Point } from '../../telemetry/index.js'

/** The points of a collection; empty if it is not recorded. */
export const pointsOf = ({ collections }: MonitoringData, name: string): readonly Point[] =>
  collections[name]?.data ?? []
