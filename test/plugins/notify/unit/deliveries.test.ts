import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../../core/index.js'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { createDatabase } from '../../../../plugins/database/database.js'
import type { Row } from '../../../../plugins/database/index.js'
import { stepsOf } from '../../../../plugins/database/migrate.js'
import { createDeliveries, type Delivery } from '../../../../plugins/notify/deliveries.js'
import { migrations } from '../../../../plugins/notify/migrations.js'
import { testFolder } from '../../../helpers/folder.js'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

const message = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  id,
  created_at: START,
  target: 'phone',
  printer: 'x1c',
  alert: 'job_failed',
  severity: 'high',
  at: '2026-01-01T00:00:00+00:00',
  title: id,
  text: '',
  payload: '{}',
  attachment: '',
  status: 'waiting',
  attempts: 1,
  due_at: START,
  give_up_at: START + DAY,
  ended_at: null,
  problem: null,
  ...more
})

t.test('services that share a database send only their own messages', async t => {
  const folder = testFolder(t)
  const journal = await openJsonStore(join(folder, 'journal.json'), {
    schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {}
  })
  const { service: database, close } = createDatabase({
    kind: 'sqlite',
    connect: connectSqlite(async () => folder),
    steps: stepsOf(migrations, () => 'notify'),
    journal,
    log: { info () {}, warn () {} }
  })
  t.teardown(close)
  let now = START
  const { put, query } = database
  const shared = { put, query, status: { ...database.status, kind: 'postgres' as const } }
  const [hall, office] = ['hall', 'office'].map(service => createDeliveries(shared, () => now, service)) as
    [ReturnType<typeof createDeliveries>, ReturnType<typeof createDeliveries>]
  const waitingAt = async ({ waiting }: typeof hall) => (await waiting(10)).map(({ id }) => id)

  hall.put(message('of-hall'))
  office.put(message('of-office'))
  hall.put(message('sent', { status: 'delivered', ended_at: START + 5 }))
  // as an earlier version wrote it
  database.put({ table: 'notify_messages', values: { ...message('early') } })
  t.same(await waitingAt(hall), ['early', 'of-hall'], 'after a restart of the one')
  t.same(await waitingAt(office), ['early', 'of-office'], 'and of the other')
  office.put(message('early'))
  t.same(await waitingAt(hall), ['of-hall'], 'what the other has begun to send is its own')
  t.same((await hall.waiting(10))[0], message('of-hall'))
  t.same([...await hall.deliveredAt()], [['phone', START + 5]])
  t.same([...await office.deliveredAt()], [], 'a target of the same name is another one')
  t.equal((await office.page({}, 10)).rows.length, 4, 'the list is of all')

  t.same(await waitingAt(createDeliveries(database, () => now, 'restored')), ['early', 'of-hall', 'of-office'],
    'where nobody shares it, what a machine of before left is sent')

  now = START + DAY * 2 - 1
  await office.prune()
  t.same(await waitingAt(hall), ['of-hall'], 'its service may be restarted later')
  now = START + DAY * 2 + 1
  await office.prune()
  t.same(await waitingAt(hall), [])
  t.same(await waitingAt(office), ['early', 'of-office'], 'own messages are given up by the sender')
  t.match((await office.page({ status: 'given_up' }, 10)).rows, [{ id: 'of-hall', problem: /gone/, ended_at: now }])
})
