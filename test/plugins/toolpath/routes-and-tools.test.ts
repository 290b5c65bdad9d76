import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import { decodeTrack } from '../../../plugins/toolpath/page/decode-track.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'
import { plateText } from './plate-text.js'

const FILE = '/part.gcode.3mf'

function archiveOf (text: string, { md5 = createHash('md5').update(text).digest('hex').toUpperCase() } = {}): Buffer {
  return writeZip([
    { name: 'Metadata/plate_1.gcode', content: Buffer.from(text) },
    { name: 'Metadata/plate_1.gcode.md5', content: Buffer.from(md5) },
    { name: 'Metadata/plate_4.gcode', content: Buffer.from(plateText({ layers: 4 })) }
  ])
}

t.test('plates on a card are read move by move', async t => {
  const dataDir = join(testFolder(t), 'data')
  const { http, tool, name, printer, kernel } = await boot(t, {
    preset: featuresWith(toolpath),
    config: { dataDir },
    models: [{ model: 'X1C', reportEveryMs: 100, sdCard: { samples: true } }]
  })
  const session = kernel.printers.get(name)!
  await printer.card.put(FILE, archiveOf(plateText({ layers: 40 })))
  const summary = async (params: Readonly<Record<string, string | number>>) => await http('GET', '/api/toolpath/summary', params)

  t.test('the summary says what the plate will do', async t => {
    const { status, body } = await summary({ file: FILE })
    t.equal(status, 200, JSON.stringify(body))
    t.match(body, {
      file: FILE,
      plate: 1,
      slicer: 'Slicer 1.0',
      is_complete: true,
      md5: 'right',
      layers: 40,
      height_mm: 8,
      slicer_seconds: 660,
      speed_limits: 'file',
      filament_changes: 1,
      box_mm: { min: [90, 90, 0.2], max: [110, 120, 8] },
      objects: [
        { id: 3, first_layer: 1, last_layer: 40, seconds: Number, grams: Number },
        { id: 4, first_layer: 1, last_layer: 20, seconds: Number, grams: Number }
      ],
      temperatures: { nozzle: [140, 220], bed: [60, 65], chamber: null },
      stops: 0
    })
    const grams = (mm: number, density: number) => Math.round(mm * Math.PI * (1.75 / 2) ** 2 / 10 * density) / 100
    const [first, second] = body.filaments as { filament: number, type: string, part_g: number, flush_g: number }[]
    t.match([first, second], [{ filament: 1, type: 'PLA', flush_g: 0 }, { filament: 2, type: 'PETG', flush_g: grams(8, 1.27) }])
    t.equal(body.seconds > 60 && body.seconds < 3_600, true, `${body.seconds} s`)
  })

  t.test('sample files of virtual printers are good, and as long and heavy as they say', async t => {
    for (const [file, plate] of [['/calibration-cube.gcode.3mf', 1], ['/desk-organiser.gcode.3mf', 2]] as const) {
      const { body } = await summary({ file, plate })
      t.match(body, { md5: 'right', speed_limits: 'file', filament_changes: plate === 1 ? 0 : 60, findings: [] }, file)
      for (const { part_g: ours, slicer_g: theirs } of body.filaments as { part_g: number, slicer_g: number }[]) {
        t.ok(Math.abs(ours - theirs) <= theirs / 100, `${ours} g, ${theirs} g`)
      }
      t.ok(Math.abs(body.seconds - (body.slicer_seconds - 360)) < body.seconds * 0.06, `${body.seconds} s`)
    }
  })

  t.test('layers and their moves, all or some', async t => {
    const { body } = await http('GET', '/api/toolpath/layers', { file: FILE, layer: '3-4' })
    t.match(body, { total: 40, layers: [{ layer: 3, z_mm: 0.6, filaments: [{ filament: 2 }] }, { layer: 4 }] })
    t.equal(body.layers.length, 2)
    t.match(await http('GET', '/api/toolpath/layers', { file: FILE, layer: 'x' }),
      { status: 400, body: { reason: "layer must be a layer such as 12 or a range such as 3-9, not 'x'" } })
    const track = async (params: Readonly<Record<string, string>>) => {
      const response = await kernel.app.inject({ method: 'GET', url: '/api/toolpath/track', query: { file: FILE, ...params } })
      t.match(response, { statusCode: 200, headers: { 'content-type': 'application/octet-stream' } })
      return [...new Set(decodeTrack(response.rawPayload).map(({ layer }) => layer))]
    }
    t.same(await track({}), [...Array(41).keys()])
    t.same(await track({ layer: '7-9' }), [7, 8, 9])
    t.same(await track({ layer: '39-' }), [39, 40])
    t.same(await track({ layer: '0' }), [0])
    t.same(await track({ layer: '99' }), [])
  })

  t.test('what skipping an object saves from a layer on', async t => {
    const from = async (layer: number) => {
      const { body } = await http('GET', '/api/toolpath/objects', { file: FILE, from_layer: layer })
      t.match(body, { file: FILE, plate: 1, from_layer: layer, is_known: true })
      return body.objects as { id: number, seconds: number, grams: number, filaments: object[] }[]
    }
    const [first, second] = await from(1)
    const { body: { objects, seconds } } = await summary({ file: FILE })
    t.match(objects, [{ id: 3, seconds: first!.seconds, grams: first!.grams }, { id: 4, seconds: second!.seconds }])
    t.ok(first!.seconds + second!.seconds < seconds, 'what belongs to no object is not counted')
    const grams = (mm: number, density: number) => Math.round(mm * Math.PI * (1.75 / 2) ** 2 / 10 * density) / 100
    t.same(first!.filaments,
      [{ filament: 1, grams: grams(2 * 2.4, 1.24) }, { filament: 2, grams: grams(38 * 2.4, 1.27) }])
    const late = await from(21)
    t.match(late, [{ id: 3, filaments: [{ filament: 2, grams: grams(48, 1.27) }] }, { id: 4, seconds: 0, grams: 0 }])
    t.same((await from(41)).map(({ grams }) => grams), [0, 0])
    t.equal((await http('GET', '/api/toolpath/objects', { file: FILE, from_layer: 0 })).status, 400)
  })

  t.test('agents get a verdict in words, of any plate', async t => {
    const good = await tool('check_plate', { name, file_path: FILE, plate_num: 4 })
    t.match(good.value, { verdict: 'Nothing speaks against printing it.', layers: 4, md5: 'none' })
    await printer.card.put('/cold.gcode', plateText({ layers: 4, startC: 90 }))
    const cold = await tool('check_plate', { name, file_path: 'cold.gcode' })
    t.match(cold.value, {
      verdict: 'Do not print this plate: see findings.',
      findings: [{ weight: 'stop', code: 'cold_extrusion', message: /^Line \d+/, remedy: /./ }]
    })
    await printer.card.put('/changed.gcode.3mf', archiveOf(plateText(), { md5: '0'.repeat(32) }))
    t.match((await summary({ file: '/changed.gcode.3mf' })).body, { md5: 'wrong', findings: [{ code: 'md5_mismatch' }] })
  })

  t.test('a layer is drawn from above in the colours of its features', async t => {
    const { rawPayload, headers } = await kernel.app.inject({
      method: 'GET', url: '/api/toolpath/picture', query: { file: FILE, layer: '5' }
    })
    t.equal(headers['content-type'], 'image/png')
    const { data, info } = await sharp(rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    t.same([info.width, info.height], [1024, 1024])
    const scale = 1024 / 276
    const colorAt = (x: number, y: number) =>
      [...data.subarray(3 * (Math.round((266 - y) * scale) * 1024 + Math.round((x + 10) * scale))).subarray(0, 3)]
    const [wall, bed] = [colorAt(90, 105), colorAt(200, 200)]
    t.ok(wall[0]! > 150 && wall[2]! < 120, `an outer wall is orange: ${wall.join(' ')}`)
    t.same(bed, [0x2E, 0x31, 0x36])
    const shown = await tool('show_layer', { name, file_path: FILE, layer: 5 })
    t.match(shown.value, { layer: 5, layers: 40, z_mm: 1, colors: { outer_wall: '#FF8A3D', inner_wall: '#FFD24A' } })
    t.match(await tool('show_layer', { name, file_path: FILE, layer: 41 }),
      { value: { error: 'no_such_layer', detail: /has layers 1 to 40/ } })
  })

  t.test('what is not there or cannot be read is said', async t => {
    t.match(await summary({ file: '/nothing.gcode' }), { status: 404, body: { reason: /^There is no file '\/nothing\.gcode'/ } })
    t.match(await summary({ file: FILE, plate: 2 }),
      { status: 404, body: { reason: /^'\/part\.gcode\.3mf' holds no sliced plate 2: it has plates 1, 4\./ } })
    await printer.card.put('/broken.3mf', 'PK and nothing more')
    t.match(await summary({ file: '/broken.3mf' }), { status: 400, body: { reason: /^'\/broken\.3mf' cannot be read: / } })
    t.match(await http('GET', '/api/toolpath/layers', { file: FILE, layer: 'x' }), { status: 400 })
    t.match(await http('GET', '/api/toolpath/layers', { file: FILE, layer: '9-3' }),
      { status: 400, body: { reason: /9.* 3 comes before 9/ } })
  })

  t.test('callers at the same time share one reading, and a replaced file is read anew', async t => {
    const tracks = () => readdirSync(join(dataDir, 'plugins', 'toolpath')).filter(file => file.endsWith('.track')).length
    await printer.card.put('/twice.gcode', plateText({ layers: 12 }))
    const before = tracks()
    const both = await Promise.all([summary({ file: '/twice.gcode' }), summary({ file: '/twice.gcode' })])
    t.same(both.map(({ body }) => body.layers), [12, 12])
    t.equal((await summary({ file: '/twice.gcode' })).body.layers, 12)
    t.equal(tracks() - before, 1)
    await printer.card.put('/twice.gcode', plateText({ layers: 14 }))
    const { toolpath: service } = kernel.services
    const current = await service.read(session, '/twice.gcode', 1, { isCurrent: true })
    t.equal(current.plate.layers.length, 15, 'though the listing is older')
    t.equal((await summary({ file: '/twice.gcode' })).body.layers, 14)
    t.equal(tracks() - before, 2)
  })

  t.test('other plugins read files of this host, and ask for the filament up to a layer', async t => {
    const path = join(testFolder(t), 'library.3mf')
    writeFileSync(path, archiveOf(plateText({ layers: 40 })))
    const { toolpath: service } = kernel.services
    const reading = await service.readHost(session, path, 1)
    t.match(reading, { plate: { lines: Number, isCutOff: false }, facts: { tools: [0, 1] } })
    const until = (layer: number) => service.extrudedUntil(reading, layer).map(({ tool, part, flush }) =>
      [tool, Math.round(part * 100), Math.round(flush * 100)])
    t.same(until(2).map(([tool]) => tool), [0])
    t.same(until(3).map(([tool]) => tool), [0, 1])
    t.ok(until(40)[1]![1]! > until(20)[1]![1]!)
    await t.rejects(service.readHost(session, `${path}.gone`, 1), { code: 'PRN_ERR_NO_PLATE_FILE' })
  })
})
