import t from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import { FilamentChanges } from '../../../plugins/toolpath/filament-changes.js'
import { printedGrams } from '../../../plugins/toolpath/findings/whole.js'
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

t.test('time and filament of the header are those that are read', async t => {
  for (const [name, filaments] of [['X1C', 1], ['A1_MINI', 4], ['H2D', 2]] as const) {
    const model = MODELS.find(({ model }) => model === name)!
    const { plate: { declared, layers }, seconds } = read({ model, filaments, layers: 10, with: ['tower'] })
    const grams = printedGrams(declared, layers)
    for (const [at, stated] of declared.grams.entries()) {
      const own = grams.get(declared.used[at]!) ?? 0
      t.ok(Math.abs(own - stated) < Math.max(0.02, stated * 0.01), `${name}, filament ${at + 1}: ${own} g, ${stated} stated`)
    }
    t.ok(seconds > 260 + (filaments - 1) * 57, `${name}: preparation and changes count, ${seconds} s`)
  }
})

t.test('filament that is loaded already takes no time, and each nozzle has its own', async t => {
  const changeSeconds = { load: 29, unload: 28, switching: 5 }
  const one = new FilamentChanges({ changeSeconds, nozzles: [] })
  t.same([0, 0, 1, 1, 0].map(tool => one.to(tool)), [29, 0, 57, 0, 57])
  const two = new FilamentChanges({ changeSeconds, nozzles: [0, 1, 0] })
  t.same([0, 1, 0, 2, 1].map(tool => two.to(tool)), [29, 34, 5, 57, 5])
})
