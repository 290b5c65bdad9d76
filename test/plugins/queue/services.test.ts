import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { pausesOfPrinter } from '../../../plugins/queue/store/pauses.js'
import { add, clear, entryOf, FAST, jobOf, queueOf, sent, sliced, start, until, upload } from './helpers.js'

const MODELS = [{ model: 'X1C', name: 'one', ...FAST }, { model: 'X1C', name: 'two', ...FAST }] as const

t.test('two services over one database and the same printers', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const plugins = { database: { url: server.newDatabase() } }
  const north = await start(t, { models: MODELS, config: { plugins, dataDir: testFolder(t) } })
  const printers = north.printers.map(entryOf)
  const south = await start(t, { models: [], config: { plugins, printers, dataDir: testFolder(t) } })
  await eventually(() => south.kernel.printers.sessions.every(({ live }) => live))
  const both = [north, south] as const
  const pause = (paused: boolean) => north.http('POST', '/api/queue/pause', { paused })
  const { body: { id: file } } = await upload(north, sliced())

  await pause(true)
  const job = await add(north, { file: 'cube.gcode.3mf', copies: 6 })
  await t.test('of two that take one row at once, one gets it', async t => {
    await clear(north, 'one')
    const [serial = ''] = printers.map(printer => printer.serial)
    for (let round = 0; round < 25; round++) {
      const runs = both.map((_, at) => ({
        id: `r${round}-${at}`,
        job: job.id,
        serial,
        printer: 'one',
        state: 'preparing' as const,
        owner: `service ${at}`,
        task: 1,
        file: String(file),
        plate: 1,
        path: '/x.gcode.3mf',
        before: undefined,
        seconds: 0,
        createdAt: Date.now(),
        sentAt: undefined,
        endedAt: undefined,
        reason: '',
        print: ''
      }))
      const stores = both.map(({ kernel }) => kernel.services.queue.store)
      const taken = await Promise.all(runs.map((run, at) => stores[at]?.claim(run, [{ group: 'fuse', ms: 0, names: [], serials: [] }])))
      t.same(taken.toSorted(), [false, true], `round ${round}`)
      const mine = runs[taken.indexOf(true)]
      if (!mine) return
      t.equal((await jobOf(south, job.id)).waiting, 5, 'one copy is taken')
      const [pauses, now] = [pausesOfPrinter({ name: 'one', serial }), Date.now()]
      const [isSent, move] = await Promise.all([
        north.kernel.services.queue.store.aboutToSend(mine, { shown: '', pauses, now }),
        south.kernel.services.queue.store.beginMove({ serial, until: now + 300_000, now })
      ])
      t.equal(isSent, move === 'starts', 'it is started, or moved by hand')
      await north.kernel.services.queue.store.resume(...pauses)
      const end = { state: 'not_started', reason: '', plate: 'as_before', identity: '', by: '', now: Date.now(), mostFailures: 2 } as const
      const ended = await Promise.all(stores.map(store => store.end(mine, end)))
      t.same(ended.toSorted(), [false, true], 'and comes back once')
      t.equal((await jobOf(north, job.id)).waiting, 6)
    }
  })

  await t.test('what was uploaded to one, the other can print', async t => {
    t.match(await jobOf(south, job.id), { state: 'waiting', reason: 'the queue is paused' })
    t.match((await south.http('GET', '/api/queue/files')).body.files, [{ id: file, is_present: true }])
  })

  await t.test('both print, each copy once, and the end of one stops nothing', async t => {
    await north.http('PATCH', `/api/queue/jobs/${job.id}`, { act: 'retry' })
    await pause(false)
    const finished = async () => (await jobOf(south, job.id)).finished
    let isClosed = false
    await eventually(async () => {
      for (const { printer, plate, is_ready: isReady, reason } of (await queueOf(south)).printers) {
        if (plate === 'used' && !isReady && reason === 'plate not confirmed clear') await clear(south, printer)
      }
      if (!isClosed && await finished() >= 3) {
        isClosed = true
        await north.kernel.close()
      }
      return await finished() === 6
    }, 90_000, 100)
    t.match(await until(south, job.id, ({ state }) => state === 'done'), { finished: 6, waiting: 0 })
    const told = north.printers.flatMap(printer => sent(printer).map(({ body }) => String(body.task_id)))
    t.equal(told.length, 6)
    t.equal(new Set(told).size, 6, 'nothing is told twice')
    t.ok(isClosed)
  })

  await t.test('a server that goes away in mid-print is told of; the print is recorded and counted once it is back', async t => {
    const { http } = south
    const [one] = north.printers
    if (!one) throw new Error('there is no printer')
    const toldBefore = sent(one).length
    await upload(south, sliced({ minutes: 60, salt: 'long' }), 'long.gcode.3mf')
    await eventually(async () => (await clear(south, 'one')).status === 200) // before there is a job that may take the plate
    const long = await add(south, { file: 'long.gcode.3mf', copies: 2, printers: ['one'] })
    await until(south, long.id, ({ runs }) => runs.some(({ state }) => state === 'printing'))
    await server.stop()
    await eventually(async () => (await http('GET', '/api/queue')).status === 503)
    for (const path of ['/api/queue', '/api/history'] as const) {
      t.match(await http('GET', path), { status: 503, body: { error: 'database_unavailable', reason: /cannot be used now/ } })
    }
    t.match(await clear(south, 'one'), { status: 503 }, 'what cannot be kept is not confirmed')
    await eventually(() => south.kernel.printers.resolve('one').state?.job.gcodeState === 'FINISH', 60_000)
    await server.start()

    t.match(await until(south, long.id, ({ finished }) => finished === 1), { waiting: 1, state: 'waiting' })
    const recorded = async () => {
      const { prints } = (await http('GET', '/api/history')).body as { prints: { name: string, result: string }[] }
      return prints.filter(({ name }) => name.startsWith('long'))
    }
    await eventually(async () => (await recorded()).some(({ result }) => result === 'finished'))
    t.equal((await recorded()).length, 1)
    t.equal(sent(one).length, toldBefore + 1, 'the second copy waits for its plate')
    t.match((await queueOf(south)).printers.find(({ printer }) => printer === 'one'), { plate: 'used' })
  })
})
