import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { SEVERITIES } from './types.js'

export const AlertSchema = Type.Object({
  type: Type.String({ description: 'Such as job_finished' }),
  printer: Type.String({ description: 'Name of the printer' }),
  timestamp: Type.String({ description: 'ISO 8601, UTC' }),
  severity: Type.Enum(SEVERITIES),
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'Details, by type' })
}, { 'x-name': 'Alert' })

const Alerts = Type.Array(AlertSchema)

export const takeAlerts = operation({
  name: 'alerts.take',
  summary: 'Pending alerts of a printer, oldest first; reading empties the queue',
  effect: 'local',
  runsHere: true,
  input: Type.Object({ clear: Type.Boolean({ description: 'false reads without emptying' }) }),
  output: Alerts,
  run: ({ session, services }, { clear }) => {
    const { queue } = services.alerts
    return [...clear ? queue.drain(session.name) : queue.peek(session.name)] as never
  }
})

const Followed = Type.Object({
  alerts: Alerts,
  cursor: Type.String({ description: 'For `since` of the next call' }),
  missed: Type.Boolean({ description: 'Some alerts since then were dropped, or the service was restarted' })
})

/** Alerts of one printer, or of all, grouped by printer. */
export const readAlerts = operation({
  name: 'alerts.read',
  summary: 'Pending alerts; the queue is emptied for all readers unless peek or since is given',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({
    printer: Type.Optional(Type.String()),
    all: Type.Optional(Type.Boolean({ default: false, description: 'true: alerts of all printers by name, `printer` is ignored' })),
    peek: Type.Optional(Type.Boolean({ default: false, description: 'true: reads without emptying the queue' })),
    since: Type.Optional(Type.String({
      description: 'The cursor of an earlier answer, or empty on the first call: returns the alerts after it and the next ' +
        'cursor. The queue and its other readers are not affected; the last 50 of each printer are retained.'
    }))
  }),
  output: Type.Union([Alerts, Followed, Type.Record(Type.String(), Alerts)]),
  async run ({ kernel, services }, { printer, all = false, peek = false, since }) {
    const { queue, history } = services.alerts
    const whose = () => all ? undefined : kernel.printers.resolve(printer).name
    if (since !== undefined) return history.after(since, whose()) as never
    if (all) return (peek ? queue.peekAll() : queue.drainAll()) as never
    return await kernel.call(takeAlerts, { clear: !peek }, { printer })
  }
})

export const clearAlerts = operation({
  name: 'alerts.clear',
  summary: 'Empty the alert queue of a printer',
  effect: 'local',
  record: true,
  runsHere: true,
  input: Type.Object({}),
  output: Type.Object({}),
  run ({ session, services }) {
    services.alerts.queue.drain(session.name)
    return {}
  }
})
