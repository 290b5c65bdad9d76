import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../core/kernel/config.js'
import { openPresetFolders } from '../../../plugins/slicing/index.js'
import { trySlicers } from '../../../presets/cli/doctor/try-slicers.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { VENDOR } from '../../plugins/slicing/preset-files.js'
import { finishedPlate, standIn } from '../../plugins/slicing/stand-in.js'

const skip = process.platform === 'win32' && 'shell scripts'
const MACHINE = 'Bambu Lab P1S 0.4 nozzle'

const configOf = (slicing: object) => loadConfig({ plugins: { slicing } })

/** The presets of a vendor as OrcaSlicer stores them once a printer is chosen in it. */
function storedPresets (t: Test, machine: object = {}): ReturnType<typeof openPresetFolders> {
  const made = [
    VENDOR.machineCommon, VENDOR.processCommon, VENDOR.filamentCommon, VENDOR.template,
    {
      ...VENDOR.machine,
      name: MACHINE,
      default_print_profile: VENDOR.process.name,
      default_filament_profile: [VENDOR.filament.name],
      ...machine
    },
    { ...VENDOR.process, compatible_printers: [MACHINE] },
    { ...VENDOR.filament, compatible_printers: [MACHINE] }
  ]
  const filesOf = (kind: string) => Object.fromEntries(made.filter(({ type }) => type === kind)
    .map(preset => [`${preset.name}.json`, JSON.stringify(preset)]))
  const BBL = { machine: filesOf('machine'), process: filesOf('process'), filament: filesOf('filament') }
  return openPresetFolders([testFolder(t, { system: { BBL } })])
}

const none = openPresetFolders([])

t.test('every slicer makes a cube, and what is wrong is said in words', { skip }, async t => {
  const nothing = join(testFolder(t), 'nothing')
  const others = { prusaSlicer: nothing, bambuStudio: nothing }
  const orcaOf = async (options: Parameters<typeof standIn>[1], find: typeof none) => {
    const { program } = standIn(testFolder(t), options)
    return (await trySlicers(configOf({ ...others, orcaSlicer: program }), find))[1]
  }
  t.match(await orcaOf({}, storedPresets(t)), {
    name: 'orca-slicer', detail: /^OrcaSlicer 2\.3\.1 sliced a cube of 10 mm for the Bambu Lab P1S in \d+\.\d s: 2 layers/
  })
  t.match(await orcaOf({ archive: finishedPlate(400) }, storedPresets(t)),
    { status: 'warning', detail: /findings: .*400/ }, 'what a plate would do is read')
  const ends = "say(-51, 'Some model is outside')"
  t.match(await orcaOf({ ends }, storedPresets(t)), { status: 'failed', detail: /OrcaSlicer 2\.3\.1: / })
  t.match(await orcaOf({}, none), { status: 'warning', detail: /no presets/, fix: /Start OrcaSlicer once/ })
  t.match(await orcaOf({}, storedPresets(t, { inherits: 'never seen' })), { status: 'failed', detail: /never seen/ })
  t.match(await orcaOf({}, storedPresets(t, { default_print_profile: 'gone' })), { status: 'failed', detail: /gone/ })
  const remotes = [{ name: 'attic', url: 'http://127.0.0.1:1', slicer: 'prusa-slicer' }]
  t.match(await trySlicers(configOf({ ...others, remotes }), none), [
    { status: 'failed', detail: /PrusaSlicer is not where/ },
    { status: 'skipped', detail: /OrcaSlicer is not there/ },
    { status: 'failed' },
    { name: 'attic', status: 'failed', detail: /PrusaSlicer \(attic\)/ }
  ])
})

const noSlicer = findProgram('prusa-slicer') === undefined && 'no prusa-slicer'

t.test('PrusaSlicer makes one with the built-in profile', { skip: noSlicer }, async t => {
  const [prusa] = await trySlicers(loadConfig({ printers: [{ name: 'a', host: '127.0.0.1', serial: '00M000000000001', accessCode: '12345678' }] }), none)
  t.match(prusa, { name: 'prusa-slicer', status: 'ok', detail: /for the Bambu Lab X1 Carbon .* 50 layers, 0\.\d+ g$/ })
})
