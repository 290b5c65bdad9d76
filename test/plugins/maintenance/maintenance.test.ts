import sharp from 'sharp'
import t, { type Test } from 'tap'
import { ask } from '../../../presets/testing/http-request.js'
import { Photos } from '../../../plugins/maintenance/photos.js'
import type { Tables } from '../../../plugins/maintenance/tables.js'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { madeUp } from '../history/rows.js'
import { maintained } from './preset.js'

const WITHIN_MS = 30_000
const HOUR_S = 3_600

type Body = any
const start = (t: Test, more: BootOptions = {}) => boot(t, {
  preset: maintained, models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200 }], ...more, config: { dataDir: testFolder(t), ...more.config }
})

const read = async ({ http }: Booted): Promise<Body> => (await http('GET', '/api/maintenance')).body
const machine = async (booted: Booted): Promise<Body> => (await read(booted)).printers[0]
const taskIn = async (booted: Booted, id: string): Promise<Body> =>
  (await machine(booted)).tasks.find((task: Body) => task.id === id)

/** A print of so many hours that has just ended. */
function print ({ kernel }: Booted, number: number, hours: number, more: Record<string, string | number> = {}): string {
  const serial = kernel.printers.config('x1c')?.serial ?? ''
  const [head, filament] = madeUp(number * 28, Date.now() - 10_000, 0)
  if (!head || !filament) throw new Error('no rows')
  const { database } = kernel.services
  database.put({ ...head, values: { ...head.values, serial, printer: 'x1c', ended_at: Date.now() - 1, printing_s: hours * HOUR_S, ...more } })
  database.put(filament)
  kernel.events.emit('history:print', 'x1c', { id: head.values.id, result: 'finished', filaments: [] } as any)
  return head.values.id
}

t.test('prints are counted once, and what they wear becomes due', async t => {
  const booted = await start(t)
  const { http, kernel } = booted
  const raised: Body[] = []
  const happened: Body[] = []
  kernel.events.on('alert', alert => { if (alert.type.startsWith('maintenance')) raised.push(alert) })
  kernel.events.on('maintenance:task', event => happened.push(event))
  await eventually(async () => (await read(booted)).printers.length === 1, WITHIN_MS)
  const id = print(booted, 1, 280)
  await eventually(async () => (await machine(booted)).counters.hours === 280, WITHIN_MS)
  kernel.events.emit('history:print', 'x1c', { id, result: 'finished', filaments: [] } as any)
  await eventually(() => raised.length === 1, WITHIN_MS)
  t.match(raised[0], { type: 'maintenance_soon', severity: 'low', payload: { reason: /Wipe the carbon rods/ } })
  t.match(await machine(booted), { counters: { hours: 280, prints: 1, grams: 10 }, next_hours: 20 })
  t.match(await taskIn(booted, 'rods'), { state: 'soon', progress: [{ unit: 'hours', used: 280, every: 300 }, { unit: 'days' }], last_done_at: null })

  print(booted, 2, 40)
  await eventually(async () => (await taskIn(booted, 'rods')).state === 'due', WITHIN_MS)
  await eventually(() => raised.length === 2, WITHIN_MS)
  t.match(raised[1], { type: 'maintenance_due', severity: 'medium', payload: { tasks: ['rods', 'lenses'] } })
  t.match((await read(booted)), { due: 2 })
  t.match((await http('GET', '/api/maintenance/count')).body, { due: 2 })
  t.same((await machine(booted)).tasks.map(({ share }: Body) => share).toSorted((a: number, b: number) => b - a),
    (await machine(booted)).tasks.map(({ share }: Body) => share), 'the most urgent first')
  t.same(happened.filter(({ kind }) => kind === 'due').map(({ task }) => task).sort(), ['lenses', 'rods'])

  const { body: { done } } = await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['rods'], note: 'black cloth' })
  t.match(done, [{ task: 'rods', name: 'Wipe the carbon rods', note: 'black cloth', by: 'http (local)', undone: false }])
  t.match(await taskIn(booted, 'rods'), { state: 'ok', progress: [{ used: 0 }, { used: 0 }], last_done_by: 'http (local)' })
  t.match(happened.at(-1), { kind: 'done', task: 'rods', printer: 'x1c' })
  await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['rods'] })
  t.equal((await http('GET', '/api/maintenance/history')).body.done.length, 1, 'a second tap is the same')

  t.match((await http('DELETE', `/api/maintenance/done/${done[0].id}`)).body, { undone: true })
  t.match(await taskIn(booted, 'rods'), { state: 'due', last_done_at: null })
  t.match((await http('GET', '/api/maintenance/history')).body.done, [{ undone: true }], 'it stays on record')
  await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['rods'] })
  t.match(await taskIn(booted, 'rods'), { state: 'ok' }, 'and again after it was taken back')
})

t.test('everything counts on after a restart, and is warned of once', async t => {
  const dataDir = testFolder(t)
  const first = await start(t, { config: { dataDir } })
  let raised = 0
  first.kernel.events.on('alert', ({ type }) => { if (type.startsWith('maintenance')) raised++ })
  await eventually(async () => (await read(first)).printers.length === 1, WITHIN_MS)
  print(first, 1, 310)
  await eventually(() => raised === 1, WITHIN_MS)
  // A print that ends while the service is off is in the record, and no event tells of it.
  await first.kernel.services.database.settled()
  const serial = first.kernel.printers.config('x1c')?.serial ?? ''
  const [head] = madeUp(84, Date.now() - 10_000, 0)
  if (!head) throw new Error('no row')
  first.kernel.services.database.put({ ...head, values: { ...head.values, serial, printer: 'x1c', printing_s: 5 * HOUR_S } })
  await first.close()
  const second = await start(t, { config: { dataDir } })
  second.kernel.events.on('alert', ({ type }) => { if (type.startsWith('maintenance')) raised++ })
  await eventually(async () => (await machine(second))?.counters.hours === 315, WITHIN_MS)
  await eventually(async () => (await taskIn(second, 'rods')).state === 'due', WITHIN_MS)
  print(second, 5, 1)
  await eventually(async () => (await machine(second)).counters.prints === 3, WITHIN_MS)
  t.equal(raised, 1)
})

t.test('a due task holds the queue back if a person wants that', async t => {
  const booted = await start(t)
  const { http } = booted
  const queued = async () => (await http('GET', '/api/queue')).body.printers[0]
  await eventually(async () => (await read(booted)).printers.length === 1, WITHIN_MS)
  print(booted, 1, 310)
  await eventually(async () => (await taskIn(booted, 'rods')).state === 'due', WITHIN_MS)
  await http('POST', '/api/queue/plate_clear', { printer: 'x1c' })
  await eventually(async () => !String((await queued()).reason).includes('maintenance'), WITHIN_MS)
  t.match((await http('PATCH', '/api/maintenance/tasks/rods', { blocks: true })).body, { id: 'rods', blocks: true, usual: true })
  await eventually(async () => (await queued()).why?.code === 'maintenance_due', WITHIN_MS)
  t.match(await queued(), { is_ready: false, reason: 'maintenance is due: Wipe the carbon rods', why: { values: { task: 'Wipe the carbon rods' } } })
  await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['rods'] })
  await eventually(async () => (await queued()).why?.code !== 'maintenance_due', WITHIN_MS)
})

t.test('what a printer had done before is entered by a person', async t => {
  const booted = await start(t)
  const { http } = booted
  await eventually(async () => (await read(booted)).printers.length === 1, WITHIN_MS)
  t.match((await machine(booted)), { before: null, counters: { hours: 0 } })
  const set = (before: object) => http('PATCH', '/api/maintenance/before', { printer: 'x1c', before })
  t.match((await set({ hours: 800, abrasive_grams: 1_200 })).body,
    { before: { hours: 800 }, counters: { hours: 800, abrasive_grams: 1_200 } })
  t.match(await taskIn(booted, 'rods'), { state: 'due', last_done_at: null })
  await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['rods', 'nozzle'] })
  t.match(await taskIn(booted, 'rods'), { state: 'ok' })
  await set({ hours: 2_000 })
  t.match(await taskIn(booted, 'rods'), { state: 'ok', progress: [{ used: 0 }, { used: 0 }] }, 'what was done stays done')
  t.match(await taskIn(booted, 'belts'), { state: 'due' })
  t.match((await set({})).body, { before: null, counters: { hours: 0 } })
  t.match(await http('PATCH', '/api/maintenance/before', { printer: 'x1c', before: { hours: -1 } }), { status: 400 })
  t.match(await http('PATCH', '/api/maintenance/before', { printer: 'nobody', before: {} }), { body: { error: 'not_connected' } })
})

t.test('tasks of one\'s own are added, changed and removed', async t => {
  const booted = await start(t)
  const { http, tool } = booted
  await eventually(async () => (await read(booted)).printers.length === 1, WITHIN_MS)
  t.match(await http('POST', '/api/maintenance/tasks', { name: 'x', every: {} }), { status: 400 })
  t.match(await http('POST', '/api/maintenance/tasks', { name: 'x', every: { hours: 10 }, printers: ['nobody'] }), { status: 400 })
  t.match(await http('POST', '/api/maintenance/tasks', { name: ' ', every: { hours: 10 } }), { status: 400 })
  const { body: bin } = await http('POST', '/api/maintenance/tasks', { name: 'Empty <b>the bin</b>', every: { prints: 2 }, printers: ['x1c'] })
  t.match(bin, { own: true, every: { prints: 2 }, printers: ['x1c'] })
  t.match(await taskIn(booted, bin.id), { name: 'Empty <b>the bin</b>', state: 'ok' })
  t.match((await http('PATCH', `/api/maintenance/tasks/${bin.id}`, { name: 'Bin' })).body, { name: 'Bin', every: { prints: 2 } })
  t.match(await http('PATCH', '/api/maintenance/tasks/rods', { name: 'Bin' }), { status: 400 })
  t.match((await http('PATCH', '/api/maintenance/tasks/rods', { every: { hours: 50 } })).body, { every: { hours: 50 }, usual: false })
  t.match((await http('PATCH', '/api/maintenance/tasks/rods', { off: true })).body, { off: true, every: { hours: 50 } })
  t.equal(await taskIn(booted, 'rods'), undefined)
  await http('DELETE', '/api/maintenance/tasks/rods')
  t.same((await taskIn(booted, 'rods')).progress.map(({ every }: Body) => every).sort(), [300, 90])
  t.equal((await http('DELETE', `/api/maintenance/tasks/${bin.id}`)).status, 200)
  t.equal(await taskIn(booted, bin.id), undefined)
  t.match(await http('DELETE', `/api/maintenance/tasks/${bin.id}`), { status: 404, body: { error: 'no_such_task' } })

  t.match((await tool('list_maintenance', { due: true })).value, { printers: [{ printer: 'x1c', tasks: [] }] })
  t.match((await tool('mark_maintenance_done', { printer: 'x1c', tasks: ['plate'] })).text, /user_permission/)
  const done = await tool('mark_maintenance_done', { printer: 'x1c', tasks: ['plate'], user_permission: true })
  t.match(done.value, { done: [{ task: 'plate', by: 'mcp (local)' }] })
  t.match((await tool('maintenance_history', {})).value, { done: [{ task: 'plate' }] })
})

t.test('a photo is decoded and drawn anew, and what is none is refused', async t => {
  const booted = await start(t)
  const { kernel, http } = booted
  await eventually(async () => (await read(booted)).printers.length === 1, WITHIN_MS)
  const { body: { done: [{ id }] } } = await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['plate'] })
  const send = (payload: Buffer, to = id, type = 'image/jpeg') =>
    kernel.app.inject({ method: 'POST', url: `/api/maintenance/done/${to}/photo`, headers: { 'content-type': type }, payload })
  const picture = await sharp({ create: { width: 2_400, height: 1_200, channels: 3, background: '#ff0000' } })
    .withExif({ IFD0: { Copyright: 'planted-secret' } }).jpeg().toBuffer()
  t.match((await send(picture)).json(), { id, photo: true })
  const stored = (await kernel.app.inject({ method: 'GET', url: `/api/maintenance/done/${id}/photo` })).rawPayload
  t.match(await sharp(stored).metadata(), { format: 'jpeg', width: 1_600, height: 800, exif: undefined })
  t.notOk(stored.includes('planted-secret'))
  for (const bad of [Buffer.from('no picture'), picture.subarray(0, 300), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')]) {
    t.match((await send(bad)).json(), { error: 'bad_maintenance_photo' })
  }
  t.equal((await send(Buffer.alloc(13 * 1024 ** 2))).statusCode, 413)
  t.match((await send(picture, '../../x')).statusCode, 404)
  t.match((await send(picture, 'none')).json(), { error: 'no_such_done_task' })
  t.match((await send(picture, id, 'text/html')).json(), { error: 'bad_input' })
  await http('DELETE', `/api/maintenance/done/${id}`)
  t.match(await http('GET', `/api/maintenance/done/${id}/photo`), { status: 404, body: { error: 'no_maintenance_photo' } })
  t.match((await send(picture)).json(), { error: 'no_such_done_task' }, 'nor is one kept of what was taken back')
  t.match(await http('POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['plate'], at: 60_000 } as Body), { status: 400 })

  const folder = testFolder(t)
  const few = new Photos(async () => folder, { photos: 1, bytes: 1024 ** 2 })
  const [one, other] = ['0123456789abcdef', 'fedcba9876543210'] as const
  await few.store(one, picture)
  await few.store(one, picture)
  await t.rejects(few.store(other, picture), { code: 'PRN_ERR_MAINTENANCE_PHOTOS_FULL' })
  t.ok(await few.read(one), 'and none is deleted for it')
  await few.remove(one)
  await few.store(other, picture)
})

t.test('a user with some printers sees and marks only these', async t => {
  const booted = await start(t, { models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200 }, { model: 'A1', name: 'a1', reportEveryMs: 200 }] })
  const { kernel } = booted
  await eventually(async () => (await read(booted)).printers.length === 2, WITHIN_MS)
  const caller = { name: 'ann', role: 'operator', printers: new Set(['a1']) } as never
  const call = (name: string, input: object) =>
    kernel.call(kernel.operations.get(name) as never, input as never, { caller })
  t.match(await call('maintenance.read', {}), { printers: [{ printer: 'a1' }] })
  await t.rejects(call('maintenance.done', { printer: 'x1c', tasks: ['plate'] }), { code: 'PRN_ERR_NOT_CONNECTED' })
  const { body: { done: [other] } } = await ask(kernel, 'POST', '/api/maintenance/done', { printer: 'x1c', tasks: ['plate'] }) as Body
  await t.rejects(call('maintenance.undo', { id: other.id }), { code: 'PRN_ERR_NO_SUCH_DONE_TASK' })
  const { database } = kernel.services
  await database.query<Tables, unknown>(db => db.updateTable('maintenance_done').set({ printer: 'a1' }).where('id', '=', other.id).execute())
  await t.rejects(call('maintenance.undo', { id: other.id }), { code: 'PRN_ERR_NO_SUCH_DONE_TASK' }, 'its printer is told by the serial, as names change')
  t.match(await call('maintenance.history', {}), { done: [] })
  await t.rejects(call('maintenance.changeTask', { id: 'plate', blocks: true }), { code: 'PRN_ERR_ALL_PRINTERS_ONLY' })
})
