import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import { readHostProject } from '../../../plugins/projects/index.js'
import { filamentById } from '../../../plugins/filament/catalogue.js'
import { chosenProfile, START_CODE } from '../../../plugins/slicing/chosen-profile.js'
import { prusaSlicer } from '../../../plugins/slicing/engines/prusa-slicer.js'
import { MATERIALS, QUALITIES } from '../../../plugins/slicing/own-profiles/materials.data.js'
import { writePlate } from '../../../plugins/slicing/plate-file/write-plate.js'
import { excludedOf } from '../../../plugins/slicing/excluded-areas.js'
import type { PlateOrder } from '../../../plugins/slicing/schemas.js'
import type { ModelInfo } from '../../../core/printer/model-info.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram, pythonThatRuns } from '../../helpers/programs.js'
import { readText } from '../toolpath/files/read-text.js'
import { emptyPictures, placedBox } from './models.js'

const slicer = prusaSlicer({ timeoutMs: 60_000, memoryMiB: 4_096, fileMiB: 256 })
const prusa = findProgram('prusa-slicer')
const signal = new AbortController().signal

/** Two boxes where the printing area begins and ends, sliced with the built-in profile. */
async function sliced (folder: string, model: ModelInfo, order: Omit<PlateOrder, 'parts'> = {}, nozzleMm = 0.4) {
  const [width, depth] = model.bedMm
  const atCorner = excludedOf(model).filter(({ minX, minY }) => minX === 0 && minY === 0)
  const edge = Math.max(4, ...atCorner.map(({ maxX }) => maxX + 2))
  mkdirSync(folder)
  const instances = [
    placedBox(folder, 1, [15, 15, 3], [edge, 10]), placedBox(folder, 2, [8, 8, 1.6], [width - edge - 12, depth - 16])
  ]
  const target = { model, nozzleMm }
  const profile = chosenProfile({ byId: filamentById }, target, { ...order, parts: [] })
  const steps: number[] = []
  const result = await slicer.slice({ instances, settings: profile.settings, target, folder }, {
    signal, onProgress: percent => steps.push(percent)
  })
  const pictures = await emptyPictures(folder)
  const { path, facts } = await writePlate((result as { gcode: string }).gcode, { pictures }, {
    ...profile, ...target, name: 'two boxes', instances, slicer: 'PrusaSlicer 2.5.0'
  }, folder, signal)
  return { path, facts, steps, gcode: readFileSync(join(folder, 'marked.gcode'), 'latin1') }
}

/** Another reader than ours: Python's. */
const ASK = `
import hashlib, json, sys, zipfile
import xml.etree.ElementTree as xml
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
gcode = z.read('Metadata/plate_1.gcode')
plate = xml.fromstring(z.read('Metadata/slice_info.config')).find('plate')
print(json.dumps({
  'md5': hashlib.md5(gcode).hexdigest().upper() == z.read('Metadata/plate_1.gcode.md5').decode(),
  'layers': gcode.count(b';LAYER_CHANGE'),
  'objects': [int(o.get('identify_id')) for o in plate.findall('object')],
  'meta': {m.get('key'): m.get('value') for m in plate.findall('metadata')},
  'boxes': len(json.loads(z.read('Metadata/plate_1.json'))['bbox_objects']),
  'settings': json.loads(z.read('Metadata/project_settings.config'))['printer_model'],
  'marks': [gcode.count(b'\\nM624 AQAAAAAAAAA='), gcode.count(b'\\nM624 AgAAAAAAAAA='), gcode.count(b'\\nM625')],
  'models': xml.fromstring(z.read('3D/3dmodel.model')).tag
}))`
const python = pythonThatRuns('import zipfile')

t.test('plates of the built-in profiles have nothing wrong, on every model', { skip: !prusa && 'no prusa-slicer' }, async t => {
  const folder = testFolder(t)
  for (const model of MODELS) {
    const { path, facts, gcode, steps } = await sliced(join(folder, model.model), model)
    const [plate] = await readHostProject(path, async ({ plates }) => plates)
    t.match(plate, {
      printable: true,
      printerModelId: model.codes[0],
      seconds: Math.round(facts.seconds),
      filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
      nozzleDiametersMm: Array(model.extruders).fill(0.4)
    }, model.model)
    const settings = new Map([['own_start_code', START_CODE]])
    const reading = readText(gcode, { model }, { others: key => settings.get(key) })
    t.same(reading.findings.map(({ code, message }) => `${code}: ${message}`), [], model.model)
    t.equal(reading.plate.layers.length - 1, facts.layers, `${model.model}: layers`)
    t.equal(facts.heightMm, 3)
    t.ok(facts.grams > 0.5 && facts.seconds > 60, `${model.model}: ${facts.grams} g, ${facts.seconds} s`)
    t.ok(steps.length > 0 && steps.every(step => step <= 100), 'progress')
    if (python === undefined) continue
    const read = JSON.parse(execFileSync(python, ['-c', ASK, path]).toString())
    t.match(read, {
      md5: true,
      layers: facts.layers,
      objects: [1, 2],
      boxes: 2,
      settings: model.name,
      marks: [15, 8, 23],
      meta: { label_object_enabled: 'true', printer_model_id: model.codes[0] }
    }, `${model.model}, read by Python`)
  }
})

t.test('materials, qualities and nozzles are sliced without a finding', { skip: !prusa && 'no prusa-slicer' }, async t => {
  const folder = testFolder(t)
  const model = MODELS.find(({ model }) => model === 'H2S')!
  const orders = [
    ...MATERIALS.map(({ name }, at) => ({ material: name, quality: QUALITIES[at % QUALITIES.length]!.name })),
    { supports: true, brim: 3, infill: 100 }
  ]
  for (const [at, order] of orders.entries()) {
    const { gcode } = await sliced(join(folder, String(at)), model, order)
    t.same(readText(gcode, { model }).findings.map(({ message }) => message), [], JSON.stringify(order))
  }
  for (const nozzle of [0.2, 0.6, 0.8]) {
    const { gcode } = await sliced(join(folder, `nozzle-${nozzle}`), model, {}, nozzle)
    t.same(readText(gcode, { model }).findings.map(({ message }) => message), [], `${nozzle} mm`)
  }
})
