import { definePlugin } from '../../core/index.js'
import type { createExposition } from './exposition.js'
import type { GaugeSpec } from './gauge.js'
import { createRegister } from './metrics-registry.js'

export { defineGauge } from './gauge.js'
export type { GaugeSpec } from './gauge.js'

declare module 'prn' {
  interface Contributions { gauges: GaugeSpec }
}

type Exposition = ReturnType<typeof createExposition>

/** What a route is counted under when there is none: callers must not be able to make up names. */
const NO_ROUTE = 'none'

/** Figures for Prometheus, and whether the service lives and is ready. */
export default definePlugin({
  name: 'metrics',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Figures for Prometheus at /metrics; /livez and /readyz for supervisors',
  needs: ['http'],
  uses: ['network'],
  encapsulate: false, // it counts the requests of every plugin
  setup ({ app, kernel, printers, events, contributed, onClose }) {
    const register = createRegister(kernel, contributed('gauges'))
    printers.each(register.follow)
    events.on('printer:forgotten', register.forget)
    events.on('alert', ({ printer, type }) => register.countAlert(printer, type))
    let exposition: Promise<Exposition> | undefined
    /** What writes them is large, and many a service is never asked. */
    const exposed = () => (exposition ??= import('./exposition.js').then(({ createExposition }) => createExposition(register.figures)))
    onClose(async () => { (await exposition)?.clear() })

    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? NO_ROUTE
      register.countRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
    app.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
      const { contentType, text } = await exposed()
      return reply.header('cache-control', 'no-store').type(contentType).send(kernel.redact(await text()))
    })
    app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'ok' }))
    app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
      const ready = kernel.ready
      const { sessions, names } = printers
      return reply.code(ready ? 200 : 503).send({
        status: ready ? 'ok' : 'not ready',
        printers: { configured: names.length, connected: sessions.filter(({ live }) => live).length }
      })
    })
  }
})
