import { definePage, definePlugin, route } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import { rowOf } from './alert-row.js'
import { createKeeping, keeping as keepingOf, keptFrom, Options, type Keeping } from './keeping.js'
import { acknowledgeAlerts, countAlerts, listAlerts } from './operations.js'
import { removeBefore } from './queries.js'
import { migrations } from './tables.js'
import { texts } from './texts/index.js'
import { Tidier } from './tidier.js'

export { listAlerts } from './operations.js'
export { cursorAt } from './queries.js'
export type { AlertRow } from './tables.js'

declare module 'prnd' {
  interface Services { alertlog: { readonly keeping: Keeping } }
}

const tag = 'System'
/** Old alerts are removed each time this many were added, and at intervals. */
const SWEEP_AFTER = 500
const SWEEP_MS = 3_600_000

const page = definePage({
  id: 'alerts',
  path: '/alerts',
  icon: 'bell',
  order: 50,
  key: 'a',
  texts,
  content: { files: 'alertlog' },
  badge: { path: 'alert_log/count', member: 'unacknowledged' }
})

/** Past alerts that last until a person has acknowledged them, independent of the queue that programs read. */
export default definePlugin({
  name: 'alertlog',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Past alerts, stored in the database until they are acknowledged: page at /alerts',
  needs: ['database', 'http'],
  provides: ['alertlog'],
  uses: ['disk'],
  options: Options,
  contributes: {
    migrations,
    pages: [page],
    routes: [
      route(listAlerts, { method: 'GET', path: '/alert_log', tag }),
      route(countAlerts, { method: 'GET', path: '/alert_log/count', tag }),
      route(acknowledgeAlerts, { method: 'POST', path: '/alert_log/acknowledge', tag }),
      route(keepingOf.read, { method: 'GET', path: '/alert_log/keeping', tag }),
      route(keepingOf.try, { method: 'GET', path: '/alert_log/keeping/effect', tag }),
      route(keepingOf.change, { method: 'PATCH', path: '/alert_log/keeping', tag })
    ]
  },
  setup ({ kernel, log, events, onClose, options, provide, services: { database } }) {
    let count = 0
    const keeping = createKeeping(database, kernel.now, options)
    provide('alertlog', { keeping })
    const sweep = () => {
      keeping.read().then(limits => database.query(db => removeBefore(db as never, keptFrom(limits, kernel.now()))))
        .catch((error: Error) => log.warn({ err: error }, 'old alerts cannot be removed'))
    }
    const tidier = new Tidier({
      database, now: kernel.now, warn: error => log.warn({ err: error }, 'superfluous alerts cannot be removed; retrying')
    })
    const timer = setInterval(sweep, SWEEP_MS).unref()
    onClose(() => {
      clearInterval(timer)
      tidier.close()
    })
    const keep = (alert: Alert) => {
      const row = rowOf(alert, kernel.redact)
      if (row === undefined) return
      database.put(row)
      tidier.note(Number(row.values.at))
      if (count++ % SWEEP_AFTER === 0) sweep()
    }
    events.on('alert', keep)
    events.on('alert:past', keep)
  }
})
