import t, { type Test } from 'tap'
import type { ModelName, VirtualPrinter } from '../../../plugins/emulator/index.js'
import spools from '../../../plugins/spools/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'
import { slicer, startOf } from '../history/slicer.js'

t.setTimeout(280_000)

const WITHIN_MS = 120_000
const CUBE = '/calibration-cube.gcode.3mf'
const CUBE_G = 4.1
/** How far half a print may be off: a report of ten may be missed on a busy machine. */
const NEAR_G = 0.6
/** Of each family one; of those that report no mapping, with a start command and without. */
const MODELS: readonly ModelName[] = ['X1C', 'P1S', 'A1', 'P2S', 'A1_MINI', 'P1P', 'H2D']
/** Two slots with the same filament, so that one is the backup of the other. */
const SAME = { tray_info_idx: 'GFL99', tray_type: 'PLA', tray_color: '112233FF', nozzle_temp_min: 190, nozzle_temp_max: 240 }

type Body = any

/** Started elsewhere; in the middle of it another spool takes over. */
async function changesOver (t: Test, { http }: Booted, printer: VirtualPrinter, isMapped: boolean): Promise<void> {
  const send = await slicer(t, printer)
  for (const slot of [0, 1]) await send({ command: 'ams_filament_setting', ams_id: 0, tray_id: slot, slot_id: slot, ...SAME })
  await send({ command: 'print_option', auto_switch_filament: true })
  if (isMapped) {
    await send(startOf(CUBE, { use_ams: true, ams_mapping: [0], ams_mapping2: [{ ams_id: 0, slot_id: 0 }] }))
  } else {
    await eventually(() => /112233FF.*112233FF/.test(JSON.stringify(printer.report().ams)), WITHIN_MS)
    printer.startJob({ name: 'calibration-cube', layers: 100, minutes: 24, filament: { ams: 0, slot: 0 } })
  }
  const newest = async () => (await http('GET', '/api/history', { printer_name: printer.name })).body.prints[0] as Body
  await eventually(async () => {
    const print = await newest()
    return print !== undefined && print.project_path !== '' && print.layer >= 50
  }, WITHIN_MS)
  const { layer } = await newest()
  printer.runOut()
  await eventually(async () => (await newest()).result === 'finished', WITHIN_MS)
  const { filaments } = await newest()
  t.same(filaments.map(({ place }: Body) => place), ['ams 0 slot 0', 'ams 0 slot 1'], printer.name)
  const [first, second] = filaments.map(({ grams }: Body) => grams)
  t.ok(Math.abs(first + second - CUBE_G) < 0.02, `${first} + ${second} g`)
  t.ok(first >= CUBE_G * (layer - 1) / 100 - NEAR_G && second > 0, `${first} g in ${layer} layers`)
  // What a spool with a tag had given before is the printer's to say.
  const isBooked = async ({ place, grams }: Body) => {
    const { spools, slots } = (await http('GET', '/api/spools')).body as Body
    const slot = slots.find((slot: Body) => slot.printer === printer.name && slot.place === place)
    return spools.find(({ id }: Body) => id === slot?.spool)?.used_g >= grams
  }
  await eventually(() => isBooked(filaments[1]), WITHIN_MS)
}

t.test('every family: what each spool gave is booked to it, also when another takes over in mid-print', async t => {
  const models = MODELS.map(model => ({ model, name: model, speed: 30, reportEveryMs: 500, sdCard: { samples: true } }))
  const booted = await boot(t, { preset: recordedWith(spools), models })
  t.jobs = MODELS.length
  await Promise.all(booted.printers.map(async (printer, at) => {
    await t.test(printer.name, { buffered: true }, t => changesOver(t, booted, printer, at % 2 === 0))
  }))
})
