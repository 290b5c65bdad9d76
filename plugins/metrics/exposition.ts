import { collectDefaultMetrics, Registry, type Metric } from 'prom-client'
import type { MetricSource } from './metric.js'

/** Writes figures as Prometheus reads them, and beside them what the process itself does from now on. */
export function createExposition (figures: readonly MetricSource[]) {
  const registry = new Registry()
  for (const { read, ...head } of figures) {
    const shown = { ...head, aggregator: 'sum' }
    registry.registerMetric({ ...shown, get: async () => ({ ...shown, values: read() }) } as unknown as Metric)
  }
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    clear: () => registry.clear()
  }
}
