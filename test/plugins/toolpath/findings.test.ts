import t from 'tap'
import { modelByName, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { startFindings } from '../../../plugins/toolpath/findings/start.js'
import type { Target } from '../../../plugins/toolpath/findings/types.js'
import { MOST_LAYERS } from '../../../plugins/toolpath/layers.js'
import { MAX_LINE_BYTES } from '../../../plugins/toolpath/read/scanner.js'
import { readText } from './files/read-text.js'
import { vendorPlate, type VendorPlate } from './files/vendor-plate.js'

const X1C = modelByName('X1C') ?? UNKNOWN_MODEL
const plateText = (plate: Partial<VendorPlate> = {}) => vendorPlate(
  { model: X1C, layers: 20, ...plate }, rest => readText(rest.join('\n'), { model: X1C }).seconds).join('\n')
const codes = (text: string | Uint8Array, more?: Parameters<typeof readText>[2]) =>
  readText(text, { model: X1C }, more).findings.map(({ code, weight, line }) => `${code} ${weight} ${line}`)

t.test('a file that is none', async t => {
  t.same(codes(''), ['not_gcode stop 0'])
  t.same(codes('Dear printer,\nplease print this.\n'), ['not_gcode stop 0'])
  t.match(codes(Buffer.from(plateText(), 'utf16le'))[0], 'not_gcode stop 2', 'UTF-16')
  t.match(codes(new Uint8Array(5_000)), ['not_gcode stop 1'], 'NUL')
  const lines = plateText().split('\n')
  t.same(codes(lines.toSpliced(400, 0, `; ${'x'.repeat(MAX_LINE_BYTES)}`).join('\n')), ['not_gcode note 401'])
  t.same(codes(plateText().replaceAll('\n', '\r\n')), [], 'CRLF is fine')
})

t.test('an archive that says something else', async t => {
  const text = plateText()
  t.same(codes(text, { md5: '0'.repeat(32) }), ['md5_mismatch stop 0'])
  t.match(codes(text.slice(0, text.length / 2), { isCutOff: true })[0], /^truncated stop/)
  t.match(readText(text, { model: X1C }, { md5: '0'.repeat(32) }).findings, [{ mayAccept: true }])
})

t.test('layers without an end', async t => {
  const text = `G28\nM104 S220\nM83\n${'; CHANGE_LAYER\n'.repeat(MOST_LAYERS + 5)}`
  t.match(codes(text), [`too_many_layers stop ${MOST_LAYERS + 4}`])
})

t.test('an excluded area of another shape than a rectangle is left to the slicer', async t => {
  const lines = plateText().split('\n')
  const at = lines.findIndex((line, index) => index > 700 && /^G1 X\S+ Y\S+ E0?\.\d+$/.test(line))
  const text = (area: string) => lines.toSpliced(at, 0, 'G1 X40 Y10 F9000', 'G1 X5 Y10 E.8', 'G1 X60 Y60')
    .map(line => line.replace(/^; bed_exclude_area = .*/, `; bed_exclude_area = ${area}`)).join('\n')
  t.same(codes(text('0x0,18x0,18x28,0x28')), [`excluded_area stop ${at + 2}`])
  t.same(codes(text('200x200,220x200,220x220,200x220,0x0,18x0,18x28,0x28')), [`excluded_area stop ${at + 2}`])
  t.same(codes(text('0x0,18x0,9x28')), [])
  t.same(codes(text('0x0,90x0,9x90,0x9')), [])
})

t.test('a file that claims a larger bed of the same model is not believed', async t => {
  const lines = plateText().split('\n')
  const at = lines.findIndex((line, index) => index > 700 && /^G1 X\S+ Y\S+ E0?\.\d+$/.test(line))
  const text = (x: number) => lines.toSpliced(at, 0, 'G1 X250 Y100 F9000', `G1 X${x} Y100 E.8`)
    .map(line => line.replace(/^; printable_(area|height) = .*/, (_, of) =>
      of === 'area' ? '; printable_area = 0x0,999x0,999x999,0x999' : '; printable_height = 999')).join('\n')
  t.same(codes(text(300)), [`outside_area stop ${at + 2}`])
  t.same(codes(text(262)), [], 'some millimetres are the business of the maker')
})

t.test('a raft that the slicer counts as layers is not missing', async t => {
  const text = (layers: number, stated: number) =>
    `;LAYER_COUNT:${stated}\nG28\nM104 S220\nM83\n${';LAYER:1\nG1 X9 E1 F60\n'.repeat(layers)}M104 S0\n`
  t.same(codes(text(12, 18)), [])
  t.same(codes(text(40, 80)), [`truncated warn ${4 + 40 * 2 + 1}`])
})

t.test('a file without names of features is judged only where no wipe would go', async t => {
  const text = (x: number) => `G28\nM104 S220\nM83\nG1 X10 Y-3 E5 F600\nG1 X${x} Y20 E5\nM104 S0`
  t.same(codes(text(290)), ['no_layers note 0'])
  t.match(codes(text(400)), ['outside_area stop 5'])
})

t.test('a message says what is wrong in whole words, and what to do', async t => {
  const lines = plateText().split('\n')
  const at = lines.findIndex((line, index) => index > 700 && /^G1 X\S+ Y\S+ E0?\.\d+$/.test(line))
  const [found] = readText(lines.with(at, 'G1 X262.4 Y100 E.5').join('\n'), { model: X1C }).findings
  t.match(found, {
    message: /^Line \d+, layer \d+: extrudes at X 262\.4, 6\.4 mm beyond the printable area$/,
    remedy: 'Slice it again for this printer.',
    position: { x: 262.4, y: 100 },
    times: 2,
    figures: { millimetres: 6.4 },
    mayAccept: false
  })
})

t.test('a chamber that cannot be heated is only noted, and an unknown printer has no limits', async t => {
  const lines = plateText().split('\n')
  const hot = ['M141 S50', 'M104 S450', 'M140 S150']
  const text = lines.toSpliced(500, 0, 'M141 S50').join('\n')
  t.same(codes(text), ['chamber_too_hot note 501'])
  t.same(readText(lines.toSpliced(500, 0, ...hot).join('\n'), { model: UNKNOWN_MODEL }).findings, [])
})

const started = (target: Partial<Target>, plate: Partial<VendorPlate> = {}) => {
  const { plate: read } = readText(plateText(plate), { model: X1C })
  return startFindings(read, { model: X1C, nozzles: [0.4], ...target })
}

t.test('what a print would be started with', async t => {
  t.same(started({ mapping: [0], bedType: 'textured_plate', spools: [{ tools: [0], grams: 500, backupGrams: 0 }] }), [])
  t.same(started({ mapping: [-1, 254], nozzles: [] }, { filaments: 2 }).map(({ code, weight, layer, figures }) =>
    [code, weight, layer, figures.filament]), [['filament_not_mapped', 'stop', 1, 1]])
  t.match(started({ mapping: [] }, { filaments: 4 }).length, 4)
  t.match(started({ bedType: 'Cool Plate' }), [{ code: 'other_bed', weight: 'warn' }])
  t.same(started({ bedType: 'auto' }), [])
  t.match(started({ nozzles: [0.6] }), [{ code: 'other_nozzle', weight: 'warn' }])
  t.same(started({ nozzles: [0.6, 0.4] }), [])
})

t.test('a spool that ends before the print says where and when', async t => {
  const startsAt = new Date(2026, 10, 28, 14, 0).getTime()
  const enough = { tools: [0], grams: 500, backupGrams: 0 }
  const short = { tools: [0], grams: 1, backupGrams: 0 }
  t.same(started({ spools: [enough], startsAt }), [])
  const [warned] = started({ spools: [short], startsAt })
  t.match(warned, {
    code: 'spool_runs_out',
    weight: 'warn',
    message: /^Line \d+, layer \d+: filament 1 needs [\d.]+ g, but its spool has 1 g left and will end in layer (\d+) of 20 \(\d+ %\), at about 14:\d\d$/,
    figures: { left_grams: 1, layers: 20 }
  })
  const used = started({ spools: [{ tools: [0], grams: 1, backupGrams: 500 }], startsAt })
  t.match(used, [{ weight: 'note', layer: warned?.layer, message: /changes to the next spool/ }])
  t.match(started({ spools: [{ tools: [0], grams: 1, backupGrams: 0.1 }], startsAt }), [{ weight: 'warn' }])
  t.match(started({ spools: [{ ...short, place: 'AMS B · slot 1' }], startsAt }), [{ message: /but the spool in AMS B · slot 1 has 1 g left/ }])
})
