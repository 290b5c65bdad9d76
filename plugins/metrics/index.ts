import { definePlugin } from '../../core/index.js'
import type {} from '../fleet/index.js'
import { createMetrics } from './metrics-registry.js'
import { formatFor } from './format.js'
import type {} from '../alerts/index.js' // types of the events

export { defineGauge, type GaugeSpec } from '../../core/index.js'

/** Label for requests without a route, so that callers cannot create new labels. */
const NO_ROUTE = 'none'

/** Metrics for Prometheus, and liveness and readiness probes. */
export default definePlugin({
  name: 'metrics',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Metrics for Prometheus at /metrics; /livez and /readyz for supervisors',
  needs: ['http'],
  optional: ['fleet'],
  uses: ['network'],
  encapsulate: false, // counts requests of all plugins
  setup ({ app, kernel, printers, events, optional, contributed, onClose }) {
    const metrics = createMetrics(kernel, contributed('gauges'))
    printers.each(metrics.follow)
    events.on('printer:forgotten', printer => { void metrics.forget(printer) })
    events.on('health:verdict', (printer, { verdict }) => metrics.judge(printer, verdict))
    events.on('alert', ({ printer, type }) => metrics.countAlert(printer, type))
    onClose(metrics.clear)

    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? NO_ROUTE
      metrics.countRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
    app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
      const { type, text } = await metrics.exposition(formatFor(request.headers.accept))
      return reply.headers({ 'cache-control': 'no-store', vary: 'accept' }).type(type).send(kernel.redact(text))
    })
    app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'ok' }))
    app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
      const fleet = optional.fleet?.status()
      const isCut = fleet !== undefined && fleet.role !== 'none' && !fleet.connected
      const isLoading = fleet?.loaded === false
      const connections = await kernel.connections.refresh('database')
      const failed = connections.filter(({ status }) => status === 'failed').map(({ name }) => name)
      const hasDatabase = !failed.includes('database')
      const isBlind = isLoading || (isCut && fleet.role === 'hub') // such a hub has no data
      const ready = kernel.ready && !isBlind && hasDatabase
      const { sessions, names } = printers
      return reply.code(ready ? 200 : 503).send({
        status: ready ? 'ok' : 'not ready',
        printers: { configured: names.length, connected: sessions.filter(({ live }) => live).length },
        connections: { failed },
        ...(fleet !== undefined && fleet.role !== 'none' && { fleet: isCut ? 'cut off' : isLoading ? 'loading' : 'connected' })
      })
    })
  }
})
