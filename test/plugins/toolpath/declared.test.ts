import t from 'tap'
import { cornersOf, declaredOf, numbersOf, secondsOf } from '../../../plugins/toolpath/read/declared.js'
import { Settings } from '../../../plugins/toolpath/read/settings.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'

function declared (text: string) {
  const settings = new Settings()
  const scanner = new Scanner({
    command () {},
    comment: (bytes, start, end) => settings.comment(bytes, start, end),
    tooLong () {},
    unreadable () {},
    unknown () {}
  })
  scanner.write(Buffer.from(text))
  scanner.end()
  return declaredOf(key => settings.get(key))
}

t.test("the head of a file of the printers' own slicer", async t => {
  t.match(declared([
    '; HEADER_BLOCK_START',
    '; model printing time: 25m 3s; total estimated time: 1h 32m 11s',
    '; total layer number: 50',
    '; total filament weight [g] : 3.10,0.52',
    '; filament_density: 1.24,1.26',
    '; filament_diameter: 1.75,1.75',
    '; max_z_height: 10.00',
    '; HEADER_BLOCK_END',
    '; CONFIG_BLOCK_START',
    '; printable_area = 0x0,256x0,256x256,0x256',
    '; bed_exclude_area = 0x0,18x0,18x28,0x28',
    '; printable_height = 250',
    '; nozzle_diameter = 0.4',
    '; filament_max_volumetric_speed = 21,12',
    '; nozzle_temperature_range_low = 190,220',
    '; filament_type = PLA;PETG',
    ...['x', 'y', 'z', 'e'].flatMap((axis, at) => [
      `; machine_max_speed_${axis} = ${[500, 500, 20, 30][at]},200`,
      `; machine_max_acceleration_${axis} = ${[20_000, 20_000, 500, 5_000][at]}`,
      `; machine_max_jerk_${axis} = ${[9, 9, 3, 2.5][at]}`
    ]),
    'G28'
  ].join('\n')), {
    seconds: 5_531,
    layers: 50,
    maxZ: 10,
    grams: [3.1, 0.52],
    densities: [1.24, 1.26],
    flows: [21, 12],
    lowestC: [190, 220],
    types: ['PLA', 'PETG'],
    printable: [[0, 0], [256, 0], [256, 256], [0, 256]],
    excluded: [[0, 0], [18, 0], [18, 28], [0, 28]],
    printableHeight: 250,
    limits: { speed: [500, 500, 20, 30], acceleration: [20_000, 20_000, 500, 5_000], jerk: [9, 9, 3, 2.5] }
  })
})

t.test('the end of a file of another slicer', async t => {
  t.match(declared([
    'G28', 'G1 X1 E1 ; perimeter',
    '; filament used [g] = 12.50',
    '; estimated printing time (normal mode) = 1d 2h 3m 4s',
    '; bed_shape = 0x0,250x0,250x210,0x210',
    '; max_print_height = 210'
  ].join('\n')), { grams: [12.5], seconds: 93_784, printable: [[0, 0], [250, 0], [250, 210], [0, 210]], printableHeight: 210 })
  t.match(declared(';FLAVOR:Marlin\n;TIME:7284\n;LAYER_COUNT:99\nG28'), { seconds: 7_284, layers: 99 })
})

t.test('what is not there, or makes no sense, is left out', async t => {
  t.match(declared('G1 X1'), { slicer: undefined, seconds: undefined, grams: [], printable: [], limits: undefined })
  t.equal(secondsOf('soon'), undefined)
  t.same(numbersOf('1,two'), [])
  t.same([cornersOf('0x0,1x1'), cornersOf('0x0,ax1,2x2'), cornersOf('')], [[], [], []])
  t.match(declared('; machine_max_speed_x = 500'), { limits: undefined })
  t.match(declared('; total layer number: 5\n; total layer number: 6'), { layers: 5 }, 'the first counts')
})

t.test('a flood of settings takes no more memory', async t => {
  const settings = new Settings()
  const line = Buffer.from(` key = ${'x'.repeat(2_000)}`)
  for (let n = 0; n < 100_000; n++) {
    const named = Buffer.from(` key ${n} = ${'x'.repeat(50)}`)
    settings.comment(named, 0, named.length)
    settings.comment(line, 0, line.length)
  }
  t.equal(settings.get('key 3999'), undefined)
  t.ok(settings.get('key 1'))
})
