import t from 'tap'
import { writeZip, type Entry } from '../../../plugins/emulator/sample-sd-card/index.js'
import { openArchive } from '../../../plugins/projects/archive/index.js'
import { createProjectReader } from '../../../plugins/projects/project-reader.js'
import { createTestCard, fileOf, sessionOf } from './card.js'
import { entriesOf, make3mf } from './make-3mf.js'

const MIB = 1024 ** 2
const entry = (name: string, content: Buffer | string): Entry => ({ name, content: Buffer.from(content as string) })
const plain = () => entriesOf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }] }])

const open = (bytes: Buffer) => openArchive(fileOf('/a.3mf', bytes))

function read (bytes: Buffer, plate = 1) {
  const reader = createProjectReader(() => createTestCard({ '/a.3mf': bytes }).files)
  return reader.open(sessionOf('X1C'), '/a.3mf', project => project.record(plate, true))
}

/** The same archive with one number in the directory entry of a file changed. */
function patched (bytes: Buffer, name: string, offset: number, value: number, size: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.lastIndexOf(Buffer.from(name)) - 46
  copy.writeUIntLE(value, at + offset, size)
  return copy
}

t.test('what is no archive says so', async t => {
  const cut = make3mf([]).subarray(0, 300)
  for (const bytes of [Buffer.alloc(0), Buffer.from('Hello'), Buffer.alloc(70_000), cut]) {
    await t.rejects(open(bytes), { code: 'PRN_ERR_BAD_ARCHIVE', message: /not a readable 3MF/ })
  }
  await t.rejects(read(Buffer.from('PK\x03\x04')), {
    code: 'PRN_ERR_PROJECT_UNREADABLE', statusCode: 404, message: "Could not retrieve project info for '/a.3mf'"
  })
})

t.test('a file that was never sliced has no plates', async t => {
  await t.rejects(read(make3mf([])), { message: /Could not/, extra: { detail: /no plate/ } } as unknown as Error)
})

t.test('only as much as the file has is read, wherever the end is cut off', async t => {
  const whole = make3mf([{ number: 1 }, { number: 2 }])
  for (const length of [whole.length - 1, whole.length - 22, whole.length - 60, whole.length >> 1]) {
    await t.rejects(open(whole.subarray(0, length)), { code: 'PRN_ERR_BAD_ARCHIVE' }, `${length} bytes`)
  }
})

t.test('too many entries are refused before they are read', async t => {
  const many = Array.from({ length: 5_000 }, (_, at) => entry(`Metadata/x${at}.txt`, ''))
  const card = createTestCard({ '/a.3mf': writeZip([...plain(), ...many]) })
  const file = await card.files.open(sessionOf('X1C'), '/a.3mf')
  await t.rejects(openArchive(file), { code: 'PRN_ERR_BAD_ARCHIVE', message: /5004 entries/ })
  t.ok(card.bytes < 200_000, `${card.bytes} bytes`)
})

t.test('a directory of too many bytes', async t => {
  const long = Array.from({ length: 100 }, (_, at) => entry(`${at}${'x'.repeat(60_000)}`, ''))
  await t.rejects(open(writeZip(long)), { code: 'PRN_ERR_BAD_ARCHIVE', message: /directory is too large/ })
})

t.test('a hundred thousand entries that are announced and not there', async t => {
  const bytes = make3mf([{ number: 1 }])
  bytes.writeUInt16LE(65_535, bytes.length - 22 + 10)
  await t.rejects(open(bytes), { message: /65535 entries/ })
})

t.test('an entry that would grow without end is left out', async t => {
  const bomb = Buffer.alloc(32 * MIB, ' ')
  const bytes = writeZip([...plain(), entry('Metadata/plate_2.json', bomb), entry('Metadata/plate_1.json.txt', bomb)])
  const honest = await open(bytes)
  t.equal(await honest.read('Metadata/plate_2.json', 2 * MIB), undefined)
  const liar = await open(patched(bytes, 'Metadata/plate_2.json', 24, 100))
  t.equal(await liar.read('Metadata/plate_2.json', 2 * MIB), undefined, 'whatever it says of itself')
})

t.test('toolpaths are unpacked only as far as they are read', async t => {
  const head = '; HEADER_BLOCK_START\n; total layer number: 12\n'
  const bytes = writeZip([...plain(), entry('Metadata/plate_3.gcode', head + ' '.repeat(24 * MIB))])
  const found = await (await open(bytes)).head('Metadata/plate_3.gcode', 128 * 1024)
  t.equal(found?.length, 128 * 1024)
  t.ok(found?.startsWith(head))
})

t.test('damage to one entry costs only what was in it', async t => {
  const bytes = make3mf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color: '#00FF00' }] }])
  const [method, checksum, flags, offset] = [10, 16, 8, 42]
  const damaged = {
    'wrong checksum': patched(bytes, 'Metadata/slice_info.config', checksum, 7),
    encrypted: patched(bytes, 'Metadata/slice_info.config', flags, 1, 2),
    'packed in an odd way': patched(bytes, 'Metadata/slice_info.config', method, 14, 2),
    'somewhere else': patched(bytes, 'Metadata/slice_info.config', offset, 10),
    'beyond the end': patched(bytes, 'Metadata/slice_info.config', offset, 0x7FFF_FFFF)
  }
  for (const [what, broken] of Object.entries(damaged)) {
    const { metadata } = await read(broken)
    t.same(metadata.filament, [], what)
  }
  t.same((await read(bytes)).metadata.filament, [{ id: 1, type: 'PLA', color: '#00FF00' }])
})

t.test('documents with entities, document types or endless depth are not obeyed', async t => {
  const info = (xml: string) => writeZip([
    ...plain().filter(({ name }) => !name.includes('slice_info')), entry('Metadata/slice_info.config', xml)
  ])
  const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><config><plate><metadata key="index" value="1"/>' +
    '<filament id="1" type="&b;" color="#FFFFFF"/></plate></config>'
  t.same((await read(info(laughs))).metadata.filament, [])
  t.same((await read(info('<config>'.repeat(20_000)))).metadata.filament, [])
  t.same((await read(info('<config><plate'))).metadata.filament, [])
  const plate = '<plate><metadata key="index" value="1"/><filament id="1" type="PLA" color="#FFFFFF"/></plate>'
  t.same((await read(info(`<config>${plate}${'<a/>'.repeat(30_000)}</config>`))).metadata.filament, [], 'too many tags')
  const quoted = '\uFEFF<config><plate><metadata key ="index" value= "1"/>' +
    '<filament id="1" type="P&amp;&#x4C;&lt;&nope;" color="#ffffff80"/></plate></config>'
  t.same((await read(info(quoted))).metadata.filament, [{ id: 1, type: 'P&L<&nope;', color: '#FFFFFF' }])
})

t.test('pictures that are none, or as large as a field', async t => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(64)
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  }
  const withImages = (image: Buffer) => writeZip([...plain(), entry('Metadata/plate_1.png', image)])
  for (const image of [png(100_000, 100_000), png(0, 5), Buffer.from('GIF89a'), Buffer.alloc(9 * MIB)]) {
    t.equal((await read(withImages(image))).metadata.thumbnail, '')
  }
})

t.test('plates with numbers that are none', async t => {
  const lies = ['0', '01', '31', '99', '1e1', '-1', '5x'].map(number => entry(`Metadata/plate_${number}.json`, '{}'))
  const record = await read(writeZip([...plain(), ...lies, entry('Metadata/plate_30.json', '{}')]))
  t.same(record.plates, [1, 30])
})

t.test('of two entries of one name the later counts', async t => {
  const bytes = writeZip([...plain(), entry('Metadata/plate_1.json', '{"version":9}')])
  t.match((await read(bytes)).metadata.map, { version: 9 })
})

t.test('a gigantic archive: only the parts are read', async t => {
  const filler = Buffer.alloc(100 * MIB, 1)
  const bytes = writeZip([...plain(), { name: '3D/geometry.png', content: filler }])
  t.ok(bytes.length > 100 * MIB)
  const card = createTestCard({ '/a.3mf': bytes })
  const reader = createProjectReader(() => card.files)
  const record = await reader.open(sessionOf('X1C'), '/a.3mf', project => project.record(1, true))
  t.equal(record.size, bytes.length)
  t.equal(record.md5, '')
  t.ok(card.bytes <= 2 * MIB, `${card.bytes} bytes in ${card.reads} reads`)
  t.comment(`${card.bytes} bytes in ${card.reads} reads`)
  const before = card.bytes
  await reader.open(sessionOf('X1C'), '/a.3mf', project => project.record(1, true))
  t.equal(card.bytes, before, 'and the second time nothing')
  t.equal(card.open, 0)
})
