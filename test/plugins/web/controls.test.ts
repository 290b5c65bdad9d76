import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import daemon from '../../../presets/daemon/index.js'
import standalone from '../../../presets/standalone/index.js'
import { eventually } from '../../helpers/eventually.js'
import { noBrowser } from '../charts/chromium.js'
import { bootWeb } from './boot.js'
import { answer, asksFirst, barriers, card, choose, deskIn, openTab, press, read, received, receives, said } from './desk.js'
import { testFolder } from '../../helpers/folder.js'

const open = deskIn(t)
const options = { skip: noBrowser }
const h2d = { model: 'H2D', name: 'h2d', reportEveryMs: 300, speed: 60 } as const

t.test('spools: the dryer, and the holder outside', options, async t => {
  const booted = await bootWeb(t, { models: [h2d], camera: false })
  const { printer } = booted
  const { page, pageErrors } = await open(t, booted)
  const dries = () => received(printer, 'ams_filament_drying').length
  const unit = page.getByRole('region', { name: 'AMS HT A' })

  await press(page, 'Dry in AMS HT A …')
  await page.getByRole('spinbutton', { name: 'Temperature, °C' }).fill('70')
  await page.getByRole('spinbutton', { name: 'Hours' }).fill('6')
  t.same(await barriers(page), [])
  await press(page, 'Start drying')
  t.match(await receives(printer, 'ams_filament_drying'), { ams_id: 128, mode: 1, temp: 70, duration: 6 })
  await unit.getByText(/at 70 °C/).waitFor()
  await asksFirst(t, page, () => press(page, 'Stop drying in AMS HT A'), 'Stop drying', dries)
  t.match(received(printer, 'ams_filament_drying').at(-1), { ams_id: 128, mode: 0 })
  await unit.getByText('Dryer off').waitFor()

  const loads = () => received(printer, 'ams_change_filament').length
  await asksFirst(t, page, () => choose(page, /Actions for Left external spool/, 'Load'), 'Load', loads)
  t.match(received(printer, 'ams_change_filament'), [{ target: 254 }])
  await said(page, 'Loading filament')
  t.same(pageErrors, [])
})

t.test('detectors, options and nozzles', options, async t => {
  const booted = await bootWeb(t, { models: [h2d], camera: false })
  const { printer } = booted
  const { page, pageErrors } = await open(t, booted)
  await openTab(page, 'Settings')
  const flip = async (label: string) => {
    const box = page.getByRole('switch', { name: label, exact: true })
    const was = await box.isChecked()
    await box.click()
    await page.getByRole('switch', { name: label, exact: true, checked: !was }).waitFor()
    return !was
  }

  for (const [label, module] of [['Spaghetti', 'spaghetti_detector'], ['Purge chute pile-up', 'pileup_detector'],
    ['Nozzle clumping', 'clump_detector'], ['Air printing', 'airprint_detector']] as const) {
    t.match(await flip(label).then(on => [on, received(printer, 'xcam_control_set').at(-1)]),
      [Boolean, { module_name: module }], label)
  }
  if (!await page.getByRole('switch', { name: 'Spaghetti' }).isChecked()) await flip('Spaghetti')
  await page.getByRole('combobox', { name: 'Spaghetti, sensitivity' }).selectOption('high')
  await eventually(() => booted.kernel.printers.get('h2d')?.state?.detectors !== undefined &&
    JSON.stringify(received(printer, 'xcam_control_set').at(-1)).includes('high'))
  await eventually(async () => await page.inputValue('[aria-label="Spaghetti, sensitivity"]') === 'high')

  const sounds = await flip('Sounds')
  t.match(received(printer, 'print_option').at(-1), { sound_enable: sounds })
  const recovers = await flip('Resume after power loss')
  t.match(received(printer, 'print_option').at(-1), { auto_recovery: recovers })
  const reads = await flip('Read tags when inserted')
  t.match(received(printer, 'ams_user_setting').at(-1), { tray_read_option: reads })

  const changes = () => received(printer, 'select_extruder').length
  await asksFirst(t, page, () => press(page, 'Change nozzle'), 'Change', changes)
  await card(page, 'Settings').getByRole('listitem').filter({ hasText: 'Left' }).getByText(/active/).waitFor({ timeout: 15_000 })
  await page.getByText('I changed the nozzle').click()
  await page.getByRole('combobox', { name: 'Diameter' }).selectOption('0.6')
  await page.getByRole('combobox', { name: 'Material' }).selectOption('tungsten_carbide')
  const told = () => printer.requests.filter(({ command }) => /nozzle/.test(command)).length
  await asksFirst(t, page, () => press(page, 'Save …'), 'Save', told)
  await card(page, 'Settings').getByRole('listitem').filter({ hasText: 'Left' }).getByText(/0\.6 mm tungsten carbide/).waitFor()
  t.same(pageErrors, [])
})

t.test('G-code, the log, errors and the session', options, async t => {
  const booted = await bootWeb(t, { camera: false })
  const { printer } = booted
  const { page, pageErrors } = await open(t, booted, { width: 390, height: 844, scheme: 'light' })

  await openTab(page, 'Advanced')
  await card(page, 'Advanced').getByText('G-code', { exact: true }).click()
  await page.getByRole('textbox', { name: /Commands/ }).fill('M106 P1 S120\n\n  M104 S60 ')
  const lines = () => received(printer, 'gcode_line').length
  await asksFirst(t, page, () => press(page, 'Send …'), 'Send', lines)
  t.match(received(printer, 'gcode_line').at(-1), { param: /^M106 P1 S120\nM104 S60\n?$/ })
  await eventually(() => booted.kernel.printers.get('p1s')?.state?.heat.nozzle.target === 60)

  await card(page, 'Advanced').getByText('Service log', { exact: true }).click()
  const log = page.getByLabel('Log', { exact: true })
  await eventually(async () => (await log.textContent() ?? '') !== '')
  t.same(await barriers(page), [])
  await press(page, 'Clear …')
  await answer(page, 'Cancel')

  printer.patch({ print_error: 0x05008060 })
  await press(page, 'Clear error')
  t.match(await receives(printer, 'clean_print_error'), { print_error: 0x05008060 })
  await page.getByRole('button', { name: 'Clear error' }).waitFor({ state: 'detached' })

  const session = () => booted.kernel.printers.get('p1s')?.service
  await asksFirst(t, page, () => choose(page, /^More$/, 'Pause session'), 'Pause session', () => session() === 'PAUSED' ? 1 : 0)
  await page.getByText('Session paused', { exact: true }).waitFor()
  await choose(page, /^More$/, 'Resume session')
  await page.getByText('Live', { exact: true }).waitFor()
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off on a phone')
  t.same(pageErrors, [])
})

for (const preset of [daemon, standalone]) {
  t.test(`${preset.name}: the log is read and emptied`, options, async t => {
    const file = join(testFolder(t), 'service.log')
    const booted = await bootWeb(t, { preset, camera: false, log: { file } })
    const { page, pageErrors } = await open(t, booted)
    const line = (text: string) => booted.kernel.logs.root.error(text)
    const shows = (text: string | RegExp) => page.getByLabel('Log', { exact: true }).filter({ hasText: text }).waitFor()
    line('what happened before')
    await eventually(() => readFileSync(file, 'utf8').includes('before'))

    await openTab(page, 'Advanced')
    await card(page, 'Advanced').getByText('Service log', { exact: true }).click()
    await shows('what happened before')
    const emptyings = () => readFileSync(file, 'utf8').includes('before') ? 0 : 1
    await asksFirst(t, page, () => press(page, 'Clear …'), 'Clear', emptyings)
    await said(page, 'Log cleared')
    await shows(/^The log is empty\.$/)
    line('what happened after')
    await eventually(() => readFileSync(file, 'utf8').includes('after'))
    await card(page, 'Advanced').getByRole('button', { name: 'Refresh' }).click()
    await shows(/^(?!.*before).*what happened after/s)
    t.same(pageErrors, [])
  })
}

t.test('a plate is printed only once it is shown', options, async t => {
  const booted = await bootWeb(t, { camera: false })
  const { page, pageErrors } = await open(t, booted)
  let show = () => {}
  const held = new Promise<void>(resolve => { show = resolve })
  await page.route(/get_3mf_props_for_file.*plate=2/, async route => {
    await held
    await route.continue()
  })
  await press(page, 'desk-organiser.gcode.3mf')
  const start = page.getByRole('button', { name: 'Start print' })
  const accept = page.getByRole('checkbox', { name: 'Print anyway' })
  await eventually(() => start.isEnabled())
  await page.getByRole('radio', { name: 'Plate 2' }).check()
  t.notOk(await start.isEnabled(), 'what is shown is still the first plate')
  show()
  await page.getByLabel(/Spool for filament 2/).waitFor()
  t.notOk(await start.isEnabled(), 'its colours are not those in the AMS')
  await accept.check()
  await start.click()
  t.match(await receives(booted.printer, 'project_file'), { param: 'Metadata/plate_2.gcode' })
  t.same(pageErrors, [])
})

t.test('the card: a folder is made, a file fetched, a folder deleted with all in it', options, async t => {
  const booted = await bootWeb(t, { camera: false })
  const { card: content } = booted.printer
  await content.put('/jottings/größe 100%.txt', 'what was on the card')
  const { page, pageErrors } = await open(t, booted)
  const files = card(page, 'Files')

  await files.getByRole('button', { name: 'New folder …' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('a/b')
  await press(page, 'Create')
  t.ok(await page.getByRole('dialog').isVisible(), 'a name with a slash is not taken')
  await page.getByRole('textbox', { name: 'Name' }).fill('Grüße & more')
  await press(page, 'Create')
  await files.getByText('Grüße & more').waitFor()
  await choose(page, /Actions for Grüße & more/, 'New folder inside …')
  await page.getByRole('textbox', { name: 'Name' }).fill('inner')
  await press(page, 'Create')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const search = files.getByRole('searchbox')
  await search.fill('größe JOTT')
  await files.getByText('Found: 1', { exact: true }).waitFor()
  await files.getByText('größe 100%.txt').waitFor()
  t.equal(await files.getByText('Grüße & more').count(), 0, 'only what matches is listed')
  await search.fill('nowhere')
  await files.getByText('Nothing on the card matches “nowhere”').waitFor()
  await search.fill('')

  await files.getByText('jottings', { exact: false }).first().click()
  const coming = page.waitForEvent('download')
  await choose(page, /Actions for größe 100%\.txt/, 'Download')
  const download = await coming
  t.equal(download.suggestedFilename(), 'größe 100%.txt')
  t.equal(await readFile(await download.path(), 'utf8'), 'what was on the card')

  const gone = () => files.getByText('jottings', { exact: false }).count()
  await choose(page, /Actions for jottings/, 'Delete …')
  await answer(page, 'Cancel')
  t.ok(await content.get('/jottings/größe 100%.txt'), 'nothing is deleted before it is confirmed')
  await choose(page, /Actions for jottings/, 'Delete …')
  await answer(page, 'Delete')
  await eventually(async () => await gone() === 0)
  t.notOk((await content.files()).some(path => path.startsWith('/jottings/')))
  t.same(pageErrors, [])
})
