import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { SEVERITIES, type Alert } from './types.js'

export const AlertSchema = Type.Object({
  type: Type.String({ description: 'Such as job_finished' }),
  printer: Type.String({ description: 'Name of the printer' }),
  timestamp: Type.String({ description: 'ISO 8601, UTC' }),
  severity: Type.Enum(SEVERITIES),
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'Details, by type' })
}, { 'x-name': 'Alert' })

const Alerts = Type.Array(AlertSchema)

const lengthOf = (value: unknown): number => JSON.stringify(value).length + 1

/** How many of the first fit; at least one, so that there is progress. */
function countFitting (entries: readonly unknown[], mostChars: number): number {
  let left = mostChars
  let count = 0
  for (const entry of entries) {
    left -= lengthOf(entry)
    if (left < 0 && count > 0) break
    count++
  }
  return count
}

/** One alert may hold more faults than fit: the first of them, and how many are left out. */
function fitted (alert: Alert, mostChars: number): Alert {
  const { payload: { errors, ...others } } = alert
  if (!Array.isArray(errors) || lengthOf(alert) <= mostChars) return alert
  const shown = errors.slice(0, countFitting(errors, mostChars - lengthOf({ ...alert, payload: others })))
  return { ...alert, payload: { ...others, errors: shown, errors_left_out: errors.length - shown.length } }
}

export const takeAlerts = operation({
  name: 'alerts.take',
  summary: 'Pending alerts of a printer, oldest first; reading empties the queue',
  effect: 'local',
  runsHere: true,
  input: Type.Object({
    clear: Type.Boolean({ description: 'false reads without emptying' }),
    mostChars: Type.Optional(Type.Integer({ minimum: 0, description: 'Only the oldest that fit; the others stay' }))
  }),
  output: Alerts,
  run: ({ session, services }, { clear, mostChars = Infinity }) => {
    const { queue } = services.alerts
    const all = queue.peek(session.name)
    const count = countFitting(all, mostChars)
    const shown = clear ? queue.drain(session.name, count) : all.slice(0, count)
    return shown.map(alert => fitted(alert, mostChars)) as never
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
