import { createHash } from 'node:crypto'
import { crc32, inflateSync } from 'node:zlib'
import t from 'tap'
import { fromBufferPromise } from 'yauzl'
import { traitsOf } from '../../../plugins/emulator/models/index.js'
import { FILE_ERROR, readJob, readZip, sampleFiles, writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'

const CAP = 2 ** 24
const files = (model: Parameters<typeof traitsOf>[0]) =>
  new Map(sampleFiles(traitsOf(model)).map(({ path, content }) => [path, content]))
const organiser = () => files('X1C').get('/desk-organiser.gcode.3mf') ?? Buffer.alloc(0)

/** Names and contents as another reader of archives sees them. */
async function unzip (bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const found = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    const content = Buffer.concat(chunks)
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`)
    found.set(entry.fileName, content)
  }
  return found
}

t.test('archives are sound, and small', async t => {
  for (const content of [...files('X1C').values(), ...files('H2D').values()]) {
    t.ok(content.length < 100_000)
    if (content.readUInt32LE(0) === 0x04034B50) t.ok((await unzip(content)).has('[Content_Types].xml'))
  }
})

t.test('every plate has its parts, and a sliced one its toolpaths', async t => {
  const names = [...(await unzip(organiser())).keys()]
  for (const plate of [1, 2, 5]) {
    for (const name of ['plate_N.png', 'plate_N_small.png', 'plate_no_light_N.png', 'top_N.png', 'pick_N.png', 'plate_N.json']) {
      t.ok(names.includes(`Metadata/${name.replace('N', String(plate))}`))
    }
  }
  t.same(names.filter(name => name.endsWith('.gcode')), ['Metadata/plate_1.gcode', 'Metadata/plate_2.gcode'])
})

t.test('the checksum of the toolpaths is right', async t => {
  const parts = await unzip(organiser())
  const gcode = parts.get('Metadata/plate_2.gcode') ?? Buffer.alloc(0)
  t.equal(parts.get('Metadata/plate_2.gcode.md5')?.toString(), createHash('md5').update(gcode).digest('hex').toUpperCase())
  t.match(gcode.toString(), /^; HEADER_BLOCK_START\n/)
})

t.test('the picture of numbers shows every object in its place', async t => {
  const parts = await unzip(organiser())
  const png = parts.get('Metadata/pick_2.png') ?? Buffer.alloc(0)
  t.same([png.readUInt32BE(16), png.readUInt32BE(20)], [512, 512])
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8))
  const idAt = (x: number, y: number) =>
    rows.readUIntLE((511 - Math.round(y * 2)) * (512 * 4 + 1) + 1 + Math.round(x * 2) * 4, 3)
  t.equal(idAt(102, 114), 1071, 'the pen cup')
  t.equal(idAt(170, 114), 1118, 'its lid')
  t.equal(idAt(25, 225), 0, 'a tower is no object')
})

t.test('projects are made for the printer that they lie on', async t => {
  for (const [model, code, area] of [['A1_MINI', 'N1', '180x180'], ['H2D', 'O1D', '350x320'], ['P1S', 'C12', '256x256']] as const) {
    const parts = await unzip(files(model).get('/calibration-cube.gcode.3mf') ?? Buffer.alloc(0))
    t.match(parts.get('Metadata/slice_info.config')?.toString(), `key="printer_model_id" value="${code}"`)
    t.match(parts.get('Metadata/project_settings.config')?.toString(), area)
  }
  t.ok(files('H2D').has('/gearbox-two-nozzles.gcode.3mf'))
  t.notOk(files('X1C').has('/gearbox-two-nozzles.gcode.3mf'))
})

t.test('what a plate does when it is printed', async t => {
  t.same(readJob(organiser(), 2), { objects: [1071, 1118, 1165], minutes: 62, layers: 220, bed: 60 })
  t.same(readJob(organiser(), 5), { failure: FILE_ERROR.UNREADABLE }, 'nobody has sliced it')
  t.same(readJob(organiser(), 9), { failure: FILE_ERROR.UNREADABLE })
  t.same(readJob(Buffer.from('no archive'), 1), { failure: FILE_ERROR.UNREADABLE })
})

t.test('what is written can be read', async t => {
  const entries = [{ name: 'ü/a.txt', content: Buffer.from('a'.repeat(999)) }, { name: 'b.png', content: Buffer.from([1, 2]) }]
  const found = readZip(writeZip(entries))
  t.same([...found].map(([name, unpack]) => ({ name, content: unpack(CAP) })), entries)
  t.throws(() => found.get('ü/a.txt')?.(10), 'up to a limit')
  t.throws(() => readZip(Buffer.alloc(30)))
})
