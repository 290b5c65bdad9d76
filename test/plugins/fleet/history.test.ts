import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { bootHub, bootNode } from './fleet.js'

t.test('prints at a hub', { skip: NO_NATS || withoutPostgres }, async t => {
  const [nats, postgres] = [await startNats(t), await startPostgres(t)]
  const database = { url: postgres.newDatabase() }
  const node = await bootNode(t, { servers: [nats.url], site: 'hall', node: 'a' },
    { models: ['P1S'], config: { plugins: { database } } })
  const hub = await bootHub(t, { servers: [nats.url] }, ['p1s'], { config: { plugins: { database } } })

  await t.test('are those that the node records, each once', async t => {
    node.printer.startJob({ name: 'vase' })
    const prints = async (at: typeof hub) => (await at.http('GET', '/api/history')).body.prints
    await eventually(async () => (await prints(node)).length === 1, 30_000)
    // Of two services that make the tables at once, one finds them made when it tries again.
    await eventually(async () => (await hub.http('GET', '/api/history')).status === 200, 30_000)
    const first = await hub.http('GET', '/api/history')
    t.match(first, { status: 200, body: { prints: [{ printer: 'p1s', result: 'running' }] } }, JSON.stringify(first.body))
    const { id } = (await prints(hub))[0]
    t.equal((await hub.http('PATCH', `/api/history/${id}`, { note: 'for the office' })).status, 200)
    t.match(await prints(node), [{ id, note: 'for the office' }])
    t.equal((await hub.http('GET', '/api/history/export', { format: 'jsonl' })).text.trim().split('\n').length, 1)
  })

  await t.test('have the pictures that lie at the node', async t => {
    const { id } = (await node.http('GET', '/api/history')).body.prints[0]
    t.match(await hub.http('GET', `/api/history/${id}/picture`), { status: 404 }, 'it is not over')
    node.printer.stopJob()
    const picture = async (at: typeof hub) => await at.kernel.app.inject({ url: `/api/history/${id}/picture` })
    await eventually(async () => (await picture(node)).statusCode === 200, 30_000)
    t.same((await picture(hub)).rawPayload, (await picture(node)).rawPayload)
    t.match(await hub.http('GET', '/api/history/none/picture'), { status: 404, body: { error: 'no_such_print' } })
  })

  await t.test('want a database that is shared', async t => {
    const other = await bootHub(t, { servers: [nats.url] }, ['p1s'])
    t.match(await other.http('GET', '/api/history'),
      { status: 501, body: { error: 'shared_database_needed', reason: /plugins\.database\.url/ } })
    t.match((await other.tool('list_prints')).text, /plugins\.database\.url/)
    t.match(await other.http('GET', '/readyz'), { status: 200, body: { printers: { configured: 1 } } })
  })
})
