// The tables of the log in a database of their own, without a service.
import { join } from 'node:path'
import type { Test } from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { rowOf } from '../../../plugins/alertlog/alert-row.js'
import { list } from '../../../plugins/alertlog/queries.js'
import { migrations } from '../../../plugins/alertlog/tables.js'
import type { Alert } from '../../../plugins/alerts/index.js'
import { connectSqlite } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { testFolder } from '../../helpers/folder.js'

export const alert = (type: string, printer: string, second: number, payload: Alert['payload'] = {}): Alert => ({
  type, printer, timestamp: `2026-01-01T12:00:${String(second).padStart(2, '0')}+00:00`, severity: 'high', payload
})

export async function logOfAlerts (t: Test) {
  const folder = testFolder(t)
  const journal = await openJsonStore(join(folder, 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  const { service: database, close } = createDatabase({
    kind: 'sqlite',
    connect: connectSqlite(async () => folder),
    steps: stepsOf(migrations, () => 'alertlog'),
    journal,
    log: { warn () {}, info () {} } as any
  })
  t.teardown(close)
  return {
    database,
    keep (...alerts: readonly Alert[]) {
      for (const one of alerts) database.put(rowOf(one, text => text) as Row)
    },
    async rows () {
      const all = { printer: undefined, open: false, limit: 100, after: undefined }
      return (await database.query(async db => await list(db as never, all))).alerts
    }
  }
}
