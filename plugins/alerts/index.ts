import { defineLiveTopic, definePlugin, defineResource, isStartPending, type LiveTopic, type Resource } from '../../core/index.js'
import { createEngine } from './engine.js'
import { createAlertHistory, type AlertHistory } from './history.js'
import { createPluginAlerts } from './plugin-alerts.js'
import { createAlertQueue, type AlertQueue } from './queue.js'
import routes from './routes.js'
import { rules } from './rules/index.js'
import tools from './tools.js'
import type { Alert, AnyAlertRule, Finding, Health } from './types.js'
import { BadAlertRule } from './errors.js'
import { plateOfJob } from '../projects/index.js'

export { alertTexts } from './texts/index.js'
export { defineAlert, defineAlertRule, VERDICTS } from './types.js'
export type {
  Alert, AlertRule, AlertSeverity, AnyAlertRule, Finding, Health, HealthVerdict, Outcome, PrinterSnapshot, RuleContext,
  SimpleRule
} from './types.js'
export type { AlertHistory, Followed } from './history.js'
export type { AlertQueue } from './queue.js'

declare module 'prnd' {
  interface Services {
    alerts: {
      /** Unread alerts. */
      readonly queue: AlertQueue
      /** The most recent alerts, read or unread. */
      readonly history: AlertHistory
      /** Raises an alert that no comparison of states can find. */
      raise (printer: string, finding: Finding): void
      /** Start of monitoring a printer, ms since the epoch; undefined before its first report. */
      watchedSince (printer: string): number | undefined
      /**
       * Takes an alert that another service has raised.
       * @param isNew false only adds it to the history, without an event
       */
      deliver (alert: Alert, isNew: boolean): void
    }
  }

  interface Contributions { alerts: AnyAlertRule }
  interface Events {
    /** An alert was raised. */
    alert: [alert: Alert]
    /** Another service raised this before our start. An earlier run may have received it already. */
    'alert:past': [alert: Alert]
    /** A reader emptied the queue of a printer. */
    'alerts:taken': [printer: string]
    /**
     * The job monitor's verdict on a printer, after every analysis and when the previous one no longer applies (with a
     * new job: no verdict). Alert rules compare it with the previous verdict.
     */
    'health:verdict': [printer: string, health: Health]
  }
}

function problemOf ({ name, detect }: AnyAlertRule): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'it has no name'
  return typeof detect === 'function' ? undefined : 'detect must be a function; use defineAlert or defineAlertRule'
}

/** @throws PRN_ERR_ALERT_RULE naming the rule and its plugin */
function checkRules (rules: readonly AnyAlertRule[], originOf: (rule: object) => string | undefined): void {
  for (const rule of rules) {
    const problem = problemOf(rule)
    const plugin = originOf(rule) ?? '?'
    if (problem !== undefined) throw new BadAlertRule(rule.name ?? '?', plugin, problem).with({ plugins: [plugin] })
  }
}

/** Alerts whose payload contains the plate. */
const OF_JOBS: ReadonlySet<string> = new Set(['job_started', 'job_resumed', 'job_finished', 'job_failed'])

/** Alerts as they are raised; this leaves the queue unchanged. */
const alertTopic: LiveTopic = defineLiveTopic({
  name: 'alerts',
  description: 'Alerts as they are raised',
  every: true,
  watch: ({ events }, send) => events.on('alert', alert => send(alert.printer, alert))
})

/** The queue of a printer, read without emptying it. */
const alertFeed: Resource = defineResource({
  uri: 'prnd://printers/{name}/alerts',
  name: 'alerts',
  title: 'Pending alerts',
  description: 'Unread alerts of one printer; reading this does not remove them',
  mimeType: 'application/json',
  values: kernel => kernel.printers.names,
  read: ({ printers, services }, name) => printers.names.includes(name)
    ? { text: JSON.stringify(services.alerts.queue.peek(name)) }
    : undefined,
  watch ({ events }, changed) {
    const off = [events.on('alert', ({ printer }) => changed(printer)), events.on('alerts:taken', changed)]
    return () => { for (const undo of off) undo() }
  }
})

export default definePlugin({
  name: 'alerts',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Rules that compare states, and a queue for what they find',
  provides: ['alerts'],
  optional: ['projects'],
  contributes: { routes, tools, alerts: rules, resources: [alertFeed], liveTopics: [alertTopic] },
  setup ({ kernel, printers, events, contributed, provide, optional: { projects } }) {
    const history = createAlertHistory()
    const queue = createAlertQueue(printer => events.emit('alerts:taken', printer))
    checkRules(contributed('alerts'), kernel.originOf)
    /** Some printers do not report the plate; then the project may contain it. */
    const withPlate = (alert: Alert): Alert => {
      const session = printers.get(alert.printer)
      if (!OF_JOBS.has(alert.type) || 'plate_num' in alert.payload || !session || !projects) return alert
      const plate = plateOfJob(session.state, projects.ofJob(session))
      return plate > 0 ? { ...alert, payload: { ...alert.payload, plate_num: plate } } : alert
    }
    const raise = (found: Alert): void => {
      const alert = withPlate(found)
      queue.push(alert)
      history.push(alert)
      events.emit('alert', alert)
    }
    const isHeldHere = (printer: string): boolean => {
      try {
        printers.checkAdmitted(printer)
        return true
      } catch {
        return false
      }
    }
    const engine = createEngine({
      rules: contributed('alerts'),
      originOf: kernel.originOf,
      faults: kernel.hms,
      pluginFaults: kernel.pluginFaults,
      now: kernel.now,
      steady: () => performance.now(),
      raise
    })
    printers.eachLocal(session => {
      const off = session.events.on('state', state => {
        if (session.service === 'PAUSED') return
        engine.see(session.name, state, isStartPending(session.context.start, kernel.now()))
      })
      return () => {
        off()
        // Another service reports alerts from now on; comparing its state with an older one of ours would repeat them.
        if (!isHeldHere(session.name)) engine.forget(session.name)
      }
    })
    events.on('health:verdict', (printer, health) =>
      engine.judge(printer, health, printers.get(printer)?.service === 'PAUSED'))
    events.on('plugin:failed', createPluginAlerts(() => printers.names, engine.raise, kernel.redact))
    events.on('printer:forgotten', printer => {
      engine.forget(printer)
      queue.drain(printer)
      history.forget(printer)
    })
    const deliver = (alert: Alert, isNew: boolean): void => {
      if (isNew) return raise(alert)
      history.push(alert)
      events.emit('alert:past', alert)
    }
    provide('alerts', { queue, history, raise: engine.raise, watchedSince: engine.watchedSince, deliver })
  }
})
