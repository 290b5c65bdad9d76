import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, queueOf, sent, until, upload } from '../queue/helpers.js'
import { contentsOf } from './archive-contents.js'
import { accepted, FakeBroker, FakeCamera, realPlate, RECIPE, start, statusOf } from './helpers.js'

t.test('three copies with ejection need one person, once', async t => {
  const broker = new FakeBroker()
  broker.answer = { text: 'empty' }
  const dataDir = testFolder(t)
  const booted = await start(t, { broker }, { config: { dataDir } })
  const happened: string[] = []
  booted.kernel.events.on('plate-change:changed', ({ kind }) => happened.push(kind))
  await accepted(booted, { magazine: 5 })
  await upload(booted, realPlate())
  const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 3 })
  await clear(booted, 'x1c')
  await eventually(() => sent(booted.printer).length === 1)
  const onCard = String(sent(booted.printer)[0]?.body.url).replace(/^(file|ftp):\/\/\/?(mnt\/sdcard|sdcard)?\/?/, '/')
  const entry = await booted.kernel.services.files.find(booted.kernel.printers.get('x1c')!, onCard)
  t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 3 })
  t.equal(sent(booted.printer).length, 3)
  await eventually(async () => happened.length === 3)
  t.same(happened, ['cleared', 'cleared', 'cleared'])
  t.match(await statusOf(booted), { step: 'idle', magazine: { size: 5, used: 3, is_empty: false } })
  const folder = join(dataDir, 'plugins', 'plate-change', 'plates')
  const [name = ''] = await readdir(folder)
  const made = await readFile(join(folder, name))
  t.equal(entry?.size, made.length, 'this is what was sent')
  const entries = contentsOf(made)
  t.match(entries.get('Metadata/plate_1.gcode')!.toString(), /PLATE CHANGE START\nG90\nM190 R60\nG90\nG1 Z12 F900/)
})

t.test('without an accepted recipe nothing changes, and a changed one is not accepted', async t => {
  const broker = new FakeBroker()
  broker.answer = { text: 'empty' }
  const booted = await start(t, { broker })
  const { http } = booted
  const { id, hash } = await accepted(booted)
  t.match(await http('POST', '/api/plate-change/accept', { printer: 'x1c', recipe: id, hash: 'other', accepted: true }), { status: 409 })
  await t.rejects(accepted(booted, { name: 'Pull' }), /'Push' is accepted for the same materials/, 'which one would be inserted?')
  t.match(await http('POST', '/api/plate-change/recipes', { ...RECIPE, id, cool_minutes: 41 } as never), { status: 200, body: { id } })
  t.same((await statusOf(booted)).recipes, [], 'a change withdraws the acceptance')
  t.match(await http('POST', '/api/plate-change/accept', { printer: 'x1c', recipe: id, hash, accepted: true }), { status: 409 })
  await upload(booted, realPlate())
  const job = await add(booted, { file: 'cube.gcode.3mf', copies: 2 })
  await clear(booted, 'x1c')
  await until(booted, job.id, ({ finished }) => finished === 1)
  await eventually(async () => (await queueOf(booted)).printers[0]?.reason === 'plate not confirmed clear')
  t.equal(sent(booted.printer).length, 1)
  t.equal(broker.listeners, 0)
  t.match(await http('POST', '/api/plate-change/recipes', { ...RECIPE, end_gcode: 'M500' } as never), { status: 422, body: { error: /recipe_refused/ } })
  t.match(await http('POST', '/api/plate-change/recipes', { ...RECIPE, sensor: { topic: 'a', key: '', below: 5 } } as never), { status: 422 })
  t.match(await http('POST', '/api/plate-change/recipes', { ...RECIPE, sensor: { topic: 'a/#', key: '', empty: 'x' } } as never), { status: 422 })
})

for (const [what, answer, reason] of [
  ['that says that something is there', { text: 'full' }, /says 'full'/],
  ['whose message the broker had stored', { text: 'empty', isRetained: true }, /nothing new/],
  ['that says nothing', undefined, /nothing new/]
] as const) {
  t.test(`a sensor ${what} leaves the plate to a person`, async t => {
    const broker = new FakeBroker()
    broker.answer = answer
    const booted = await start(t, { broker, plate: { sensorMs: 300 } })
    await accepted(booted)
    await upload(booted, realPlate())
    const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 2 })
    await clear(booted, 'x1c')
    await until(booted, id, ({ finished }) => finished === 1)
    await eventually(async () => (await statusOf(booted)).step === 'unsure')
    t.match((await statusOf(booted)).reason, reason)
    await eventually(async () => (await queueOf(booted)).printers[0]?.reason === 'a person has to look at its plate')
    t.match((await queueOf(booted)).printers[0], { plate: 'used' })
    t.equal(sent(booted.printer).length, 1, 'nothing starts on a plate that is not clear')
    t.equal(broker.listeners, 0, 'nothing is listened to any more')
    await clear(booted, 'x1c')
    await until(booted, id, ({ runs }) => runs.length === 2)
    await eventually(async () => (await statusOf(booted)).step !== 'unsure')
  })
}

t.test('an empty magazine holds the printer until a person has filled it', async t => {
  const broker = new FakeBroker()
  broker.answer = { text: 'empty' }
  const booted = await start(t, { broker })
  await accepted(booted, { magazine: 1 })
  await upload(booted, realPlate())
  const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 2 })
  await clear(booted, 'x1c')
  await until(booted, id, ({ finished }) => finished === 1)
  await eventually(async () => (await queueOf(booted)).printers[0]?.plate === 'clear')
  t.match((await queueOf(booted)).printers[0], { reason: 'the magazine of its plate changer is empty', is_ready: false })
  t.match((await statusOf(booted)).magazine, { used: 1, size: 1, is_empty: true })
  t.equal(sent(booted.printer).length, 1)
  t.match(await booted.http('POST', '/api/plate-change/refill', { printer: 'x1c' }), { status: 200 })
  t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 2 })
})

t.test('a print that was cancelled is never cleared', async t => {
  const broker = new FakeBroker()
  broker.answer = { text: 'empty' }
  const booted = await start(t, { broker })
  await accepted(booted)
  await upload(booted, realPlate(600))
  const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 2 })
  await clear(booted, 'x1c')
  await until(booted, id, ({ state }) => state === 'printing')
  await eventually(async () => (await booted.http('POST', '/api/stop_printing', { printer: 'x1c' })).status === 200)
  await until(booted, id, ({ runs }) => runs[0]?.state === 'cancelled' || runs[0]?.state === 'failed')
  await eventually(async () => (await statusOf(booted)).step === 'idle')
  t.match((await queueOf(booted)).printers[0], { plate: 'used' })
  t.equal(sent(booted.printer).length, 1)
  t.match((await statusOf(booted)).magazine, { used: 0 })
})

t.test('a plate that the recipe does not suit is not started', async t => {
  const booted = await start(t)
  await accepted(booted, { end_gcode: 'G90\nG1 Z{print_height_mm+254}', check: 'person', sensor: undefined }).catch(() => {})
  await accepted(booted, { end_gcode: 'G90\nG1 Z{print_height_mm+200}', cool_c: 45 })
  await upload(booted, realPlate())
  const { id: draft } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  t.match(await until(booted, draft, ({ finished }) => finished === 1), { finished: 1 })
  const { body } = await booted.http('GET', '/api/queue/files')
  const file = (body.files as { id: string }[])[0]!.id
  const tried = await booted.http('POST', '/api/plate-change/try', { printer: 'x1c', ...RECIPE, file } as never)
  t.match(tried, { status: 200, body: { problems: [], plate: { end_place: 'before_motors_off', is_refused: false, name: 'cube + Push' } } })
  const high = await booted.http('POST', '/api/plate-change/try', { printer: 'x1c', ...RECIPE, end_gcode: 'G90\nG1 Z{bed_height_max+1}', file } as never)
  t.match(high, { status: 200, body: { problems: [{ code: 'outside', line: 2 }], plate: null } })
})

t.test('pictures decide only with an error that was measured and accepted', async t => {
  const camera = new FakeCamera()
  const booted = await start(t, { camera })
  const { http } = booted
  const take = async (kind: 'empty' | 'full', scene: FakeCamera['scene']) => {
    camera.scene = scene
    return await http('POST', '/api/plate-change/pictures', { printer: 'x1c', kind })
  }
  t.match(await http('POST', '/api/plate-change/mask', { printer: 'x1c', mask: [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]] } as never), { status: 200 })
  for (let at = 0; at < 5; at++) t.match(await take('empty', 'empty'), { status: 200 })
  t.match((await statusOf(booted)).measured, { may_accept: false })
  t.match(await http('POST', '/api/plate-change/accept_error', { printer: 'x1c', hash: (await statusOf(booted)).measured.hash, accepted: true }), { status: 409 })
  for (let at = 0; at < 5; at++) await take('full', 'part')
  t.match(await take('empty', 'frozen'), { status: 200 })
  t.match(await take('empty', 'frozen'), { status: 400 }, 'the same picture twice measures nothing')
  const { measured } = await statusOf(booted)
  t.match(measured, { may_accept: true, is_accepted: false, text: 'would have called 0 of 5 full plates empty, and 0 of 6 empty plates not empty' })
  await accepted(booted, { check: 'camera', sensor: undefined })
  await upload(booted, realPlate())
  const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 6 })
  await clear(booted, 'x1c')
  let runs = 0
  const asks = async (scene: FakeCamera['scene'], reason: RegExp) => {
    camera.scene = scene
    await until(booted, id, ({ finished }) => finished === runs + 1)
    runs++
    await eventually(async () => (await statusOf(booted)).step === 'unsure')
    t.match((await statusOf(booted)).reason, reason)
    t.equal(sent(booted.printer).length, runs)
  }
  await asks('empty', /nobody accepted/)
  t.match(await http('POST', '/api/plate-change/accept_error', { printer: 'x1c', hash: measured.hash, accepted: true }), { status: 200 })
  for (const [scene, reason] of [['off', /no picture/], ['black', /shows nothing/], ['frozen', /stands still/], ['part', /something on the plate/]] as const) {
    camera.scene = scene
    await clear(booted, 'x1c')
    await asks(scene, reason)
  }
  t.match(await statusOf(booted), { last_check: { verdict: 'full' } })
  const last = await booted.kernel.app.inject({ url: '/api/plate-change/pictures/last?printer=x1c' })
  t.match(last, { statusCode: 200, headers: { 'content-type': 'image/jpeg' } })
  camera.scene = 'empty'
  await clear(booted, 'x1c')
  await until(booted, id, ({ state }) => state === 'done')
  await eventually(async () => (await queueOf(booted)).printers[0]?.plate === 'clear')
  await take('full', 'part')
  t.match((await statusOf(booted)).measured, { is_accepted: false }, 'other pictures are another error')
})
