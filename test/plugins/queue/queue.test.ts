import t from 'tap'
import type { Test } from 'tap'
import { why } from '../../../plugins/queue/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { add, clear, FAST, jobOf, queueOf, sent, sliced, start, until, upload } from './helpers.js'

function suite (t: Test, database: () => object, { all }: { all: boolean }): void {
  const begin = async (t: Test, options: { models?: readonly object[], groups?: readonly object[] } = {}) => {
    const { models, groups = [] } = options
    const config = { plugins: { database: database(), queue: { groups } }, dataDir: testFolder(t) }
    return await start(t, { config, ...(models && { models: models as never }) })
  }

  t.test('copies are printed one after the other, each on a plate that somebody confirmed', async t => {
    const booted = await begin(t)
    const { printer } = booted
    t.match(await upload(booted, sliced({ minutes: 60 })), { status: 200, body: { plates: [{ model: 'BL-P001', printable: true }] } })
    const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 2, note: '<b>two</b>' })
    const waiting = await until(booted, id, ({ printers }) => printers[0]?.reason === 'plate not confirmed clear')
    t.match(waiting, { state: 'waiting', created_by: 'http (local)', note: '<b>two</b>' })
    t.equal(sent(printer).length, 0)

    t.match(await clear(booted, 'x1c'), { status: 200, body: { plate: 'clear' } })
    await until(booted, id, ({ state }) => state === 'printing')
    t.match(await clear(booted, 'x1c'), { status: 409 })
    const one = await until(booted, id, ({ finished, runs }) => finished === 1 && runs[0]?.print !== '')
    t.match(one, { state: 'waiting', waiting: 1 })
    const recorded = async () => (await booted.http('GET', `/api/history/${one.runs[0]?.print}`)).body
    await eventually(async () => (await recorded()).result === 'finished')
    t.match(await recorded(), { started_by: 'queue' })
    await eventually(async () => (await queueOf(booted)).printers[0]?.plate === 'used')
    t.equal(sent(printer).length, 1)

    t.match(await clear(booted, 'x1c'), { status: 200 })
    t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 2, waiting: 0 })
    t.equal(sent(printer).length, 2)
    t.match((await queueOf(booted)).jobs, [])
    t.match((await queueOf(booted, 'done')).jobs, [{ id }])
  })

  t.test('another plugin holds a printer back, and lets it go', async t => {
    const booted = await begin(t)
    const { kernel, printer } = booted
    await upload(booted, sliced({ minutes: 60 }))
    const asked = new Set<string>()
    const release = kernel.services.queue.heldBackBy(({ name }) => {
      asked.add(name)
      return why('other_next', { job: 'the maintenance' })
    })
    await clear(booted, 'x1c')
    const { id } = await add(booted, { file: 'cube.gcode.3mf' })
    await until(booted, id, ({ printers }) => printers[0]?.reason === "'the maintenance' starts next")
    t.match(await queueOf(booted), { printers: [{ is_ready: false }] })
    t.same([[...asked], sent(printer).length], [['x1c'], 0])
    release()
    await until(booted, id, ({ state }) => state === 'printing')
  })

  t.test('the queue takes so many copies, however they come to wait', async t => {
    const booted = await begin(t)
    await upload(booted, sliced())
    const order = (copies: number) => booted.http('POST', '/api/queue', { file: 'cube.gcode.3mf', copies })
    const ids: string[] = await Promise.all(Array.from({ length: 20 }, async () => (await order(1_000)).body.id))
    const [first = ''] = ids
    const refused = { status: 409, body: { error: 'queue_copies', reason: /More than 20000 copies would wait/ } }
    t.match(await order(1), refused)
    const change = (fields: { copies: number }) => booted.http('PATCH', `/api/queue/jobs/${first}`, fields)
    t.match(await change({ copies: 999 }), { status: 200 })
    t.match(await order(1), { status: 200 })
    t.match(await change({ copies: 1_000 }), refused)
    t.equal((await jobOf(booted, first)).copies, 999, 'what is refused changes nothing')
  })

  t.test('what is cancelled is not printed again, what failed is as often as was said, elsewhere', async t => {
    const booted = await begin(t, {
      models: [{ model: 'X1C', name: 'one', ...FAST }, { model: 'X1C', name: 'two', ...FAST }]
    })
    await upload(booted, sliced({ minutes: 600 }))
    await upload(booted, sliced({ salt: 'short' }), 'short.gcode.3mf')
    const long = await add(booted, { file: 'cube.gcode.3mf', printers: ['one'], retries: 1 })
    await clear(booted, 'one')
    await until(booted, long.id, ({ state }) => state === 'printing')
    t.equal((await booted.http('POST', '/api/stop_printing', { printer: 'one' })).status, 200)
    t.match(await until(booted, long.id, ({ state }) => state === 'cancelled'), { finished: 0, runs: [{ state: 'cancelled' }] })

    const job = await add(booted, { file: 'cube.gcode.3mf', printers: ['one', 'two'], retries: 1 })
    await clear(booted, 'one')
    await until(booted, job.id, ({ state }) => state === 'printing')
    booted.printers[0]?.patch({ gcode_state: 'FAILED', print_error: 0x03008004 })
    const again = await until(booted, job.id, ({ runs, waiting }) => runs.at(-1)?.state === 'failed' && waiting === 1)
    t.match(again.printers.find(({ printer }) => printer === 'one')?.reason, /^a copy failed here/)
    t.match(again.state, 'waiting')
  })

  t.test('jobs are moved, held, changed and cancelled', async t => {
    const booted = await begin(t)
    await upload(booted, sliced())
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await add(booted, { file: 'cube.gcode.3mf', job_name: name })).id)
    const [a = '', b = '', c = ''] = ids
    const order = async () => (await queueOf(booted)).jobs.map(({ name }) => name).join('')
    const change = (id: string, fields: object) => booted.http('PATCH', `/api/queue/jobs/${id}`, fields as never)
    await change(c, { before: a })
    t.equal(await order(), 'cab')
    await change(c, { before: 'last' })
    await change(b, { before: 'first' })
    t.equal(await order(), 'bac')
    await change(a, { priority: 5 })
    t.equal(await order(), 'abc')
    t.match((await change(a, { act: 'hold' })).body, { held: true, reason: 'held' })
    t.match((await change(b, { act: 'cancel' })).body, { state: 'cancelled' })
    t.match(await change(b, { priority: 1 }), { status: 409 })
    t.match(await change(a, { before: b }), { status: 409 })
    t.match((await change(b, { act: 'retry' })).body, { state: 'waiting' })
    t.match(await change(b, { act: 'retry', priority: 3 }), { status: 400 })
    t.match(await change('nobody', { priority: 1 }), { status: 404 })
    t.match(await booted.http('DELETE', '/api/queue/files/nothing'), { status: 404 })
  })

  if (!all) return // what follows asks nothing more of the database

  t.test('a print that the queue did not start uses up the plate too', async t => {
    const booted = await begin(t)
    const { printer } = booted
    await upload(booted, sliced())
    await clear(booted, 'x1c')
    printer.startJob({ name: 'foreign', minutes: 5 })
    await eventually(async () => (await queueOf(booted)).printers[0]?.plate === 'used')
    const { id } = await add(booted, { file: 'cube.gcode.3mf' })
    const isFree = ({ printers }: { printers: readonly { reason: string }[] }) =>
      printers[0]?.reason === 'plate not confirmed clear'
    await until(booted, id, isFree)
    t.equal(sent(printer).length, 0)
    await clear(booted, 'x1c')
    await until(booted, id, ({ state }) => state === 'done')
  })

  t.test('a plate is confirmed as it was when somebody looked', async t => {
    const booted = await begin(t)
    const { printer, tool } = booted
    const look = async () => (await queueOf(booted)).printers[0]?.seen
    await eventually(async () => (await queueOf(booted)).printers[0]?.reason === 'plate not confirmed clear')
    const before = await look()
    t.equal(await look(), before, 'it does not change by itself')
    printer.startJob({ name: 'foreign', minutes: 5 })
    await eventually(() => booted.kernel.printers.get('x1c')?.state?.job.gcodeState === 'FINISH')
    t.match(await clear(booted, 'x1c', { seen: before }), {
      status: 409, body: { error: 'queue_plate_changed', reason: /since you checked.*'foreign', FINISH/ }
    })
    const told = JSON.stringify(await tool('confirm_plate_clear', { name: 'x1c', seen: before, user_permission: true }))
    t.match(told, /since you checked/)
    t.equal((await queueOf(booted)).printers[0]?.plate, 'used')
    t.match(await clear(booted, 'x1c', { seen: await look() }), { status: 200 })
  })

  t.test('a group that clears itself goes on by itself, and a pause keeps it from that', async t => {
    const groups = [{ name: 'ejectors', printers: ['x1c'], selfClearing: true }]
    const booted = await begin(t, { groups })
    await upload(booted, sliced())
    await booted.http('POST', '/api/queue/pause', { of: 'ejectors', paused: true })
    const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 3, printers: ['ejectors'] })
    await clear(booted, 'x1c')
    await until(booted, id, ({ printers }) => printers[0]?.reason === "group 'ejectors' is paused")
    await booted.http('POST', '/api/queue/pause', { of: 'ejectors', paused: false })
    await until(booted, id, ({ state }) => state === 'done')
    t.equal(sent(booted.printer).length, 3)
  })

  t.test('a job whose only printer failed it is printed there once somebody retries it', async t => {
    const booted = await begin(t)
    await upload(booted, sliced({ minutes: 600 }))
    await clear(booted, 'x1c')
    const { id } = await add(booted, { file: 'cube.gcode.3mf', retries: 3 })
    await until(booted, id, ({ state }) => state === 'printing')
    booted.printer.patch({ gcode_state: 'FAILED', print_error: 0x03008004 })
    await until(booted, id, ({ state }) => state === 'blocked')
    t.match((await booted.http('PATCH', `/api/queue/jobs/${id}`, { act: 'retry' })).body, { state: 'waiting' })
  })

  t.test('a job that nothing fits says so, printer by printer, and starts when it does', async t => {
    const booted = await begin(t)
    await upload(booted, sliced({ type: 'PETG', color: '#000000' }), 'petg.gcode.3mf')
    await upload(booted, sliced({ model: 'O1D' }), 'h2d.gcode.3mf')
    await clear(booted, 'x1c')
    const petg = await add(booted, { file: 'petg.gcode.3mf' })
    t.match(petg, { state: 'blocked', printers: [{ printer: 'x1c', reason: /^PETG black missing/ }] })
    const h2d = await add(booted, { file: 'h2d.gcode.3mf' })
    t.match(h2d, { state: 'blocked', printers: [{ reason: /sliced for .*H2D/ }] })
    await upload(booted, sliced())
    const both = await add(booted, { file: 'h2d.gcode.3mf', alternatives: [{ file: 'cube.gcode.3mf' }] })
    await until(booted, both.id, ({ state }) => state === 'done')
    t.equal((await jobOf(booted, petg.id)).state, 'blocked')
    const alerts = JSON.stringify((await booted.http('GET', '/api/alerts', { printer: 'x1c' })).body)
    t.match(alerts, /queue_blocked/)
  })
}

t.test('with SQLite', async t => suite(t, () => ({}), { all: true }))

t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, () => ({ url: server.newDatabase() }), { all: false })
})
