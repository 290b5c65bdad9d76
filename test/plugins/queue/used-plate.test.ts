import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { clear, FAST, queueOf, sent, start } from './helpers.js'

const CUBE = { filename: '/calibration-cube.gcode.3mf', use_ams: true, accept_mismatch: false }
const JOB = { name: 'theirs', layers: 20, minutes: 20 }

t.test('a print that is started by hand is told of a plate that the queue knows to be used', async t => {
  const { http, tool, printer, ...booted } = await start(t, { models: [{ model: 'X1C', name: 'x1c', sdCard: { samples: true }, ...FAST }] })
  const queue = { ...booted, http, tool, printer } as Parameters<typeof clear>[0]
  const plate = async () => (await queueOf(queue)).printers[0]?.plate
  const isOver = () => eventually(() => printer.report().gcode_state === 'FINISH', 30_000)
  const print = (args: object = {}) => http('POST', '/api/print_3mf', { ...CUBE, ...args } as never)
  const preview = async () => (await http('GET', '/api/preview_ams_mapping', { file: CUBE.filename })).body
  const code = 'plate_used'

  t.notMatch(await preview(), { warnings: [{ code }] }, 'the queue has never been told of this plate')
  t.equal((await clear(queue, 'x1c')).status, 200)
  t.notOk((await preview()).warnings.some((warning: { code: string }) => warning.code === code), 'a plate that was confirmed')
  printer.startJob(JOB)
  await isOver()
  await eventually(async () => await plate() === 'used')

  const message = /The plate of 'x1c' has not been confirmed clear since 'theirs' was printed/
  t.match((await preview()).warnings.at(-1), { code, filament: -1, tray: -1, message, needs_accept: true })
  t.match(await print(), { status: 409, body: { error: code, reason: message, detail: /Confirm it in the queue, or repeat with accept_mismatch true/ } })
  const { value, failed } = await tool('print_file', { name: 'x1c', file_path: CUBE.filename, user_permission: true })
  t.ok(failed)
  t.match(value.error, message)
  t.equal(sent(printer).length, 0, 'nothing was sent')

  t.equal((await clear(queue, 'x1c')).status, 200)
  t.match(await print(), { status: 200 }, 'a plate that was confirmed again')
  await isOver()
  await eventually(async () => await plate() === 'used')
  t.match(await print({ accept_mismatch: true, accept_warnings: ['The spool has another colour.'] }), { status: 409, body: { error: code } },
    'a consent to a colour, given before the plate was printed on, says nothing of the plate')
  t.match(await print({ accept_mismatch: true }), { status: 200, body: { warnings: [{ code: 'material_variant' }, { code }] } },
    'a person knows better')
  t.equal(sent(printer).length, 2)
})
