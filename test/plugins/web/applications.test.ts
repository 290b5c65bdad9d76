import t, { type Test } from 'tap'
import type { ModelName } from '../../../plugins/emulator/index.js'
import daemon from '../../../presets/daemon/index.js'
import standalone from '../../../presets/standalone/index.js'
import { eventually } from '../../helpers/eventually.js'
import { noVideo } from '../camera/helpers/rtsps-peer.js'
import { noBrowser } from '../charts/chromium.js'
import { bootWeb } from './boot.js'
import { asksFirst, barriers, card, choose, deskIn, jobIs, press, read, received, receives } from './desk.js'

const open = deskIn(t)
const SPEED = 8

interface Case { readonly nozzle: string, readonly camera: boolean, readonly light: string }
const CASES: Readonly<Partial<Record<ModelName, Case>>> = {
  P1S: { nozzle: 'Nozzle, target', camera: true, light: 'chamber_light' },
  H2D: { nozzle: 'Nozzle right, target', camera: noVideo === false, light: 'chamber_light' }
}

async function set (page: Parameters<typeof card>[0], field: string, value: number) {
  await page.getByRole('button', { name: new RegExp(`^${field}: `) }).click()
  const box = page.getByRole('spinbutton', { name: field, exact: true })
  await box.fill(String(value))
  await box.press('Enter')
}

/** Everything that people do most, on one application and one model. */
async function day (t: Test, preset: typeof daemon, model: ModelName, { nozzle, camera, light }: Case) {
  const booted = await bootWeb(t, { preset, models: [{ model, name: 'one', reportEveryMs: 400, speed: SPEED, sdCard: { samples: true } }] })
  const { printer } = booted
  const count = (command: string) => received(printer, command).length
  const state = () => booted.kernel.printers.get('one')?.state
  const { page, pageErrors } = await open(t, booted)

  if (camera) {
    const picture = page.locator('.view img, .view video')
    await picture.waitFor({ timeout: 20_000 })
    await eventually(() => picture.evaluate((shown: { naturalWidth?: number, videoWidth?: number }) =>
      (shown.naturalWidth ?? shown.videoWidth ?? 0) > 200), 20_000)
  }

  await set(page, 'Bed, target', 55)
  await eventually(() => state()?.heat.bed.target === 55)
  await set(page, nozzle, 70)
  await eventually(() => state()?.heat.nozzle.target === 70)
  await set(page, 'Part fan, target', 40)
  await page.getByRole('group', { name: 'Part fan' }).getByText('40 %', { exact: true }).waitFor()
  const lit = await page.getByRole('switch', { name: 'Light' }).isChecked()
  await page.getByRole('switch', { name: 'Light' }).click()
  await page.getByRole('switch', { name: 'Light', checked: !lit }).waitFor()
  t.match(received(printer, 'ledctrl'), [{ led_node: light, led_mode: lit ? 'off' : 'on' }])

  await press(page, 'desk-organiser.gcode.3mf')
  await page.getByRole('dialog').getByRole('radio', { name: 'Plate 2' }).check()
  await page.getByRole('checkbox', { name: 'Calibrate the flow first' }).check()
  await page.getByRole('checkbox', { name: 'Print anyway' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Start print' }).click()
  t.match(await receives(printer, 'project_file'),
    { use_ams: true, bed_leveling: true, flow_cali: true, timelapse: false, url: /desk-organiser/, param: 'Metadata/plate_2.gcode' })
  await jobIs(page, 'Printing')

  await press(page, 'Pause')
  await jobIs(page, 'Paused')
  await press(page, 'Skip objects …')
  await page.getByRole('checkbox', { name: /label/ }).check()
  await asksFirst(t, page, () => press(page, 'Skip one object'), 'Skip', () => count('skip_objects'))
  await press(page, 'Resume')
  await jobIs(page, 'Printing')
  await asksFirst(t, page, () => press(page, 'Stop'), 'Stop print', () => count('stop'))
  await jobIs(page, 'Cancelled')

  await asksFirst(t, page, () => choose(page, /Actions for AMS A · slot 2/, 'Load'), 'Load', () => count('ams_change_filament'))
  t.match(await receives(printer, 'ams_change_filament'), { target: 1, slot_id: 1, ams_id: 0 })

  printer.patch({ print_error: 0x03008004, hms: [{ attr: 0x03000100, code: 0x00010008 }] })
  await card(page, 'Alerts').getByText('HMS_0300-0100-0001-0008').waitFor()
  if (preset === standalone) t.same(await barriers(page), [])
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off')
  t.same(pageErrors, [])
}

/** The applications show the same page, so each is tested with one model: one nozzle there, two here. */
const casesOf = (preset: typeof daemon | typeof standalone) =>
  Object.entries(CASES).filter(([model]) => model === (preset === daemon ? 'H2D' : 'P1S'))

for (const preset of [standalone, daemon]) {
  for (const [model, facts] of casesOf(preset)) {
    t.test(`${preset.name}, ${model}`, { skip: noBrowser }, t => day(t, preset, model as ModelName, facts))
  }
}
