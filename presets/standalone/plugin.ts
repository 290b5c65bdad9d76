import { Type } from 'typebox'
import { definePlugin } from '../../core/index.js'
import type {} from '../../plugins/automation/index.js'
import { defineSocketTopic } from '../../plugins/socketio/index.js'
import { createTelemetryView, type TelemetryView } from './telemetry-view/index.js'
import { guardWrites } from './guard.js'

declare module 'prn' {
  interface Services { standalone: TelemetryView }
}

/** The whole of what is known, after every report and whenever an external chamber told something. */
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

/** What the standalone application has beyond its features: its telemetry document, and the guard of its writes. */
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
