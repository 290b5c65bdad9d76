import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { SEVERITIES } from './types.js'

export const AlertSchema = Type.Object({
  type: Type.String(),
  printer: Type.String(),
  timestamp: Type.String({ description: 'ISO 8601, UTC' }),
  severity: Type.Enum(SEVERITIES),
  payload: Type.Object({})
})

const Alerts = Type.Array(AlertSchema)

export const takeAlerts = operation({
  name: 'alerts.take',
  summary: 'Pending alerts of a printer, oldest first; reading empties the queue',
  effect: 'local',
  input: Type.Object({ clear: Type.Boolean({ description: 'false reads without emptying' }) }),
  output: Alerts,
  run: ({ session, services }, { clear }) => {
    const { queue } = services.alerts
    return [...clear ? queue.drain(session.name) : queue.peek(session.name)] as never
  }
})

/** Of one printer, or by printer of all. */
export const readAlerts = operation({
  name: 'alerts.read',
  summary: 'Pending alerts; the queue is emptied',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({
    printer: Type.Optional(Type.String()),
    all: Type.Optional(Type.Boolean({ description: 'true: alerts of all printers by name, `printer` is ignored' }))
  }),
  output: Type.Union([Alerts, Type.Record(Type.String(), Alerts)]),
  run: async ({ kernel, services }, { printer, all = false }) => all
    ? services.alerts.queue.drainAll() as never
    : await kernel.call(takeAlerts, { clear: true }, { printer })
})

export const clearAlerts = operation({
  name: 'alerts.clear',
  summary: 'Empty the alert queue of a printer',
  effect: 'local',
  input: Type.Object({}),
  output: Type.Object({}),
  run ({ session, services }) {
    services.alerts.queue.drain(session.name)
    return {}
  }
})
