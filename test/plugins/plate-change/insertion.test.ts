import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { modelByName, type PrinterSession } from '../../../core/index.js'
import { writeZip, type Entry } from '../../../plugins/emulator/sample-sd-card/index.js'
import { insertLines } from '../../../plugins/plate-change/insert/insert-lines.js'
import { PlateMaker } from '../../../plugins/plate-change/insert/plate-maker.js'
import type { Recipe } from '../../../plugins/plate-change/recipe/types.js'
import { readHostProject } from '../../../plugins/projects/index.js'
import { summarizeHostPlate } from '../../../plugins/toolpath/index.js'
import { testFolder } from '../../helpers/folder.js'
import { entriesOf, make3mf } from '../projects/make-3mf.js'
import { plateText } from '../toolpath/plate-text.js'
import { contentsOf } from './archive-contents.js'

const model = modelByName('X1C')!
const session = { model, config: { serial: 'S' }, name: 'x1c' } as unknown as PrinterSession
const signal = new AbortController().signal
const md5 = (text: string | Buffer): string => createHash('md5').update(text).digest('hex')

const recipe: Recipe = {
  id: 'r',
  name: 'Push',
  models: [],
  materials: [],
  start_gcode: 'M106 P2 S0',
  end_gcode: 'M190 R30\nG90\nG1 Z{print_height_mm+10} F900\nG1 X128 Y250\nG91\nG1 Z5',
  cool_c: 30,
  cool_minutes: 60,
  soak_minutes: 2,
  magazine: 0,
  check: 'person',
  changedAt: 0,
  changedBy: ''
}

const END = ['M104 S0', 'M140 S0', 'G91', 'G1 Z1', 'M18', 'M73 P100 R0', '; EXECUTABLE_BLOCK_END', '; filament = 1']

async function made (t: Test, gcode: string, change: Partial<Recipe> = {}, archive?: Buffer) {
  const folder = testFolder(t)
  const from = join(folder, 'plate.gcode.3mf')
  await writeFile(from, archive ?? make3mf([{ number: 1, gcode, md5: md5(gcode).toUpperCase(), filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }] }]))
  const before = await readFile(from)
  const maker = new PlateMaker(folder, {} as never, new AbortController().signal)
  const order = { file: md5(before), path: from, plate: 1, recipe: { ...recipe, ...change } }
  const plate = await maker.make(session, order, signal)
  t.ok(before.equals(await readFile(from)), 'the original is as it was')
  return { ...plate, folder, from, entries: contentsOf(await readFile(plate.path)), original: contentsOf(before) }
}

t.test('a recipe is put at the start and before the motors are switched off', async t => {
  const gcode = [plateText(), ...END, ''].join('\n')
  const { entries, original, places, path, folder } = await made(t, gcode)
  const changed = entries.get('Metadata/plate_1.gcode')!.toString()
  const lines = changed.split('\n')
  t.equal(places.endPlace, 'before_motors_off')
  t.equal(lines.at(lines.indexOf('M18') - 1), '; PLATE CHANGE END')
  t.equal(lines.at(lines.indexOf('M18') - 2), 'G91', 'moves are relative again, as the end code had left it')
  t.match(changed, /; PLATE CHANGE START\nG90\nM190 R30\nG90\nG1 Z12 F900\nG1 X128 Y250\nG91\nG1 Z5\nG91\n; PLATE CHANGE END\nM18\n/)
  t.match(changed, /; PLATE CHANGE START\nG90\nM106 P2 S0\nM140 S60\nM190 S60\nG4 S60\nG4 S60\nG90\n; PLATE CHANGE END\nM140 S65\n/)
  t.ok(changed.indexOf('; HEADER_BLOCK_END') < changed.indexOf('PLATE CHANGE'), 'the header stays first')
  t.equal(changed.replaceAll(/; PLATE CHANGE START\n[^]*?; PLATE CHANGE END\n/g, ''), gcode, 'all other lines are those of the original')
  t.equal(entries.get('Metadata/plate_1.gcode.md5')!.toString(), md5(changed).toUpperCase(), 'its checksum is renewed')
  t.same([...entries.keys()].sort(), [...original.keys()].sort(), 'the same entries')
  for (const [name, content] of original) if (!name.includes('.gcode')) t.ok(content.equals(entries.get(name)!), name)
  const { layers, findings } = await summarizeHostPlate(path, 1, { model, nozzles: [0.4] }, { folder, signal })
  const { layers: before } =
    await summarizeHostPlate(join(folder, 'plate.gcode.3mf'), 1, { model, nozzles: [0.4] }, { folder: testFolder(t), signal })
  t.same(layers, before, 'the same layers')
  t.same(findings.filter(({ weight }) => weight === 'stop'), [], 'the reader of plates has nothing against it')
  t.equal(await readHostProject(path, async ({ plates }) => plates[0]?.printable), true)
})

t.test('where it goes without a line that switches motors off', async t => {
  const place = async (...end: string[]) => (await made(t, [plateText(), ...end].join('\n'))).places
  t.match(await place('M73 P100 R0', '; EXECUTABLE_BLOCK_END', '; config'), { endPlace: 'before_block_end' })
  t.match(await place('M73 P100 R0'), { endPlace: 'end_of_file' })
  t.match(await place('M84', 'G28 X', 'M73 P100 R0'), { endPlace: 'end_of_file' }, 'they are switched on again')
  t.match(await place('M622 J1', 'G1 X1', 'M623', 'M84 X Y', 'M400'), { endPlace: 'before_motors_off' })
})

t.test('plates in which it cannot be put are refused', async t => {
  const refused = async (gcode: string, reason: RegExp, change = {}) =>
    t.rejects(made(t, gcode, change), { message: reason })
  const text = plateText()
  await refused(`${text}\nG92 X0\n`, /moves the origin/)
  await refused(`G20\n${text}`, /inches/)
  await refused('; nothing\nG28\n', /nothing is printed/)
  await refused(`${text}\nM622 J1\nM84\nM623\n`, /decides whether its motors/)
  await refused(`${text}\nM622 J1\nG1 X1\n`, /may skip/)
  await refused(`${text}\n; PLATE CHANGE START\nG90\n`, /already/)
  await refused(`${text}\nG1 X\u0001\u0002\n\u0001\u0002\u0003\n`, /no G-code/)
  await refused(text, /Z would be at/, { end_gcode: 'G90\nG1 Z{print_height_mm+255}' })
  const wrong = make3mf([{ number: 1, gcode: text, md5: md5('other') }])
  await t.rejects(made(t, text, {}, wrong), { message: /checksum/ }, 'a damaged plate does not get a good checksum')
  await t.rejects(made(t, text, {}, make3mf([{ number: 2, gcode: text }])), { message: /missing/ })
  await t.rejects(made(t, text, {}, Buffer.from('PK no archive')), { code: 'PRN_ERR_PLATE_NOT_CHANGED' })
})

t.test('plates of an earlier run are made anew, and who gives up ends nothing for others', async t => {
  const folder = testFolder(t)
  const from = join(testFolder(t), 'plate.gcode.3mf')
  await writeFile(from, make3mf([{ number: 1, gcode: [plateText(), ...END].join('\n') }]))
  const order = { file: 'f', path: from, plate: 1, recipe }
  const fresh = async () => {
    const maker = new PlateMaker(folder, {} as never, new AbortController().signal)
    await maker.open()
    return maker
  }
  const { path } = await (await fresh()).make(session, order, signal)
  const whole = await readFile(path)
  await writeFile(path, whole.subarray(0, 100)) // as a power cut leaves it
  const maker = await fresh()
  const leaving = new AbortController()
  const [left, stayed] = [maker.make(session, order, leaving.signal), maker.make(session, order, signal)]
  leaving.abort(new Error('something else was printed'))
  await t.rejects(left, { message: 'something else was printed' })
  t.equal((await stayed).path, path)
  t.equal((await readFile(path)).length, whole.length)
})

t.test('odd archives', async t => {
  const gcode = [plateText(), ...END].join('\r\n')
  const entries: Entry[] = [
    { name: 'Metadata/plate_1.gcode.md5', content: Buffer.from('') },
    ...entriesOf([{ number: 1, gcode }, { number: 2, gcode: 'G28\n' }]),
    { name: '3D/Objects/ünïcode 部品.model', content: Buffer.alloc(5_000, 7) },
    { name: 'empty.bin', content: Buffer.alloc(0) }
  ]
  const { entries: found, original } = await made(t, gcode, {}, writeZip(entries))
  for (const [name, content] of original) if (!/plate_1\.gcode/.test(name)) t.ok(content.equals(found.get(name)!), name)
  t.match(found.get('Metadata/plate_1.gcode.md5')!.toString(), /^[0-9A-F]{32}$/)
  const changed = found.get('Metadata/plate_1.gcode')!.toString()
  t.equal(changed.replaceAll(/; PLATE CHANGE START\n[^]*?; PLATE CHANGE END\n/g, ''), gcode)
  await t.rejects(made(t, gcode, {}, writeZip([...entries, { name: '../outside', content: Buffer.from('x') }])), { code: 'PRN_ERR_PLATE_NOT_CHANGED' })
})

t.test('whatever the lines and the pieces, all bytes of the original stay in order', async t => {
  let seed = 11
  const random = (below: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return seed % below }
  for (let round = 0; round < 2_000; round++) {
    const lines = Array.from({ length: 1 + random(8) }, () => ['', 'G1', '\r', 'ab', '; é'][random(5)]!)
    const text = Buffer.from(lines.join('\n') + (random(2) === 0 ? '\n' : ''))
    const startLine = 1 + random(lines.length)
    const endLine = startLine + random(lines.length - startLine + 1)
    async function * pieces () {
      for (let at = 0; at < text.length;) {
        const size = 1 + random(4)
        yield text.subarray(at, at + size)
        at += size
      }
    }
    const out: Uint8Array[] = []
    for await (const piece of insertLines(pieces(), { startLine, endLine }, { start: Buffer.from('<S>\n'), end: Buffer.from('<E>\n') })) out.push(piece)
    const result = Buffer.concat(out).toString()
    const source = text.toString()
    const split = source.split('\n')
    const expected = [...split.slice(0, startLine - 1), '<S>', ...split.slice(startLine - 1, endLine), '<E>', ...split.slice(endLine)].join('\n')
    if (result !== expected && result !== `${expected}\n`) {
      t.fail(JSON.stringify({ source, startLine, endLine, result, expected }))
      break
    }
  }
  t.pass('2000 texts')
})
