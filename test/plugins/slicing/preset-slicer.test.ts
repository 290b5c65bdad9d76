import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readZip, writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { chooseEngine } from '../../../plugins/slicing/engines/choose-engine.js'
import { bambuStudio, findOrcaSlicer, orcaSlicer } from '../../../plugins/slicing/engines/preset-slicer.js'
import { whichProgram } from '../../../plugins/slicing/engines/run-program.js'
import { readPresetFile } from '../../../plugins/slicing/imported/preset-file.js'
import { readPresets } from '../../../plugins/slicing/imported/read-presets.js'
import slicing from '../../../plugins/slicing/index.js'
import { finishArchive } from '../../../plugins/slicing/plate-file/finish-archive.js'
import type { Slicer } from '../../../plugins/slicing/types.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { importFiles } from '../../../presets/cli/commands/profiles.js'
import { sliceFiles } from '../../../presets/cli/commands/slice.js'
import { UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import { FAST, timing } from '../queue/helpers.js'
import { commandsFor } from './commands.js'
import { boxStl, emptyPictures, placedBox } from './models.js'
import { all, bundleOf, MINE, VENDOR } from './preset-files.js'
import { finishedPlate, standIn } from './stand-in.js'

const LIMITS = { timeoutMs: 20_000, memoryMiB: 65_536, fileMiB: 64 }
const skip = process.platform === 'win32' && 'shell scripts'
const presets = readPresets(all.map(preset => readPresetFile(JSON.stringify(preset))!))
const never = new AbortController().signal

async function slice (t: Parameters<typeof testFolder>[0], slicer: Slicer, { signal = never, hasPresets = true } = {}) {
  const folder = testFolder(t)
  const steps: string[] = []
  const instances = [placedBox(folder, 1, [10, 10, 2], [50, 50]), placedBox(folder, 2, [10, 10, 2], [80, 50])]
  const result = await slicer.slice({
    instances, settings: '', ...hasPresets && { presets }, target: { model: UNKNOWN_MODEL, nozzleMm: 0.4 }, folder
  }, { signal, onProgress: (percent, step) => steps.push(`${percent} ${step}`) })
  return { result, steps }
}

t.test('both programs are called as their source reads it, and write the archive of a plate', { skip }, async t => {
  for (const [title, slicerOf] of [['OrcaSlicer', orcaSlicer], ['BambuStudio', bambuStudio]] as const) {
    const { program, seen } = standIn(testFolder(t), { title })
    const slicer = slicerOf({ ...LIMITS, program })
    t.match(await slicer.find(), { place: program, version: '2.3.1' })
    const { result, steps } = await slice(t, slicer)
    t.ok(existsSync((result as { archive: string }).archive))
    const given = JSON.parse(readFileSync(seen, 'utf8')) as Record<string, Record<string, unknown>>
    t.match(given, { machine: { name: 'My P1S', printer_model: 'Bambu Lab P1S' }, process: { layer_height: '0.2' }, models: [/1.part-1\.stl$/, /2.part-2\.stl$/] })
    if (process.platform === 'linux' && whichProgram('mkfifo')) t.same(steps, ['40 Generating walls'])
  }
  t.equal(await findOrcaSlicer(join(testFolder(t), 'nothing')), undefined)
})

t.test('a program that fails says why, and one that writes nothing is not believed', { skip }, async t => {
  const fails = (ends: string, reason: RegExp) => t.rejects(
    slice(t, orcaSlicer({ ...LIMITS, program: standIn(testFolder(t), { ends }).program })),
    { code: 'PRN_ERR_SLICER_FAILED', message: reason }, ends)
  await fails('say(-61, "Filaments are not compatible")', /OrcaSlicer could not slice the plate: the filament cannot be printed on this build plate.*: Filaments are not compatible$/)
  await fails('say(-77, "Something new")', /plate: Something new$/)
  await fails('process.exit(0)', /code 0 and wrote no plate/)
  await fails('process.kill(process.pid, "SIGSEGV")', /SIGSEGV|code 139/)
  await t.rejects(slice(t, orcaSlicer({ ...LIMITS, program: '/nothing' })), { message: /it is not there/ })
  const { program } = standIn(testFolder(t))
  await t.rejects(slice(t, orcaSlicer({ ...LIMITS, program }), { hasPresets: false }), { message: /needs presets/ })
})

t.test('it ends with its limit and with whoever waits', { skip }, async t => {
  const hanging = standIn(testFolder(t), { ends: 'setInterval(() => {}, 1000)' })
  await t.rejects(slice(t, orcaSlicer({ ...LIMITS, timeoutMs: 1_500, program: hanging.program })), { message: /more than 2 s/ })
  const given = new AbortController()
  const other = standIn(testFolder(t), { ends: 'setInterval(() => {}, 1000)' })
  const running = slice(t, orcaSlicer({ ...LIMITS, program: other.program }), { signal: given.signal })
  await eventually(() => existsSync(other.seen))
  given.abort(new Error('it was cancelled'))
  await t.rejects(running, /it was cancelled/)
})

t.test('its archive keeps its toolpaths and gets our pictures', async t => {
  const folder = testFolder(t)
  const [from, to] = [join(folder, 'from.3mf'), join(folder, 'to.3mf')]
  const pictures = await emptyPictures(folder)
  const finish = async (archive: Buffer) => {
    writeFileSync(from, archive)
    await finishArchive(from, to, { pictures, title: 'OrcaSlicer', signal: never })
  }
  await finish(finishedPlate())
  const contentsOf = (archive: Buffer) => new Map([...readZip(archive)].map(([name, read]) => [name, read(2 ** 20)]))
  const [before, after] = [contentsOf(finishedPlate()), contentsOf(readFileSync(to))]
  for (const name of ['Metadata/plate_1.gcode', 'Metadata/plate_1.gcode.md5', 'Metadata/slice_info.config']) {
    t.same(after.get(name), before.get(name), name)
  }
  for (const name of ['plate_1', 'plate_1_small', 'plate_no_light_1', 'top_1']) {
    t.match(after.get(`Metadata/${name}.png`)?.subarray(1, 4).toString(), 'PNG', name)
  }
  t.notOk(after.has('../outside.txt'), 'nothing lies outside')
  const refused = (archive: Buffer, reason: RegExp) => t.rejects(finish(archive), { code: 'PRN_ERR_SLICER_FAILED', message: reason })
  await refused(writeZip([{ name: 'Metadata/plate_2.gcode', content: Buffer.from('G28') }]), /no toolpaths/)
  await refused(Buffer.from('no zip'), /not a readable/)
  const damaged = Buffer.from(finishedPlate())
  damaged.fill(0xFF, 200, 400)
  await refused(damaged, /plate: /)
})

t.test('the slicer suits the settings, or the error names the fix', async t => {
  const slicer = (name: string, takes?: Slicer['takes'], isThere = true) => ({
    slicer: { name, title: name, ...takes && { takes }, find: async () => undefined, slice: async () => ({ gcode: '' }) },
    found: isThere ? { place: `/${name}`, version: '1' } : undefined
  })
  const [prusa, orca, bambu] = [slicer('prusa'), slicer('orca', 'presets', false), slicer('bambu', 'presets')]
  const builtIn = { engine: undefined, kind: 'configuration', profile: undefined } as const
  const imported = { engine: undefined, kind: 'presets', profile: 'mine' } as const
  t.equal(chooseEngine([orca, bambu, prusa], builtIn).slicer.name, 'prusa')
  t.equal(chooseEngine([prusa, orca, bambu], imported).slicer.name, 'bambu')
  const refused = (
    all: Parameters<typeof chooseEngine>[0], wanted: Parameters<typeof chooseEngine>[1],
    error: { readonly code: string, readonly message: string | RegExp }
  ) => t.throws(() => chooseEngine(all, wanted), error as { code: string, message: RegExp })
  const wrong = 'PRN_ERR_WRONG_SLICER'
  refused([prusa, orca, bambu], { ...imported, engine: 'prusa' },
    { code: wrong, message: "prusa cannot slice with 'mine', which holds presets of OrcaSlicer or Bambu Studio. Leave the engine out, or choose one of: orca, bambu" })
  refused([prusa, bambu], { ...builtIn, engine: 'bambu' }, { code: wrong, message: /the built-in profiles.*one of: prusa/ })
  refused([prusa, bambu], { ...builtIn, profile: 'old', engine: 'bambu' }, { code: wrong, message: /'old', which is a configuration of PrusaSlicer/ })
  const none = 'PRN_ERR_NO_SLICER'
  refused([prusa, orca], imported, { code: none, message: /no slicer for 'mine', which holds presets of OrcaSlicer or Bambu Studio, on this host/ })
  refused([prusa, orca], { ...imported, engine: 'orca' }, { code: none, message: /'orca'/ })
  refused([orca], builtIn, { code: none, message: /no slicer on this host/ })
})

t.test('presets are imported by command, sliced with, and a mixed order is refused', { skip }, async t => {
  const folder = testFolder(t)
  const stand = join(folder, 'stand-in')
  mkdirSync(stand)
  const { program, seen } = standIn(stand)
  const write = (name: string, content: Buffer | string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const preset = recordedWith(toolpath, queueWith(timing), slicing)
  const options = { orcaSlicer: program, bambuStudio: '/nothing', prusaSlicer: '/nothing', memoryMiB: LIMITS.memoryMiB }
  const booted = await boot(t, {
    preset,
    models: [{ model: 'P1S', name: 'p1s', ...FAST }, { model: 'A1_MINI', name: 'mini', ...FAST }],
    config: { plugins: { slicing: options } }
  })
  const { http } = booted
  const { lines, screen, api } = commandsFor(booted)
  const system = new Map<string, object>(Object.values(VENDOR).map(preset => [preset.name, preset]))
  const find = (_kind: string, name: string) => readPresetFile(JSON.stringify(system.get(name) ?? {}))
  const mine = write('mine.orca_printer', bundleOf([MINE.machine, MINE.process]))
  await importFiles(api, screen, [mine, write('pla.json', JSON.stringify(MINE.filament))], { name: 'My PLA' }, find)
  t.match(lines.splice(0), [/^My PLA: PLA, layers of 0\.2 mm, nozzle 0\.4 mm, 230 and 65 °C$/, /OrcaSlicer or Bambu Studio/, /(post_process|print_sequence) was left out/, /(post_process|print_sequence)/, /--profile "My PLA"/])
  await t.rejects(importFiles(api, screen, [mine], {}, find), /no filament preset/)
  await t.rejects(importFiles(api, screen, [], {}, find), /--printer-preset/)
  const ini = write('x.ini', 'layer_height = 0.2\n')
  await t.rejects(importFiles(api, screen, [ini, ini], {}, find), /one file/)

  const cube = write('cu&be.stl', boxStl([20, 20, 4]))
  const out = join(folder, 'plate.gcode.3mf')
  await sliceFiles(api as never, screen, [cube], { printer: 'p1s', profile: 'My PLA', out })
  t.match(lines.splice(0)[0], /2 layers, by OrcaSlicer 2\.3\.1/)
  t.match(JSON.parse(readFileSync(seen, 'utf8')), { process: { curr_bed_type: 'Textured PEI Plate' }, models: [/1.cu_be\.stl$/] })
  t.equal(readZip(readFileSync(out)).get('Metadata/plate_1.gcode')?.(2 ** 20).includes('CHANGE_LAYER'), true)
  writeFileSync(join(stand, 'finished.3mf'), finishedPlate(400))
  await t.rejects(sliceFiles(api as never, screen, [cube], { printer: 'p1s', profile: 'My PLA' }), /must not be printed: .*400 °C/)
  await t.rejects(sliceFiles(api as never, screen, [cube], { printer: 'mini', profile: 'My PLA' }), /does not suit this printer: its bed/)
  await t.rejects(sliceFiles(api as never, screen, [cube], { printer: 'p1s', profile: 'My PLA', engine: 'prusa-slicer' }), /PrusaSlicer cannot slice with 'My PLA'/)
  await t.rejects(sliceFiles(api as never, screen, [cube], { printer: 'p1s' }), /no slicer for the built-in profiles/)

  const post = (body: object) => http('POST', '/api/slicing/profiles', body as never)
  t.match(await post({ name: 'b', files: [bundleOf(all).toString('base64')] }), { status: 200, body: { kind: 'presets', material: 'PLA' } }, 'as the page sends it')
  t.match(await post({ files: all.map(one => JSON.stringify(one)) }), { status: 200, body: { name: 'My walls, My PLA' } })
  t.match(await post({ name: 'c', files: [MINE.machine].map(one => JSON.stringify(one)) }), { status: 400, body: { reason: /builds on 'Maker P1S 0\.4 nozzle', which was not given/ } })
  t.match(await post({ name: 'd' }), { status: 400, body: { reason: /either text or files/ } })
  t.match(await post({ name: 'e', files: Array.from({ length: 5 }, () => 'UEsD') }), { status: 400, body: { reason: /at most 4 bundles/ } })
  t.match((await http('GET', '/api/slicing/profiles', { printer: 'p1s' })).body,
    { slicers: [{ name: 'prusa-slicer', place: null }, { name: 'orca-slicer', version: '2.3.1' }, { name: 'bambu-studio', place: null }] })
})
