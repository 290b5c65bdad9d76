import t from 'tap'
import { MODELS } from '../../../core/index.js'
import { unreachable } from '../../contract/fleet.js'
import { boot } from '../../helpers/boot-features.js'

t.test('models are served with what they take', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/models')
  t.same(body.map(({ model }: { model: string }) => model), MODELS.map(({ model }) => model))
  const limits = Object.fromEntries(body.map(({ model, limits }: { model: string, limits: object }) => [model, limits]))
  t.match(limits, {
    A1_MINI: { bed_max_c: 80, nozzle_max_c: 300, volume_mm: [180, 180, 180], aux_fan: false },
    H2D: { bed_max_c: 120, nozzle_max_c: 350, chamber_max_c: 65, volume_mm: [350, 320, 325] },
    H2C: { volume_mm: [330, 320, 325] },
    A2L: { volume_mm: [330, 320, 325] }
  })
})

t.test('the document of a printer has the limits of its model; of an unknown one they are null', async t => {
  const { kernel, http } = await boot(t, { models: ['A1_MINI'] })
  await kernel.printers.add({ ...unreachable('odd'), serial: '99900A000000001' })
  const limitsOf = async (printer: string) => (await http('GET', '/api/health_check', { printer })).body.printer._limits
  t.match(await limitsOf('a1-mini'), { bed_max_c: 80, chamber_max_c: 0, volume_mm: [180, 180, 180] })
  t.equal(kernel.printers.resolve('odd').model.model, 'UNKNOWN')
  t.match(await limitsOf('odd'), { bed_max_c: null, nozzle_max_c: null })
})
