import t from 'tap'
import type { Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import motion from '../../../plugins/motion/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

const linesTo = ({ requests }: VirtualPrinter) =>
  requests.filter(({ body }) => body.command === 'gcode_line').map(({ body }) => String(body.param))

async function started (t: Test, model: 'P1S' | 'A1_MINI' | 'H2D') {
  const booted = await boot(t, { preset: featuresWith(motion), models: [{ model, reportEveryMs: 100 }] })
  const { http, printer, kernel, name } = booted
  const post = (path: string, body: object = {}) => http('POST', `/api/motion/${path}`, { printer: name, ...body })
  const patched = async (fields: object, isThere: () => boolean) => {
    printer.patch(fields as never)
    await eventually(isThere)
  }
  const state = () => kernel.printers.get(name)?.state
  const homed = async (flag: number) =>
    patched({ home_flag: flag }, () => (kernel.printers.get(name)?.raw as { home_flag?: number }).home_flag === flag)
  return { ...booted, post, patched, homed, state }
}

t.test('home, move, feed and let go, by HTTP and by tools, one after the other', async t => {
  const { http, post, tool, printer, name, homed, state, kernel, patched } = await started(t, 'P1S')
  await homed(0)
  t.match((await http('GET', '/api/motion')).body, {
    may_act: true,
    why: null,
    homed: { x: false },
    moves: [{ direction: 'left', part: 'head', why: { code: 'not_homed' } }, {}, {}, {}, {}, {}],
    extrude: { why: { code: 'cold' }, nozzle: 'only', most_mm: 50 }
  })
  t.match(await post('move', { direction: 'left', distance_mm: 10 }), { status: 409, body: { error: 'cannot_move', why: 'not_homed' } })
  t.match(await post('home'), { status: 409, body: { why: 'look' } })
  t.same(linesTo(printer), [], 'nothing was sent')
  const trial = await http('POST', '/api/motion/home?dry_run=true', { printer: name, plate_is_clear: true })
  t.match(trial.body, { dry_run: true, sends: [{ param: 'G28\n' }], consequence: /stand by/ })
  t.match(await post('home', { plate_is_clear: true }), { status: 200, body: { status: 'success' } })
  t.match(await post('home', { plate_is_clear: true }), { status: 409, body: { why: 'moves', reason: /still moving/ } })
  t.same(linesTo(printer), ['G28\n'], 'the dry run neither sent nor began anything')

  kernel.services.motion.holds.begin(printer.serial, -1_000)
  await eventually(async () => (await http('GET', '/api/motion')).body.homed.z === true)
  t.match(await post('move', { direction: 'up', distance_mm: 10 }), { status: 409, body: { why: 'look' } })
  t.match(await post('move', { direction: 'down', distance_mm: 11 }), { status: 400, body: { reason: 'distance_mm must be at most 10 for down' } })
  t.match(await post('move', { direction: 'down', distance_mm: 0 }), { status: 400 })
  t.match(await post('move', { direction: 'down', distance_mm: -5 }), { status: 400 })
  const both = await Promise.all([1, 2].map(mm => post('move', { direction: 'down', distance_mm: mm })))
  t.same(both.map(({ status }) => status).sort(), [200, 409], 'of two at once one acts')
  t.match(linesTo(printer)[1], /^M211 S\nM211 X1 Y1 Z1\nM1002 push_ref_mode\nG91\nG1 Z\d\.0 F900\nM1002 pop_ref_mode\nM211 R\n$/)

  kernel.services.motion.holds.begin(printer.serial, -1_000)
  t.match(await tool('extrude_filament', { name, direction: 'extrude', length_mm: 5, user_permission: true }), { failed: true, text: /Heat it first/ })
  await patched({ nozzle_temper: 230, nozzle_target_temper: 230 }, () => (state()?.heat.nozzle.actual ?? 0) > 200)
  const asked = await tool('extrude_filament', { name, direction: 'extrude', length_mm: 5 })
  t.match(asked.text, /stand by/, 'without permission it only says what would happen')
  t.notOk((await tool('extrude_filament', { name, direction: 'retract', length_mm: 5, user_permission: true })).failed)
  t.equal(linesTo(printer).at(-1), 'M83\nG0 E-5.0 F180\n')
  kernel.services.motion.holds.begin(printer.serial, -1_000)
  t.equal((await post('motors_off')).status, 200)
  await eventually(async () => (await http('GET', '/api/motion')).body.homed.x === false)
  t.equal(kernel.contributed('tools').filter(({ operation }) => operation.name.startsWith('motion.')).every(({ onRequest }) => onRequest), true)
})

t.test('a job, running or paused, keeps hands off', async t => {
  const { http, post, printer, state } = await started(t, 'A1_MINI')
  printer.startJob({ name: 'cube', minutes: 60 } as never)
  await eventually(() => ['RUNNING', 'PREPARE'].includes(state()?.job.gcodeState ?? ''))
  for (const [path, body] of [['home', { plate_is_clear: true }], ['move', { direction: 'up', distance_mm: 1 }],
    ['extrude', { direction: 'extrude', length_mm: 1 }], ['motors_off', {}]] as const) {
    t.match(await post(path, body), { status: 409, body: { error: 'job_active' } }, path)
  }
  printer.patch({ gcode_state: 'PAUSE' })
  await eventually(() => state()?.job.gcodeState === 'PAUSE')
  t.match(await post('motors_off'), { status: 409, body: { error: 'job_active', reason: /PAUSE/ } })
  t.match((await http('GET', '/api/motion')).body.why, { code: 'prints' })
  t.same(linesTo(printer), [])
})
