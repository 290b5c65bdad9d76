import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { OddStart, VirtualPrinter } from '../../../plugins/emulator/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import type { Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import {
  add, clear, entryOf, FAST, jobOf, queueOf, sent, sliced, start, startPrinters, timing, until, upload
} from './helpers.js'

/** So long after it was accepted the printer shows a start: many times what the queue waits for reports. */
const LATE_MS = 2_500
const late = (rest: Partial<Extract<OddStart, { kind: 'late' }>> = {}): OddStart =>
  ({ kind: 'late', afterMs: LATE_MS * FAST.speed, ...rest })
/** It begins when the fault is lifted. */
const HELD: OddStart = { kind: 'late' }

const preset = recordedWith(queueWith({ ...timing, startMs: 300, settleMs: 100, retryMs: 50 }))

interface Service extends Booted { readonly dataDir: string, readonly x1c: VirtualPrinter }

/** A service over a printer that stays when the service goes. */
async function serve (t: Test, printer?: VirtualPrinter, dataDir = testFolder(t)): Promise<Service> {
  const [x1c] = printer ? [printer] : await startPrinters(t, [{ model: 'X1C', name: 'x1c', ...FAST }])
  if (!x1c) throw new Error('there is no printer')
  const booted = await start(t, { preset, models: [], config: { dataDir, printers: [entryOf(x1c)] } })
  await eventually(() => booted.kernel.printers.resolve('x1c').live)
  return Object.assign(Object.create(booted) as Booted, { dataDir, x1c })
}

/** A second service with what a kill would have left of the first on the disk. */
async function killed (t: Test, service: Service): Promise<Service> {
  const dataDir = join(testFolder(t), 'killed')
  // files that are just being replaced are gone when it comes to them
  await eventually(async () => { await cp(service.dataDir, dataDir, { recursive: true }); return true })
  await service.close()
  return await serve(t, service.x1c, dataDir)
}

const ended = async (service: Service): Promise<void> => {
  const { kernel } = service
  await eventually(() => kernel.printers.resolve('x1c').state?.job.gcodeState === 'FINISH')
}

/** The printer has finished a print before, so that it reports FINISH. */
async function afterFirst (service: Service): Promise<void> {
  service.x1c.startJob({ name: 'before', minutes: 5 })
  await ended(service)
}

const isPending = async (service: Service): Promise<boolean> =>
  (await queueOf(service)).printers.some(({ pending_start: start }) => start !== null)

async function putOnCard ({ kernel }: Service, path: string): Promise<void> {
  await kernel.services.files.uploadFrom(kernel.printers.resolve('x1c'), Readable.from([sliced({ salt: path })]), path)
}
const print = async ({ http }: Service, path: string) =>
  await http('POST', '/api/print_3mf', {
    printer: 'x1c', filename: path, platenum: 1, use_ams: true, accept_mismatch: true // on a plate that the queue calls used
  })

/** Prints that the printer has begun, by its own log of states. */
function countPrints ({ kernel }: Service) {
  let prints = 0
  let was = ''
  kernel.printers.resolve('x1c').events.on('state', ({ job: { gcodeState } }) => {
    if (gcodeState === 'RUNNING' && was !== 'RUNNING' && was !== 'PAUSE') prints++
    was = gcodeState
  })
  return () => prints
}

t.test('a printer that reports FINISH long after it has accepted a start is sent each copy once', async t => {
  const service = await serve(t)
  const { x1c } = service
  await afterFirst(service)
  const prints = countPrints(service)
  const oddities: readonly OddStart[] = [
    late(),
    late({ namesFirst: true }),
    late({ taskId: '987654' }), // some printers give a job a number of their own
    late({ namesFirst: true, taskId: '987655' })
  ]
  await upload(service, sliced())
  const { id } = await add(service, { file: 'cube.gcode.3mf', copies: oddities.length })
  for (const [at, odd] of oddities.entries()) {
    const lift = x1c.faults.startOddly(odd)
    await eventually(async () => (await clear(service, 'x1c')).status === 200)
    await eventually(() => isPending(service))
    t.match((await queueOf(service)).printers[0], {
      is_ready: false, pending_start: { job: /^cube/ }, reason: /^has accepted 'cube' and does not show it yet: waits until/
    })
    await until(service, id, ({ finished }) => finished === at + 1)
    lift()
  }
  const { state, finished, runs } = await jobOf(service, id)
  t.same([state, finished, runs.map(({ state }) => state)], ['done', 4, Array(4).fill('finished')])
  t.same([sent(x1c).length, prints()], [4, 4])
})

t.test('a service that is killed meanwhile sends nothing again, whoever asked for the start', async t => {
  await t.test('the queue', async t => {
    const first = await serve(t)
    await afterFirst(first)
    first.x1c.faults.startOddly(HELD)
    await upload(first, sliced())
    const { id } = await add(first, { file: 'cube.gcode.3mf' })
    await clear(first, 'x1c')
    await eventually(() => sent(first.x1c).length === 1)
    const second = await killed(t, first)
    await putOnCard(second, '/theirs.gcode.3mf')
    t.match(await print(second, '/theirs.gcode.3mf'), { status: 409, body: { error: 'job_starting' } })
    await first.x1c.faults.clear()
    await until(second, id, ({ state }) => state === 'done')
    t.equal(sent(first.x1c).length, 1)
  })
  await t.test('a person', async t => {
    const first = await serve(t)
    await afterFirst(first)
    await putOnCard(first, '/theirs.gcode.3mf')
    first.x1c.faults.startOddly(HELD)
    const asked = print(first, '/theirs.gcode.3mf')
    await eventually(() => sent(first.x1c).length === 1)
    const second = await killed(t, first)
    await asked.catch(() => {})
    t.match(await print(second, '/theirs.gcode.3mf'), { status: 409, body: { error: 'job_starting', reason: /'theirs'.*give_up_start/ } })
    await upload(second, sliced())
    const { id } = await add(second, { file: 'cube.gcode.3mf' })
    await clear(second, 'x1c')
    const waiting = await until(second, id, ({ printers }) => /^has accepted 'theirs'/.test(printers[0]?.reason ?? ''))
    t.equal(waiting.runs.length, 0)
    await first.x1c.faults.clear()
    await eventually(async () => !await isPending(second))
    await eventually(async () => (await queueOf(second)).printers[0]?.plate === 'used')
    await ended(second)
    t.equal(sent(first.x1c).length, 1, 'the print of the person used the plate')
    await clear(second, 'x1c')
    await until(second, id, ({ state }) => state === 'done')
    t.equal(sent(first.x1c).length, 2)
  })
})

t.test('a connection that is lost meanwhile says nothing of the start', async t => {
  const service = await serve(t)
  const { x1c, kernel } = service
  await afterFirst(service)
  x1c.faults.startOddly(late())
  await upload(service, sliced())
  const { id } = await add(service, { file: 'cube.gcode.3mf' })
  await clear(service, 'x1c')
  await eventually(() => sent(x1c).length === 1)
  const session = kernel.printers.resolve('x1c')
  const cut = new Promise<void>(resolve => { session.events.on('live', live => { if (!live) resolve() }) })
  x1c.faults.drop()
  await cut
  await until(service, id, ({ state }) => state === 'done')
  t.equal(sent(x1c).length, 1)
})

t.test('a printer that was switched off has lost the start, which is sent again once its plate is confirmed', async t => {
  const service = await serve(t)
  const { x1c, kernel } = service
  await afterFirst(service)
  x1c.faults.startOddly(HELD)
  await upload(service, sliced())
  const { id } = await add(service, { file: 'cube.gcode.3mf' })
  await clear(service, 'x1c')
  await eventually(() => sent(x1c).length === 1)
  await eventually(() => kernel.printers.resolve('x1c').context.start?.accepted === true)
  x1c.faults.restart()
  await x1c.faults.clear()
  await until(service, id, ({ runs }) => runs[0]?.state === 'not_started')
  t.equal(sent(x1c).length, 1, 'nobody has looked at the plate')
  await eventually(async () => (await clear(service, 'x1c')).status === 200)
  await until(service, id, ({ state }) => state === 'done')
  t.equal(sent(x1c).length, 2)
})

t.test('a person may give a start up, by hand and with a warning', async t => {
  const service = await serve(t)
  const { x1c, http, tool } = service
  await afterFirst(service)
  t.match(await http('POST', '/api/give_up_start', { printer: 'x1c' }), { status: 409, body: { error: 'no_pending_start' } })
  x1c.faults.startOddly(HELD)
  await upload(service, sliced())
  const { id } = await add(service, { file: 'cube.gcode.3mf' })
  await clear(service, 'x1c')
  await eventually(() => isPending(service))
  await until(service, id, ({ runs }) => runs[0]?.state === 'sending')
  t.match((await tool('give_up_start', { name: 'x1c' })).result, { isError: true }, 'not without permission')
  await eventually(async () => (await http('POST', '/api/give_up_start', { printer: 'x1c' })).status === 200)
  t.match(await jobOf(service, id), { finished: 0, waiting: 1, runs: [{ state: 'not_started', reason: /^given up by http/ }] })
  t.match((await queueOf(service)).printers[0], { plate: 'used', pending_start: null }, 'it may begin yet: somebody must look')
  t.equal(sent(x1c).length, 1)

  await putOnCard(service, '/theirs.gcode.3mf')
  const claimed = async () => (await print(service, '/theirs.gcode.3mf')).body.error === 'printer_claimed'
  const begun = eventually(async () => !await claimed(), 60_000)
  await eventually(() => sent(x1c).length === 2, 60_000)
  await begun
  t.match(await print(service, '/theirs.gcode.3mf'), { status: 409, body: { error: 'job_starting' } })
  t.match((await tool('give_up_start', { name: 'x1c', user_permission: true })).value, { printer: 'x1c', job: 'theirs' })
  x1c.faults.restart()
  await x1c.faults.clear()
  await eventually(async () => (await print(service, '/theirs.gcode.3mf')).status === 200)
  t.equal(sent(x1c).length, 3)
})
