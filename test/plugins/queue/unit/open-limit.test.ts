import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../../core/index.js'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { createDatabase } from '../../../../plugins/database/database.js'
import type { Row } from '../../../../plugins/database/index.js'
import { stepsOf } from '../../../../plugins/database/migrate.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import { createStore, MOST_OPEN } from '../../../../plugins/queue/store/index.js'
import type { Tables } from '../../../../plugins/queue/store/tables.js'
import { testFolder } from '../../../helpers/folder.js'

t.test('an ended job is not opened again while the queue is full', async t => {
  const folder = testFolder(t)
  const journal = await openJsonStore(join(folder, 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  const { service: database, close } = createDatabase({
    kind: 'sqlite', connect: connectSqlite(async () => folder), steps: stepsOf(migrations, () => 'queue'), journal, log: { warn () {}, info () {} } as any
  })
  t.teardown(close)
  const store = createStore(database, [])
  const job = (id: string, state: string): Tables['queue_jobs'] => ({
    id,
    name: id,
    state,
    priority: 0,
    position: 0,
    alternatives: '[]',
    copies: 1,
    taken: 1,
    finished: 0,
    needs: '{"printers":[]}',
    not_before: null,
    retries: 0,
    held: 0,
    note: '',
    created_at: 1,
    created_by: '',
    ended_at: state === 'open' ? null : 1
  })
  const put = (jobs: readonly Tables['queue_jobs'][]) => database.query<Tables, unknown>(db => db.insertInto('queue_jobs').values(jobs).execute())
  for (let n = 0; n < MOST_OPEN; n += 500) await put(Array.from({ length: 500 }, (_, at) => job(`j${n + at}`, 'open')))
  await put([job('failed', 'failed')])
  await t.rejects(store.retryJob('failed'), { code: 'PRN_ERR_QUEUE_FULL' })
  t.match(await store.findJob('failed'), { state: 'failed' })
  t.match(await store.retryJob('j0'), { state: 'open', taken: 0 }, 'one that is open takes no more room')
  await store.cancelJob('j1', 2)
  t.match(await store.retryJob('failed'), { state: 'open', taken: 0 })
})
