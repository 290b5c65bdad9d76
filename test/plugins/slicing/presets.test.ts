import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MODELS } from '../../../core/index.js'
import { writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import { chosenPresets } from '../../../plugins/slicing/imported/chosen-presets.js'
import { presetsIn } from '../../../plugins/slicing/imported/preset-bundle.js'
import { presetFacts } from '../../../plugins/slicing/imported/preset-facts.js'
import { readPresetFile } from '../../../plugins/slicing/imported/preset-file.js'
import { openPresetFolders, presetFolders } from '../../../plugins/slicing/imported/preset-folders.js'
import { misfit } from '../../../plugins/slicing/imported/profile-facts.js'
import { presetTexts, readPresets } from '../../../plugins/slicing/imported/read-presets.js'
import { safePresets } from '../../../plugins/slicing/imported/safe-presets.js'
import { testFolder } from '../../helpers/folder.js'
import { all, bundleOf, MINE, VENDOR } from './preset-files.js'

const filesOf = (presets: readonly object[]) => presets.map(preset => readPresetFile(JSON.stringify(preset))!)
const without = (...left: readonly object[]) => filesOf(all.filter(preset => !left.includes(preset)))
const with_ = (preset: object, change: object) => filesOf(all.map(one => one === preset ? { ...one, ...change } : one))
const modelOf = (wanted: string) => MODELS.find(({ model }) => model === wanted)!
const factsOf = (files: ReturnType<typeof filesOf>) => presetFacts(readPresets(files))

t.test('a printer, a process and a filament are put together with what they inherit', async t => {
  const presets = readPresets(filesOf(all))
  t.match(presets.machine, { name: 'My P1S', settings: { nozzle_diameter: ['0.4'], printer_model: 'Bambu Lab P1S', machine_max_force_Y: '0' } })
  t.match(presets.process, { name: 'My walls', settings: { layer_height: '0.2', wall_loops: '4', sparse_infill_density: '15%' } })
  t.match(presets.filament, { name: 'My PLA', settings: { filament_flow_ratio: ['0.95'], nozzle_temperature: ['230'], filament_id: 'GFA00' } })
  t.match(readPresets(filesOf(all), { filament: 'Maker PLA @P1S' }).filament.settings.nozzle_temperature, ['215'], 'what is included comes after what is inherited')
  t.match(readPresets(filesOf(all), { print: '0.20mm Standard @Maker' }).process, { name: '0.20mm Standard @Maker' })
  t.same(readPresets(filesOf(presetTexts(presets).map(text => JSON.parse(text) as object))), presets, 'once resolved, it needs nothing else')
  t.match(readPresets(filesOf([...Object.values(VENDOR), { ...MINE.process, inherits: '_local/7f/0.20mm Standard @Maker' }])).process.name, 'My walls')
})

t.test('what is missing or does not belong together is named', async t => {
  const refused = (files: ReturnType<typeof filesOf>, reason: RegExp, names = {}) =>
    t.throws(() => readPresets(files, names), { code: 'PRN_ERR_BAD_INPUT', message: reason })
  refused(without(VENDOR.processCommon), /The print preset '0\.20mm Standard @Maker' builds on 'fdm_process_common', which was not given/)
  refused(without(VENDOR.template), /builds on 'fdm_filament_template'/)
  refused(without(VENDOR.filament, MINE.filament), /There is no filament preset \(type filament\)/)
  refused([...filesOf(all), ...filesOf([{ ...MINE.process, name: 'Other' }])], /several print presets; name one: My walls, Other/)
  refused(filesOf(all), /There is no printer preset 'X1'; name one: My P1S/, { printer: 'X1' })
  refused(with_(VENDOR.machineCommon, { inherits: 'My P1S' }), /There is no printer preset/)
  refused(with_(VENDOR.machineCommon, { inherits: 'Maker P1S 0.4 nozzle' }), /printer presets My P1S, Maker P1S .* inherit each other/)
  refused(with_(VENDOR.filament, { compatible_printers: ['Maker A1'] }), /'My PLA' is not made for 'My P1S', but for Maker A1/)
  refused(with_(VENDOR.machineCommon, { printable_area: undefined }), /'My P1S' lacks printable_area/)
})

t.test('hostile presets are refused before they cost much', async t => {
  const refused = (presets: readonly object[], reason: RegExp, names = {}) =>
    t.throws(() => readPresets(filesOf([...all, ...presets]), names), { code: 'PRN_ERR_BAD_INPUT', message: reason })
  const doubled = Array.from({ length: 40 }, (_, step) =>
    ({ type: 'machine', name: `d${step}`, inherits: `d${step + 1}`, include: [`d${step + 1}`] }))
  refused([...doubled, { type: 'machine', name: 'd40' }], /'d0' has more than 200 parents/, { printer: 'd0' })
  const settings = (from: number) => Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key_${from + at}`, '1']))
  refused([{ type: 'process', name: 'wide', inherits: 'wider', ...settings(0) }, { type: 'process', name: 'wider', ...settings(3_000) }],
    /'wide' has more than 4000 settings/, { print: 'wide' })
  const read = (preset: object) => () => readPresetFile(JSON.stringify({ type: 'process', name: 'x', ...preset }))
  t.throws(read({ notes: 'x'.repeat(70_000) }), /longer than/)
  t.throws(read({ notes: Array.from({ length: 2_000 }, () => '') }), /more than 1024 values/)
  t.throws(read({ include: Array.from({ length: 20 }, String) }), /builds on more than 16/)
  t.throws(read({ ...settings(0), ...settings(3_000) }), /more than 4000 settings/)
  t.throws(() => readPresetFile(`{"a":"${'x'.repeat(2 ** 20)}"}`), /more than 1048576 characters/)
  const odd = readPresetFile('{"type":"process","name":"x","__proto__":{"layer_height":"9"},"constructor":"y","nested":{"a":1},"speed":7,"on":true}')
  t.same([...odd?.settings ?? []], [['constructor', 'y'], ['speed', '7'], ['on', '1']])
  t.equal(({} as Record<string, unknown>).layer_height, undefined)
  for (const text of ['', '[]', 'null', '[1', '['.repeat(100_000), '{"type":"machine_model","name":"P1S"}', '{"name":"x"}', '{"type":"machine"}']) {
    t.equal(readPresetFile(text), undefined, text.slice(0, 40))
  }
})

t.test('bundles are unpacked within limits, whatever their entries are called', async t => {
  const names = ['../../etc/passwd.json', '/abs.json', 'C:\\x.json', '__proto__.json']
  t.equal((await presetsIn(bundleOf(all, at => names[at] ?? `${at}.JSON`))).length, all.length)
  t.same((await presetsIn(Buffer.from(`\uFEFF${JSON.stringify(MINE.process)}`))).map(({ kind, name }) => [kind, name]), [['process', 'My walls']])
  const refused = (bytes: Buffer, reason: RegExp) => t.rejects(presetsIn(bytes), { code: 'PRN_ERR_BAD_INPUT', message: reason })
  await refused(Buffer.from('solid cube'), /not a preset of OrcaSlicer or Bambu Studio/)
  await refused(bundleOf([{ a: 1 }]), /no presets/)
  await refused(bundleOf(all).subarray(0, 200), /damaged/)
  const bomb = (mib: number) => ({ type: 'process', name: 'b', notes: ' '.repeat(mib * 2 ** 20) })
  await refused(bundleOf([bomb(60)]), /larger than 1 MiB/)
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at}.json`, content: Buffer.from(`{"a":"${'x'.repeat(900_000)}"}`) }))
  await refused(writeZip(many), /unpacks to more than 16 MiB/)
  await refused(bundleOf(Array.from({ length: 401 }, () => MINE.process)), /401 presets, more than 400/)
})

t.test('the figures of presets are checked against the printer', async t => {
  t.match(factsOf(filesOf(all)), { bed: [0, 0, 256, 256], heightMm: 250, nozzleMm: 0.4, layerMm: 0.2, material: 'PLA', nozzleC: 230, bedC: 65 })
  const target = { model: modelOf('P1S'), nozzleMm: 0.4 }
  t.equal(misfit(factsOf(filesOf(all)), target), undefined)
  t.match(misfit(factsOf(filesOf(all)), { model: modelOf('A1_MINI'), nozzleMm: 0.4 }), /to 256, 256 mm, that of the Bambu Lab A1 mini/)
  t.match(misfit(factsOf(filesOf(all)), { ...target, nozzleMm: 0.6 }), /nozzle of 0\.4 mm/)
  t.match(misfit(factsOf(with_(MINE.filament, { nozzle_temperature: ['320'] })), target), /nozzle to 320 °C/)
  t.match(misfit(factsOf(with_(VENDOR.filament, { eng_plate_temp: ['130'] })), target), /bed to 130 °C/)
  t.throws(() => factsOf(with_(VENDOR.machineCommon, { nozzle_diameter: ['0.4', '0.4'] })), /'My P1S' has 2 extruders/)
  t.throws(() => factsOf(with_(VENDOR.machineCommon, { gcode_flavor: 'klipper' })), /writes G-code for klipper/)
  t.throws(() => factsOf(with_(VENDOR.machineCommon, { printable_area: ['circle'] })), /printable_area is not a list of points/)
  t.throws(() => factsOf(with_(VENDOR.filamentCommon, { filament_type: ['<b>'] })), /does not say its material/)
})

t.test('nothing in presets runs a program or names a file or server', async t => {
  const { presets, changed } = safePresets(readPresets(filesOf(all)))
  t.same([...changed].sort(), ['post_process', 'print_sequence'])
  t.notMatch(JSON.stringify(presets), /touch|picture\.svg|plain-key|10\.0\.0\.9|"mine"/)
  t.match(presets.process.settings, { print_sequence: 'by layer', wall_loops: '4' })
})

t.test('an order changes what it names, and nothing else', async t => {
  const presets = readPresets(filesOf(all))
  const imported = { name: 'mine', presets, facts: presetFacts(presets) }
  const target = { model: modelOf('P1S'), nozzleMm: 0.4 }
  const plain = chosenPresets(target, imported, { parts: [] })
  t.match(plain, { color: '#112233', brimMm: 0, startCode: '' })
  t.same(plain.presets.process.settings, { ...presets.process.settings, curr_bed_type: 'Textured PEI Plate' })
  const changed = chosenPresets(target, imported, { parts: [], supports: true, brim: 5, infill: 40, color: '#abcdef', bed_type: 'supertack_plate' })
  t.match(changed.presets, {
    process: { settings: { enable_support: '1', brim_type: 'outer_only', brim_width: '5', sparse_infill_density: '40%', curr_bed_type: 'Supertack Plate' } },
    filament: { settings: { filament_colour: ['#ABCDEF'] } }
  })
  t.equal(changed.brimMm, 5)
  t.throws(() => chosenPresets({ ...target, nozzleMm: 0.2 }, imported, { parts: [] }), /'mine' does not suit this printer: it is for a nozzle/)
})

t.test('parents are found in the folders of the desktop slicers', async t => {
  const root = join(testFolder(t), 'OrcaSlicer')
  const put = (folder: string, preset: { readonly name: string }) => {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, `${preset.name}.json`), JSON.stringify(preset))
  }
  for (const [key, preset] of Object.entries(VENDOR)) put(`system/Maker/${key.startsWith('m') ? 'machine' : key.startsWith('p') ? 'process' : 'filament/deep'}`, preset)
  for (const [kind, preset] of Object.entries(MINE)) put(`user/default/${kind}`, preset)
  put('system/Another/process', { ...VENDOR.processCommon, wall_loops: '9' } as never)
  symlinkSync('/etc', join(root, 'system', 'Maker', 'process', 'link'))
  const find = () => openPresetFolders([join(root, '..', 'nowhere'), root])

  t.match(readPresets(filesOf(Object.values(MINE)), {}, find()), { process: { settings: { layer_height: '0.2' } }, filament: { settings: { filament_flow_ratio: ['0.95'] } } })
  const named = { printer: 'My P1S', print: '0.20mm Standard @Maker', filament: 'My PLA' }
  t.match(readPresets([], named, find()).process.settings.wall_loops, '2', 'of two vendors, that of the preset')
  t.match(readPresets(filesOf([VENDOR.process]), named, find()).process.settings.wall_loops, '2', 'also for a copy of its file')
  t.throws(() => readPresets(filesOf([{ ...MINE.process, name: 'Copy', inherits: 'fdm_process_common' }]), { ...named, print: 'Copy' }, find()),
    /builds on 'fdm_process_common', which was not given/, 'two vendors have it: which one is not guessed')

  const env = { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }
  t.match(presetFolders({ platform: 'win32', home: 'C:\\Users\\a', env })[0], /Roaming.OrcaSlicer$/)
  t.match(presetFolders({ platform: 'darwin', home: '/h', env: {} })[1], '/h/Library/Application Support/BambuStudio')
  t.match(presetFolders({ platform: 'linux', home: '/h', env: {} }), ['/h/.config/OrcaSlicer', /com\.orcaslicer\.OrcaSlicer/])
})
