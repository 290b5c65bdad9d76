import t, { type Test } from 'tap'
import spoolsPlugin from '../../../plugins/spools/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { recordedWith } from '../history/preset.js'
import { madeUp } from '../history/rows.js'
import { startSpoolman } from './spoolman-server.js'

const WITHIN_MS = 30_000
const preset = recordedWith(spoolsPlugin)
const PRINTER = { model: 'X1C', name: 'x1c', reportEveryMs: 100 } as const

type Body = any
const read = async ({ http }: Booted): Promise<Body> => (await http('GET', '/api/spools')).body

/** A print that took 10 g and more from a place of the printer, ended a moment ago. */
function print ({ kernel }: Booted, number: number, more: Record<string, string | number> = {}): number {
  const serial = kernel.printers.config('x1c')?.serial ?? ''
  const [head, filament] = madeUp(number * 28, Date.now(), 0) // the first of its kind: finished, of one material
  if (!head || !filament) throw new Error('no rows')
  const { database } = kernel.services
  database.put({ ...head, values: { ...head.values, serial, printer: 'x1c' } })
  database.put({ ...filament, values: { ...filament.values, ...more } })
  kernel.events.emit('history:print', 'x1c', { id: head.values.id, result: 'finished', filaments: [] } as any)
  return Number(filament.values.grams)
}

const inSlot = ({ material, color, tag, place }: Body) => ({ material, color, tag, place })

function suite (t: Test, newDatabase: () => object): void {
  const start = async (t: Test, spools: object = {}, dataDir = testFolder(t), database = newDatabase()) => {
    const config = { plugins: { database, spools }, dataDir }
    const booted = await boot(t, { preset, models: [PRINTER], config })
    await eventually(() => booted.kernel.printers.get('x1c')?.state !== undefined, WITHIN_MS)
    return booted
  }

  t.test('spools that nobody told of are known from their first print, and used grams add up', async t => {
    const booted = await start(t)
    const [slot] = (await read(booted)).slots.filter(({ place }: Body) => place.startsWith('ams'))
    const [first, second] = [print(booted, 1, inSlot(slot)), print(booted, 2, inSlot(slot))]
    t.equal(first, second)
    const used = 1_000 - slot.left_g + second // as the printer believed after the first
    await eventually(async () => (await read(booted)).spools[0]?.used_g === used, WITHIN_MS)
    const { kept_by: keptBy, spools, slots, open_uses: open } = await read(booted)
    t.equal(keptBy, 'prnd')
    t.same(open, [])
    t.match(spools, [{ material: slot.material, tag: slot.tag, net_g: 1_000, left_g: slot.left_g - second }])
    t.equal(slots.find(({ place }: Body) => place === slot.place).spool, spools[0].id)
  })

  t.test('what was taken from an unknown place is kept, until somebody has seen it', async t => {
    const booted = await start(t)
    print(booted, 3, { place: '', tag: '' })
    await eventually(async () => (await read(booted)).open_uses.length === 1, WITHIN_MS)
    const [use] = (await read(booted)).open_uses
    t.match(use, { state: 'unknown', spool: '', grams: 10 })
    t.equal((await booted.http('POST', '/api/spools/settle', { id: use.id, as: 'send' })).status, 404, 'to whom')
    t.equal((await booted.http('POST', '/api/spools/settle', { id: use.id, as: 'done' })).status, 200)
    t.same((await read(booted)).open_uses, [])
  })

  t.test('people add, change and place spools', async t => {
    const booted = await start(t)
    const { http, tool } = booted
    const slots = (await read(booted)).slots
    const [slot] = slots.filter(({ place }: Body) => place.startsWith('ams'))
    const red = (await http('POST', '/api/spools', { name: 'Red', material: 'PLA', net_g: 500 })).body
    t.match(red, { net_g: 500, used_g: 0, left_g: 500 })
    t.equal((await http('POST', '/api/spools/assign', { printer: 'x1c', place: slot.place, spool: red.id })).status, 200)
    const grams = print(booted, 1, inSlot(slot))
    await eventually(async () => (await read(booted)).spools[0]?.used_g === grams, WITHIN_MS)
    t.match((await http('PATCH', `/api/spools/${red.id}`, { used_g: 100 })).body, { used_g: 100, left_g: 400 }, 'weighed again')
    t.match((await read(booted)).slots.find(({ place }: Body) => place === slot.place), { spool: red.id, left_g: 400 })
    t.match(await http('POST', '/api/spools/assign', { printer: 'x1c', place: 'ams 9 slot 9', spool: red.id }),
      { status: 404, body: { error: 'no_such_slot' } })
    t.match(await http('PATCH', '/api/spools/none', { name: 'x' }), { status: 404, body: { error: 'no_such_spool' } })
    t.match(await http('PATCH', `/api/spools/${red.id}`, { net_g: -1 }), { status: 400 })
    t.match((await tool('list_spools')).value, { spools: [{ id: red.id }] })
    t.match((await tool('assign_spool', { printer: 'x1c', place: slot.place, spool: '' })).text, /user_permission/)
    const emptied = await tool('assign_spool', { printer: 'x1c', place: slot.place, spool: '', user_permission: true })
    t.notOk(emptied.failed, emptied.text)
    const { slots: listed } = (await tool('list_spools')).value
    const { unit_id: unit, slot_id: number } = listed.find(({ place }: Body) => place === slot.place)
    const assign = (args: object) => tool('assign_spool', { name: 'x1c', user_permission: true, ...args })
    t.same((await assign({ unit_id: unit, slot_id: number, spool: red.id })).value, { printer: 'x1c', place: slot.place, spool: red.id },
      'a slot is named as in the tools for the AMS')
    t.match((await assign({ unit_id: 9, slot_id: 9, spool: red.id })).text, /no slot 'ams 9 slot 9'/)
    t.match((await assign({ spool: red.id })).text, /Say which slot/)
    t.notOk((await assign({ place: slot.place, spool: '' })).failed)
    t.equal((await read(booted)).slots.find(({ place }: Body) => place === slot.place).spool, null)
    t.equal((await http('PATCH', `/api/spools/${red.id}`, { archived: true })).status, 200)
    t.same((await read(booted)).spools, [])
  })

  t.test('Spoolman keeps the spools and is told of each print once, also after a restart', async t => {
    const spoolman = await startSpoolman(t)
    spoolman.add(4, { weight: 250 })
    const [dataDir, database] = [testFolder(t), newDatabase()]
    const options = { spoolman: { url: spoolman.url, token: 'planted-secret' } }
    const booted = await start(t, options, dataDir, database)
    await eventually(async () => (await read(booted)).problem === null, WITHIN_MS)
    const { kept_by: keptBy, slots } = await read(booted)
    t.equal(keptBy, 'spoolman')
    const [slot] = slots.filter(({ place }: Body) => place.startsWith('ams'))
    await booted.http('POST', '/api/spools/assign', { printer: 'x1c', place: slot.place, spool: '4' })
    t.match(await booted.http('POST', '/api/spools', { name: 'x', material: 'PLA' }), { status: 409 })

    const grams = print(booted, 1, inSlot(slot))
    await eventually(() => spoolman.uses.length === 1, WITHIN_MS)
    t.same(spoolman.uses, [{ id: 4, grams }])
    t.ok(spoolman.headers.every(header => header === 'Bearer planted-secret'))
    await eventually(async () => (await read(booted)).open_uses.length === 0, WITHIN_MS)

    spoolman.break('status_500')
    print(booted, 2, inSlot(slot))
    await eventually(() => spoolman.asked.filter(what => what.endsWith('/use')).length === 2, WITHIN_MS)
    t.match((await read(booted)).open_uses, [{ state: 'sending' }])
    t.notMatch(JSON.stringify(await read(booted)), /planted-secret/)
    await booted.kernel.close()
    spoolman.break(undefined)
    const next = await start(t, options, dataDir, database)
    await eventually(async () => (await read(next)).problem === null, WITHIN_MS)
    t.equal(spoolman.uses.length, 1, 'whoever asked before the restart may still be at it')
    t.match((await read(next)).open_uses, [{ state: 'sending', spool: '4' }])
  })
}

t.test('with SQLite', async t => suite(t, () => ({})))
t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, () => ({ url: server.newDatabase() }))
})

t.test('Spoolman away or wrong is said, and nothing else is held up', async t => {
  const booted = await boot(t, {
    preset,
    models: [],
    config: { plugins: { spools: { spoolman: { url: 'http://127.0.0.1:9' } } } }
  })
  await eventually(async () => (await read(booted)).problem !== null, WITHIN_MS)
  t.match(await booted.http('GET', '/api/spools', { refresh: true }), { status: 502, body: { error: 'spoolman' } })
})

t.test('a spool that will not last is told of when the print begins', async t => {
  const booted = await boot(t, { preset, models: [PRINTER] })
  await eventually(() => booted.kernel.printers.get('x1c')?.state !== undefined, WITHIN_MS)
  const { kernel, http } = booted
  const [slot] = (await read(booted)).slots.filter(({ place }: Body) => place.startsWith('ams'))
  const { body: { id } } = await http('POST', '/api/spools', { name: 'Rest', material: 'PLA', net_g: 15 })
  await http('POST', '/api/spools/assign', { printer: 'x1c', place: slot.place, spool: id })
  const raised: Body[] = []
  kernel.events.on('alert', alert => { raised.push(alert) })
  const filaments = [{ ...inSlot(slot), filament: 1, plannedGrams: 40 }]
  for (let seen = 0; seen < 2; seen++) kernel.events.emit('history:print', 'x1c', { id: 'p', result: 'running', filaments } as any)
  t.match(raised.filter(({ type }) => type === 'spool_low'),
    [{ printer: 'x1c', payload: { place: slot.place, spool: 'Rest', needed_g: 40, left_g: 15 } }])
})
