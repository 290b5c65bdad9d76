import type { MonitoringData, Point } from '../../telemetry/index.js'

/** The points of a collection; none of one that is not recorded. */
export const pointsOf = ({ collections }: MonitoringData, name: string): readonly Point[] =>
  collections[name]?.data ?? []
