import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { modelByName, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import type { Reading } from '../../../plugins/toolpath/reading.js'
import { openHostFile } from '../../../plugins/toolpath/source/host-file.js'
import { openPlate } from '../../../plugins/toolpath/source/open-plate.js'
import { PlateReader } from '../../../plugins/toolpath/worker/plate-reader.js'
import { testFolder } from '../../helpers/folder.js'

const H2D = modelByName('H2D') ?? UNKNOWN_MODEL
/** Prints the second filament at the left edge, where only the left nozzle reaches. */
const TEXT = ['G28', 'M83', 'M104 S220', '; CHANGE_LAYER', 'M620 S1A', 'T1', 'M621 S1A', 'M104 S220', 'G1 X5 Y100 F9000',
  '; FEATURE: Outer wall', 'G1 X9 Y110 E1', 'M73 P100', 'M104 S0'].join('\n')
const SETTINGS = {
  printer_model: 'Bambu Lab H2D',
  printable_area: ['0x0', '350x0', '350x320', '0x320'],
  extruder_printable_area: ['0x0,325x0,325x320,0x320', '25x0,350x0,350x320,25x320'],
  extruder_printable_height: ['320', '325'],
  printable_height: '325',
  filament_type: ['PLA']
}
const sliced = (maps: string) => '<config><plate><metadata key="index" value="1"/>' +
  `<metadata key="filament_maps" value="${maps}"/></plate></config>`

const found = ({ findings }: Reading) => findings.map(({ code, weight, line }) => `${code} ${weight} ${line}`)

function archiveReader (t: Parameters<typeof testFolder>[0]) {
  const readArchive = archiveReadings(t)
  return async (...archive: Parameters<typeof readArchive>) => found(await readArchive(...archive))
}

function archiveReadings (t: Parameters<typeof testFolder>[0]) {
  const folder = testFolder(t)
  const reader = new PlateReader()
  t.teardown(() => reader.close())
  let count = 0
  return async (maps: string, settings: object = {}, text = TEXT) => {
    const path = join(folder, `${++count}.3mf`)
    writeFileSync(path, writeZip([
      { name: 'Metadata/plate_1.gcode', content: Buffer.from(text) },
      { name: 'Metadata/slice_info.config', content: Buffer.from(sliced(maps)) },
      { name: 'Metadata/project_settings.config', content: Buffer.from(JSON.stringify({ ...SETTINGS, ...settings })) }
    ]))
    const file = await openHostFile(path)
    try {
      const plan = { target: { model: H2D, nozzles: [] }, trackPath: `${path}.track`, mostTrackBytes: 1e6 }
      return await reader.read(await openPlate(file, 1), plan, new AbortController().signal)
    } finally {
      await file.close()
    }
  }
}

t.test("the archive says which nozzle has a filament, so that the other one's strip is judged", async t => {
  const read = archiveReader(t)
  t.same(await read('1 2'), ['other_nozzle_area stop 11'])
  t.same(await read('2 1'), [], 'the left one reaches it')
  t.same(await read('1 2', { enable_filament_dynamic_map: '1' }), [], 'the printer chooses the nozzle')
  t.same(await read(''), [])
  t.same(await read('one'), [])
})

t.test('settings of the text count more than those of the archive', async t => {
  const read = archiveReader(t)
  const area = ['0x0', '50x0', '50x50', '0x50']
  t.same(await read('2 1', { printable_area: area }), ['outside_area stop 11'])
  t.same(await read('2 1', { printable_area: area }, `; printable_area = 0x0,350x0,350x320,0x320\n${TEXT}`), [])
  t.same(await read('2 1', { filament_type: ['PLA'] }), [], 'the text has its own filaments')
})

t.test('settings that a slicer writes behind the moves, or not at all, are taken from the archive', async t => {
  const read = archiveReadings(t)
  const walls = Array.from({ length: 80 }, (_, at) => `G1 X${at % 2 === 0 ? 200 : 100} Y100 E4`)
  const text = ['G28', 'M83', 'M104 S170', '; CHANGE_LAYER', 'G1 X100 Y100 F6000', '; FEATURE: Outer wall', ...walls,
    'M73 P100', 'M104 S0'].join('\n')
  const four = (name: string, values: readonly number[]) =>
    Object.fromEntries(['x', 'y', 'z', 'e'].map((axis, at) => [`machine_max_${name}_${axis}`, [String(values[at])]]))
  const machine = { ...four('speed', [50, 50, 20, 30]), ...four('acceleration', [5e3, 5e3, 500, 5e3]), ...four('jerk', [9, 9, 3, 2.5]) }
  const slow = await read('', machine, text)
  t.equal(slow.limits, 'file')
  t.ok(slow.seconds > 160, '80 walls of 100 mm at 50 mm/s')
  t.same(found(slow), [])
  t.same(found(await read('', {}, text)), [])
  t.same(found(await read('', { filament_max_volumetric_speed: ['4'] }, text)), ['flow_too_high warn 7'])
  t.same(found(await read('', { nozzle_temperature_range_low: ['220'] }, text)), ['cold_extrusion warn 7'])
  t.same(found(await read('', { nozzle_temperature_range_low: ['220', '190'] }, text)), ['cold_extrusion warn 7'])
})
