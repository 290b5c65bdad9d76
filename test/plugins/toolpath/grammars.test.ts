import t from 'tap'
import { modelByName, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { readText } from './files/read-text.js'

const named = (name: string) => modelByName(name) ?? UNKNOWN_MODEL
const found = (name: string, lines: readonly string[]) =>
  readText(lines.join('\n'), { model: named(name) }).findings.map(({ code, weight, line }) => `${code} ${weight} ${line}`)

const TWO = ['; filament_type = PLA;PA', '; nozzle_temperature_range_low = 190,260']
const layer = (...lines: readonly string[]) =>
  ['; CHANGE_LAYER', 'M73 P50', 'G1 X100 Y100 F9000', '; FEATURE: Outer wall', ...lines]
const END = ['M73 P100 R0', 'M104 S0']

t.test('a printer that heats for the next filament by itself does not print it cold', async t => {
  const change = (...after: readonly string[]) => [...TWO, 'G28', 'M83', 'M104 S220', ...layer('G1 X120 E1'),
    'M620 S1A', 'M620.10 A1 F200 T300 P290', 'T1', 'M621 S1A', ...after, ...layer('G1 X130 E1'), ...END]
  t.same(found('H2D', change()), [])
  t.same(found('H2D', change('M104 S290')), [])
  t.same(found('H2D', change('M104 S220')), ['cold_extrusion warn 20'], 'the file says it itself')
})

t.test('nozzles that are switched off by their names are off', async t => {
  const file = (...end: readonly string[]) =>
    ['G28', 'M83', 'M104 S255 A', ...layer('G1 X120 E1'), ...end, 'G1 X140 E1', 'M73 P100']
  t.same(found('H2D', file()), [])
  t.same(found('H2D', file('M104 S0 T0', 'M104 S0 T1')), ['cold_extrusion stop 11'])
  t.same(found('X1C', file('M104 S0 T0')), ['cold_extrusion stop 10'])
  t.notMatch(found('H2D', file('M104 S0 T0')).join(), /cold/, 'the other one may be hot')
  t.notMatch(found('X1C', file('M104 S0 T1')).join(), /cold/, 'a file for two tools cools the one that waits')
})

t.test('putting the tool away is no filament', async t => {
  const file = (tool: string) => ['; filament_type = PLA', 'G28', 'M83', 'M104 S220', ...layer('G1 X120 E1'), tool, ...END]
  t.same(found('X1C', file('T-1')), [])
  t.same(found('X1C', file('T1')), ['no_such_tool stop 10'])
})

t.test('a filament without a density has a usual one', async t => {
  const read = (density: string) => readText([`; filament_density = ${density}`, '; total filament weight [g] : 3.10', 'G28', 'M83',
    'M104 S220', ...layer('G1 X120 E1000'), ...END].join('\n'), { model: named('X1C') }).findings.map(({ code }) => code)
  t.same(read('1.29'), [])
  t.same(read('0'), [])
})

t.test('names of features by SuperSlicer', async t => {
  const names = ['Internal perimeter', 'External perimeter', 'Internal bridge infill', 'Thin wall', 'Solid infill']
  for (const name of names) {
    const lines = ['G28', 'M83', 'M104 S220', ';LAYER_CHANGE', ';Z:0.2', ';HEIGHT:0.2', `;TYPE:${name}`, 'G1 X300 Y10 E1', 'M104 S0']
    t.same(found('X1C', lines), ['outside_area stop 8'], name)
  }
})

t.test('a target above the limit counts where a part is printed with it', async t => {
  const flush = ['M620 S1A', 'T1', 'M109 S320', 'G1 E30 F300', 'M109 S290', 'G1 E2 F300', 'M621 S1A', 'M104 S290']
  const file = (...between: readonly string[]) => ['G28', 'M83', 'M104 S290', ...layer('G1 X120 E1'), ...between,
    ...layer('G1 X130 E1'), ...END]
  t.same(found('X1C', file(...flush)), ['nozzle_too_hot note 11'], 'flushed as hot as the filament may be')
  t.same(found('X1C', file('M104 S320')), ['nozzle_too_hot stop 9'])
  t.same(found('X1C', file('M104 S320 T1', 'M104 S290 T0')), ['nozzle_too_hot stop 9'], 'another one')
  t.same(found('X1C', file('M104 S320 T1', 'M104 S290')), ['nozzle_too_hot note 9'])
  t.same(found('X1C', ['M140 S130', ...file('M140 S60')]), ['bed_too_hot stop 1'])
  t.same(found('X1C', ['M140 S130', 'M140 S60', ...file()]), ['bed_too_hot note 1'])
  t.same(found('X1C', ['M104 S400', 'M104 S0']), ['nozzle_too_hot stop 1'], 'a file that prints nothing')
  t.same(found('X1C', ['G28', 'M83', 'M104 S400', 'G1 X10 E1', 'M104 S0']), ['nozzle_too_hot stop 3', 'no_layers note 0'],
    'a file without names of features')
})
