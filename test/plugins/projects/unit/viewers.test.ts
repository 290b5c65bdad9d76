import t from 'tap'
import { resolveModel } from '../../../../core/index.js'
import { groupBed } from '../../../../plugins/projects/operations/viewers.js'

t.test('the bed of a layout is that of the group of models', async t => {
  const sizes = ['H2S', 'H2D', 'H2D_PRO', 'H2C', 'X2D', 'P1S', 'A1_MINI', 'Z9'].map(model => groupBed(resolveModel('', model)))
  t.same(sizes, [...Array(4).fill('350x320'), '256x256', '256x256', '180x180', '256x256'])
})
