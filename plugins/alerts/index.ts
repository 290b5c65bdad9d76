import { definePlugin } from '../../core/index.js'
import { createEngine } from './engine.js'
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
export type { AlertQueue } from './queue.js'

declare module 'prn' {
  interface Services {
    alerts: {
      readonly queue: AlertQueue
      /** What the job monitor says of a printer; compared with what it said before. */
      judge (printer: string, health: Health): void
    }
  }

  interface Contributions { alerts: AnyAlertRule }
  interface Events { alert: [alert: Alert] }
}

export default definePlugin({
  name: 'alerts',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Rules that compare states, and a queue for what they find',
  provides: ['alerts'],
  contributes: { routes, tools, alerts: rules, resources: [alertFeed], liveTopics: [alertTopic] },
  setup ({ kernel, log, printers, events, contributed, provide }) {
    const queue = createAlertQueue()
    const engine = createEngine({
      rules: contributed('alerts'),
      originOf: kernel.originOf,
      faults: kernel.faults,
      log,
      now: kernel.now,
      steady: () => performance.now(),
      raise (alert) {
        queue.push(alert)
        events.emit('alert', alert)
      }
    })
    printers.each(session => session.events.on('state', state => {
      if (session.service !== 'PAUSED') engine.see(session.name, state)
    }))
    provide('alerts', { queue, judge: engine.judge })
  }
})
