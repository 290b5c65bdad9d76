import t from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import { readText } from './files/read-text.js'
import { vendorPlate, type VendorPlate } from './files/vendor-plate.js'

function read (plate: VendorPlate) {
  const { model } = plate
  const lines = vendorPlate(plate, rest => readText(rest.join('\n'), { model }).seconds)
  const nozzleByTool = model.extruders === 2 ? [0, 1, 0, 1] : undefined
  return readText(lines.join('\n'), { model, ...nozzleByTool && { nozzleByTool } })
}
const words = (plate: VendorPlate) => read(plate).findings.map(({ code, message }) => `${code}: ${message}`)

t.test('plates of the printers\' own slicer pass without a word, on every model', async t => {
  for (const model of MODELS) {
    t.same(words({ model }), [], model.model)
    t.same(words({ model, filaments: 4, with: ['tower', 'timelapse', 'flush_into_infill'] }), [], `${model.model}, four filaments`)
  }
})

t.test('nozzles from 0.2 to 0.8 mm, and whatever a plate may have', async t => {
  for (const model of MODELS.filter(({ model }) => ['X1C', 'A1_MINI', 'H2D'].includes(model))) {
    for (const nozzle of [0.2, 0.4, 0.6, 0.8]) t.same(words({ model, nozzle }), [], `${model.model} ${nozzle}`)
    for (const extra of ['arcs', 'spiral', 'by_object', 'timelapse', 'brim', 'support', 'ironing'] as const) {
      t.same(words({ model, filaments: 2, with: [extra] }), [], `${model.model} ${extra}`)
    }
  }
})
