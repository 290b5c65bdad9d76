import { Type } from 'typebox'
import { definePage, definePlugin, route } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import { rowOf } from './alert-row.js'
import { acknowledgeAlerts, countAlerts, listAlerts } from './operations.js'
import { removeBefore } from './queries.js'
import { migrations } from './tables.js'
import { texts } from './texts/index.js'
import { Tidier } from './tidier.js'

export { listAlerts } from './operations.js'
export { cursorAt } from './queries.js'
export type { AlertRow } from './tables.js'

const tag = 'System'
const MS_PER_DAY = 86_400_000
/** Old alerts are removed each time this many were added. */
const SWEEP_AFTER = 500

const Options = Type.Object({
  keepDays: Type.Integer({ minimum: 1, maximum: 36_500, default: 365, description: 'How long alerts are kept' })
})

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
  uses: ['disk'],
  options: Options,
  contributes: {
    migrations,
    pages: [page],
    routes: [
      route(listAlerts, { method: 'GET', path: '/alert_log', tag }),
      route(countAlerts, { method: 'GET', path: '/alert_log/count', tag }),
      route(acknowledgeAlerts, { method: 'POST', path: '/alert_log/acknowledge', tag })
    ]
  },
  setup ({ kernel, log, events, onClose, options: { keepDays }, services: { database } }) {
    let count = 0
    const sweep = () => {
      const before = kernel.now() - keepDays * MS_PER_DAY
      database.query(db => removeBefore(db as never, before))
        .catch((error: Error) => log.warn({ err: error }, 'old alerts cannot be removed'))
    }
    const tidier = new Tidier({
      database, now: kernel.now, warn: error => log.warn({ err: error }, 'superfluous alerts cannot be removed; retrying')
    })
    onClose(() => tidier.close())
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
