import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { agreed } from '../history/agreed.js'
import { add, clear, FAST, fastDaemon, jobOf, queueOf, sent, sliced, until, upload } from '../queue/helpers.js'
import { bootHub, bootNode } from './fleet.js'

t.test('the queue at a hub', { skip: NO_NATS || withoutPostgres }, async t => {
  const [nats, postgres] = [await startNats(t), await startPostgres(t)]
  const config = { plugins: { database: { url: postgres.newDatabase() } } }
  const node = await bootNode(t, { servers: [nats.url], site: 'hall', node: 'a' },
    { preset: fastDaemon, models: [{ model: 'X1C', name: 'x1c', ...FAST }], config })
  const hubs = []
  for (let count = 0; count < 2; count++) hubs.push(await bootHub(t, { servers: [nats.url] }, ['x1c'], { config }))
  const [one, two] = hubs as [typeof node, typeof node]
  await agreed(node)

  await t.test('takes files and jobs, which a node prints, each copy once', async t => {
    await upload(one, sliced())
    const { id } = await add(one, { file: 'cube.gcode.3mf', copies: 2 })
    t.match(await jobOf(two, id), {
      state: 'waiting', printers: [{ printer: 'x1c', reason: 'plate not confirmed clear' }]
    })
    const plate = (await queueOf(two)).printers[0]
    t.match(await clear(two, 'x1c', { seen: plate?.seen }), { status: 200 })
    await until(one, id, ({ finished }) => finished === 1)
    t.match(await jobOf(node, id), { waiting: 1, runs: [{ printer: 'x1c', state: 'finished' }] })
    await eventually(async () => (await queueOf(one)).printers[0]?.plate === 'used')
    const seen = async (at: typeof node) => (await queueOf(at)).printers[0]?.seen
    await eventually(async () => await seen(two) === await seen(node), 30_000)
    t.not(await seen(two), plate?.seen, 'it has printed since')
    t.match(await clear(two, 'x1c', { seen: plate?.seen }), { status: 409, body: { error: 'queue_plate_changed' } })
    t.match(await clear(two, 'x1c', { seen: await seen(two) }), { status: 200 }, 'as it was seen at a hub')
    await until(two, id, ({ state }) => state === 'done')
    t.equal(sent(node.printer as never).length, 2)
    await eventually(async () => {
      const { prints } = (await one.http('GET', '/api/history')).body as { prints: { job: string, result: string }[] }
      return prints.filter(({ job, result }) => job === id && result === 'finished').length === 2
    }, 30_000)
  })

  await t.test('may be edited at both at once, and a node that ends stops nothing of it', async t => {
    const { id } = await add(two, { file: 'cube.gcode.3mf' })
    const edits = await Promise.all([
      one.http('PATCH', `/api/queue/jobs/${id}`, { priority: 3 }), two.http('PATCH', `/api/queue/jobs/${id}`, { copies: 4 })
    ])
    t.same(edits.map(({ status }) => status), [200, 200])
    t.match(await jobOf(node, id), { priority: 3, copies: 4 })
    const files = (await two.http('GET', '/api/queue/files')).body.files as { id: string }[]
    const picture = await two.kernel.app.inject({ url: `/api/queue/files/${files[0]?.id}/picture` })
    t.not(picture.statusCode, 500)
    await one.http('PATCH', `/api/queue/jobs/${id}`, { act: 'cancel' })
    t.match(await jobOf(two, id), { state: 'cancelled' })
  })

  await t.test('says what blocks a job, which no node can know alone', async t => {
    await upload(one, sliced({ type: 'PETG', salt: 'other' }), 'petg.gcode.3mf')
    const job = await add(one, { file: 'petg.gcode.3mf' })
    t.match(await jobOf(two, job.id), { state: 'blocked', printers: [{ printer: 'x1c', reason: /PETG/ }] })
    const told = async (at: typeof node) =>
      JSON.stringify((await at.http('GET', '/api/alerts', { peek: true })).body).includes('queue_blocked')
    await eventually(() => told(one), 30_000)
    t.notOk(await told(node))
  })

  await t.test('wants a database that is shared', async t => {
    const other = await bootHub(t, { servers: [nats.url] }, ['x1c'])
    t.match(await other.http('GET', '/api/queue'),
      { status: 501, body: { error: 'queue_database_needed', reason: /plugins\.database\.url/ } })
  })
})
