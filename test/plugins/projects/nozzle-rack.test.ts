import t from 'tap'
import { resolveModel } from '../../../core/index.js'
import { misfitOf, unfit } from '../../../plugins/projects/mapping/misfit.js'
import { bootProjects } from './boot.js'

const machine = (serial: string) => ({ name: 'rack', model: resolveModel(serial), state: undefined })
const H2C = machine('31B00A000000001')
const H2D = machine('09400A000000001')

/** Filaments by id, and the logical extruder of each; the first is the left one. */
const plate = (ids: readonly number[], filamentExtruders: readonly number[], printerModelId = 'O1C2') => ({
  printerModelId,
  filaments: ids.map(id => ({ id, type: 'PLA', color: '#FFFFFF' })),
  filamentExtruders,
  physicalExtruders: [1, 0],
  nozzleDiametersMm: [0.4, 0.4]
})

t.test('only a plate for the fixed nozzle is started on a printer with a nozzle rack', async t => {
  t.equal(misfitOf(plate([1], [1]), H2C), undefined, 'the left one')
  t.equal(misfitOf(plate([1, 3], [1, 2, 1]), H2C), undefined, 'what is not used does not count')
  for (const [what, wanted] of [
    ['the rack', plate([1], [2])], ['both', plate([1, 2], [1, 2])], ['nobody knows which', plate([1], [])],
    ['sliced for nobody knows what', plate([1], [2], '')]
  ] as const) {
    t.match(misfitOf(wanted, H2C), { code: 'nozzle_rack', values: { printer: 'rack' } }, what)
    t.match(unfit(wanted, H2C), /nozzle rack of 'rack', a Bambu Lab H2C.*start it from Bambu Studio/, what)
  }
  t.equal(misfitOf(plate([1, 2], [1, 2], 'O1D'), H2D), undefined, 'two nozzles that stay where they are')
})

t.test('nothing is sent to such a printer', async t => {
  const { http, printer } = await bootProjects(t, { model: 'H2D', serial: '31B00A000000001' })
  const file = '/gearbox-two-nozzles.gcode.3mf'
  const { body: { metadata: { models } } } = await http('GET', '/api/get_3mf_props_for_file', { file })
  t.ok(Array.isArray(models))
  const answer = await http('POST', '/api/print_3mf', { filename: file, use_ams: true, ams_mapping: '[1, 128]', accept_mismatch: true })
  t.equal(answer.status, 400)
  t.equal(printer.requests.filter(({ command }) => command === 'project_file').length, 0)
})
