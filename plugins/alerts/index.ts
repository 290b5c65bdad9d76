import { definePlugin } from '../../core/index.js'
import { checkRules } from './check.js'
import { createEngine } from './engine.js'
import { createAlertHistory, type AlertHistory } from './history.js'
import { createAlertQueue, type AlertQueue } from './queue.js'
import { alertTopic } from './live.js'
import { alertFeed } from './resource.js'
import routes from './routes.js'
import { rules } from './rules/index.js'
import tools from './tools.js'
import type { Alert, AnyAlertRule, Health } from './types.js'

export { defineAlert, defineAlertRule, VERDICTS } from './types.js'
export type {
  Alert, AlertRule, AlertSeverity, AnyAlertRule, Finding, Health, Outcome, RuleContext, SimpleRule, Verdict, View
} from './types.js'
export type { AlertHistory, Followed } from './history.js'
export type { AlertQueue } from './queue.js'

declare module 'prn' {
  interface Services {
    /** Unread alerts, and the most recent ones whether read or not. */
    alerts: { readonly queue: AlertQueue, readonly history: AlertHistory }
  }

  interface Contributions { alerts: AnyAlertRule }
  interface Events {
    /** A rule found something. */
    alert: [alert: Alert]
    /** A reader emptied the queue of a printer. */
    'alerts:taken': [printer: string]
    /**
     * The job monitor's verdict on a printer, after every analysis and when the previous one no longer applies (a job
     * began: no verdict). Alert rules compare it with the previous verdict.
     */
    'health:verdict': [printer: string, health: Health]
  }
}

export default definePlugin({
  name: 'alerts',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Rules that compare states, and a queue for what they find',
  provides: ['alerts'],
  contributes: { routes, tools, alerts: rules, resources: [alertFeed], liveTopics: [alertTopic] },
  setup ({ kernel, printers, events, contributed, provide }) {
    const history = createAlertHistory()
    const queue = createAlertQueue(printer => events.emit('alerts:taken', printer))
    checkRules(contributed('alerts'), kernel.originOf)
    const engine = createEngine({
      rules: contributed('alerts'),
      originOf: kernel.originOf,
      faults: kernel.hms,
      pluginFaults: kernel.pluginFaults,
      now: kernel.now,
      steady: () => performance.now(),
      raise (alert) {
        queue.push(alert)
        history.push(alert)
        events.emit('alert', alert)
      }
    })
    printers.each(session => session.events.on('state', state => {
      if (session.service !== 'PAUSED') engine.see(session.name, state)
    }))
    events.on('health:verdict', (printer, health) =>
      engine.judge(printer, health, printers.get(printer)?.service === 'PAUSED'))
    events.on('printer:forgotten', printer => {
      engine.forget(printer)
      queue.drain(printer)
      history.forget(printer)
    })
    provide('alerts', { queue, history })
  }
})
