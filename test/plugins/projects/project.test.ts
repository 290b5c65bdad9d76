import sharp from 'sharp'
import t from 'tap'
import { writeZip, type Entry } from '../../../plugins/emulator/sample-sd-card/index.js'
import { createProjectReader, type OpenProject } from '../../../plugins/projects/project-reader.js'
import { identify } from '../../../plugins/projects/read/identify.js'
import { colorOf, diametersOf, numberOf, wholesOf } from '../../../plugins/projects/read/numbers.js'
import { readPlateMap } from '../../../plugins/projects/read/plate-map.js'
import { createTestCard, sessionOf } from './card.js'
import { entriesOf, make3mf, type MadePlate } from './make-3mf.js'

function open<T> (bytes: Buffer, reading: (project: OpenProject) => Promise<T>, extruders = 1): Promise<T> {
  const reader = createProjectReader(() => createTestCard({ '/a.3mf': bytes }).files)
  return reader.open(sessionOf('X1C', extruders), '/a.3mf', reading)
}

const metadataOf = async (bytes: Buffer, plate = 1, extruders = 1) =>
  (await open(bytes, project => project.record(plate, false), extruders)).metadata

const PLA = { id: 1, type: 'PLA', color: '#FFFFFF' }
const box = (name: string, x: number, id = 900) => ({ id, name, bbox: [x, 10, x + 20, 30] })
const withGcode = (plates: readonly MadePlate[], head: string, settings: unknown = {}): Buffer => writeZip(
  entriesOf(plates, settings).map((entry): Entry =>
    entry.name.endsWith('.gcode') ? { ...entry, content: Buffer.from(head) } : entry))

t.test('numbers as slicers of any country write them', async t => {
  t.same(['1.5', '1,5', ' 7 ', 3, '-2', '1e3'].map(numberOf), [1.5, 1.5, 7, 3, -2, 1000])
  t.same(['', 'x', '1.2.3', NaN, Infinity, null, [], '1e999'].map(numberOf), new Array(8).fill(undefined))
  t.same(['0.4', '0,4', '0.4,0.6', '0,4,0,6', '0,4;0,6', '1,2', ''].map(diametersOf),
    [[0.4], [0.4], [0.4, 0.6], [0.4, 0.6], [0.4, 0.6], [1.2], []])
  t.same(['1 1 2', '1,0', ['1', '0'], '1 x', undefined].map(wholesOf), [[1, 1, 2], [1, 0], [1, 0], [], []])
  t.same(['#ff8800', 'FF8800CC', '#FFF', 'red', 7].map(colorOf), ['#FF8800', '#FF8800', '', '', ''])
})

t.test('filaments: the slicer\'s list, else the map with the project, else the toolpaths', async t => {
  const listed = make3mf([{ number: 1, filaments: [{ id: 4, type: 'TPU', color: '#00ff00ff' }], map: { filament_ids: [0] } }])
  t.same((await metadataOf(listed)).filament, [{ id: 4, type: 'TPU', color: '#00FF00' }])
  const settings = { filament_type: ['PLA', 'ABS'], filament_colour: ['#112233', ''] }
  const mapped = make3mf([{ number: 1, map: { filament_ids: [1, 0, 1], filament_colors: ['#445566', '#000000'] } }], settings)
  t.same((await metadataOf(mapped)).filament,
    [{ id: 1, type: 'PLA', color: '#112233' }, { id: 2, type: 'ABS', color: '#445566' }])
  const head = '; filament: 2\n; filament_type = PLA;PETG\n; filament_colour = #000000;#ABCDEF\n'
  t.same((await metadataOf(withGcode([{ number: 1 }], head))).filament, [{ id: 2, type: 'PETG', color: '#ABCDEF' }])
  t.same((await metadataOf(make3mf([{ number: 1 }]))).filament, [])
})

t.test('filaments with numbers beyond all reason do no harm', async t => {
  const bytes = make3mf([{ number: 1, filaments: [{ id: 2_000_000_000, type: 'PLA', color: '#FFFFFF' }, { ...PLA, id: -5 }] }])
  t.match(await metadataOf(bytes), { ams_mapping: [], external_spool_trays: [], filament: [{ id: -1 }, { id: -5 }] })
})

t.test('the placeholder of a mapping', async t => {
  const plate = { number: 1, filaments: [{ ...PLA, id: 2 }] }
  t.same((await metadataOf(make3mf([plate]))).ams_mapping, ['-1', '2'])
  t.same((await metadataOf(make3mf([{ ...plate, metadata: { filament_maps: '1 1 1' } }]))).ams_mapping, ['-1', '2', '-1'])
})

t.test('two nozzles: the toolpaths know best which is which', async t => {
  const plate = { number: 1, filaments: [PLA, { ...PLA, id: 2 }], metadata: { filament_maps: '1 2' } }
  const settings = { physical_extruder_map: ['0'] }
  const bytes = withGcode([plate], '; CONFIG_BLOCK_START\n; physical_extruder_map = 1,0\n; CONFIG_BLOCK_END\n', settings)
  t.match(await metadataOf(bytes, 1, 2), { physical_extruder_map: [1, 0], external_spool_trays: [254, 255] })
  const single = make3mf([plate], settings)
  t.match(await metadataOf(single), { physical_extruder_map: [0], external_spool_trays: [255, 255] })
  t.match(await metadataOf(make3mf([plate]), 1, 2), { physical_extruder_map: [], external_spool_trays: [] })
})

t.test('plates: sparse, without a map, without toolpaths', async t => {
  const bytes = make3mf([{ number: 12, filaments: [PLA] }, { number: 3, sliced: false }])
  await open(bytes, async project => {
    t.same(project.plates, [3, 12])
    t.equal(project.nearest(7), 3)
    t.same([(await project.plate(3)).printable, (await project.plate(12)).printable], [false, true])
  })
  const foreign = writeZip(entriesOf([{ number: 2, filaments: [PLA] }]).filter(({ name }) => !name.endsWith('.json')))
  t.same(await open(foreign, async project => project.plates), [2])
})

t.test('boxes that are none are left out', async t => {
  const wrong = [[1, 2, 3], [3, 0, 1, 1], [0, 0, 1, '1'], [0, 0, 1, null], 'x', null]
  const map = readPlateMap(JSON.stringify({ bbox_objects: [...wrong.map(bbox => ({ bbox, name: 'x' })), null, 4, box('good', 1)] }))
  t.same(map?.boxes.map(({ name }) => name), ['good'])
  t.equal(readPlateMap('[1]'), undefined)
  t.equal(readPlateMap('{"a":1'), undefined)
})

t.test('objects get their numbers by name and order', async t => {
  const objects = [{ id: 50, name: 'b' }, { id: 51, name: 'a' }, { id: 52, name: 'a' }]
  const map = { bbox_objects: [box('a', 10), box('a', 50), box('b', 90), { ...box('wipe_tower', 200), id: 1000 }] }
  const { map: { bbox_objects: boxes } } = await metadataOf(make3mf([{ number: 1, objects, map }]))
  t.same(boxes.map(({ id }) => id), [51, 52, 50, 1000])
  t.same(boxes[0]?.bbox, boxes[0]?.val)
})

t.test('without names by order, and without objects they keep their own', async t => {
  const boxes = readPlateMap(JSON.stringify({ bbox_objects: [box('x', 1), box('y', 40, 7)] }))?.boxes ?? []
  t.same(identify(boxes, [{ id: 5, name: '' }], undefined).map(({ id }) => id), [5, 7])
  t.same(identify(boxes, [], undefined).map(({ id }) => id), [900, 7])
})

t.test('the picture of numbers wins over names', async t => {
  const pixels = Buffer.alloc(256 * 256 * 4)
  const show = (x: number, id: number) => {
    for (let y = 226; y < 246; y++) {
      for (let at = x; at < x + 20; at++) pixels.writeUInt32LE(0xFF00_0000 + id, (y * 256 + at) * 4)
    }
  }
  show(10, 301)
  show(50, 300)
  const pick = await sharp(pixels, { raw: { width: 256, height: 256, channels: 4 } }).png().toBuffer()
  const plate = {
    number: 1,
    objects: [{ id: 300, name: 'same' }, { id: 301, name: 'same' }],
    map: { bbox_objects: [box('same', 10), box('same', 50)] }
  }
  const entries = [...entriesOf([plate]), { name: 'Metadata/pick_1.png', content: pick }]
  const { map } = await metadataOf(writeZip(entries))
  t.same(map.bbox_objects.map(({ id }) => id), [301, 300])
})

t.test('how a plate was sliced: the project says it, else the head of the toolpaths, else nobody', async t => {
  const plate = (bytes: Buffer) => open(bytes, async project => (await project.plate(1)).print)
  t.same(await plate(make3mf([{ number: 1 }], {
    enable_support: '1',
    support_type: 'tree(auto)',
    brim_type: ['painted', 'no_brim'],
    raft_layers: '2',
    layer_height: '0.28',
    initial_layer_print_height: '0.3',
    sparse_infill_density: '8%',
    wall_loops: '1'
  })), { support: 'tree', brim: 'ears', raftLayers: 2, layerHeightMm: 0.28, firstLayerMm: 0.3, infillPct: 8, walls: 1 })
  t.same(await plate(make3mf([{ number: 1 }], { enable_support: '0', brim_type: 'auto_brim', wall_loops: 'many' })),
    { support: 'none', brim: 'full' })
  t.same(await plate(withGcode([{ number: 1 }], '; CONFIG_BLOCK_START\n; enable_support = 1\n; support_type = normal(auto)\n' +
    '; brim_type = no_brim\n; wall_loops = 3\n; CONFIG_BLOCK_END\n')), { support: 'normal', brim: 'none', walls: 3 })
  t.same(await plate(make3mf([{ number: 1 }])), {})
})
