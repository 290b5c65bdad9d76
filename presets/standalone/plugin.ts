import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { definePlugin } from '../../core/index.js'
import { defineSocketTopic } from '../../plugins/socketio/index.js'
import type {} from '../../plugins/automation/index.js'
import { createTelemetryView, type TelemetryView } from './telemetry-view/index.js'
import { isLoopbackHost, refusalOf, WriteRefused } from '../../plugins/http/index.js'

declare module 'prnd' {
  interface Services { standalone: TelemetryView }
}

/** The whole state, after every report and every reading of an external chamber. */
const printerUpdate = defineSocketTopic({
  event: 'printer_update',
  current: ({ services }) => services.standalone.telemetry(),
  watch ({ printers, services }, touch) {
    const off = [
      printers.each(session => session.events.on('state', touch)),
      services.externalChamber.onReading(touch)
    ]
    return () => { for (const undo of off) undo() }
  }
})

const Options = Type.Object({
  strict: Type.Optional(Type.Boolean({
    description: 'Browsers may change something only from pages of this application; links and bookmarks may not. ' +
      'Left out: beyond this machine, where browsers do not say which site sends them'
  }))
})

interface GuardOptions {
  /** Browsers must prove that the request is from our pages. @default for every request whose `Host` is not loopback */
  readonly strict: boolean | undefined
  /** Origins of other sites that may write. */
  readonly corsOrigins: readonly string[]
}

/** Checks every request that changes something, whatever its method. */
function guardWrites (app: FastifyInstance, { strict, corsOrigins }: GuardOptions): void {
  app.addHook('onRequest', ({ method, headers, routeOptions: { config: { route } } }, _reply, next) => {
    const reads = route === undefined ? ['GET', 'HEAD', 'OPTIONS'].includes(method) : route.operation.effect === 'read'
    const rules = { strict: strict ?? !isLoopbackHost(headers), corsOrigins }
    const refusal = reads ? undefined : refusalOf(headers, rules)
    next(refusal === undefined ? undefined : new WriteRefused(refusal))
  })
}

/** The telemetry document of the standalone application, and the protection of its writes. */
export default definePlugin({
  name: 'standalone',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'One printer at one address',
  needs: ['http', 'state', 'external-chamber', 'socketio'],
  provides: ['standalone'],
  options: Options,
  encapsulate: false,
  contributes: { socketTopics: [printerUpdate] },
  setup ({ app, kernel, options: { strict }, printers, events, provide }) {
    guardWrites(app, { strict, corsOrigins: kernel.config.api.corsOrigins })
    const { board, follow, begin, forget } = createTelemetryView(kernel)
    provide('standalone', board)
    printers.each(follow)
    events.on('automation:job-begins', ({ name }) => begin(name))
    events.on('printer:forgotten', forget)
  }
})
