import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { addressOf, bootWeb } from './boot.js'
import { answer, barriers, card, jobIs, read } from './desk.js'

const options = { skip: noBrowser }
const PROJECT = '/desk-organiser.gcode.3mf'

t.test('a day at a printer: heat, print, skip, stop', options, async t => {
  const models = [{ model: 'P1S', name: 'p1s', reportEveryMs: 1_000, speed: 8, sdCard: { samples: true } }] as const
  const booted = await bootWeb(t, { models })
  const { printer } = booted
  const asked = (wanted: string) => printer.requests.filter(({ command }) => command === wanted).length
  const { page, complaints } = await browse(t, { width: 1440, height: 900 })
  await page.goto(addressOf(booted))
  await card(page, 'Job').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  t.match(await page.title(), 'p1s')
  await page.getByAltText("What the printer's camera sees").waitFor()

  const bed = page.getByRole('spinbutton', { name: 'Bed, target' })
  await bed.fill('60')
  await bed.press('Enter')
  await eventually(() => booted.kernel.printers.get('p1s')?.state?.heat.bed.target === 60)

  await page.getByRole('button', { name: 'desk-organiser.gcode.3mf', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Plate 5' }).waitFor()
  t.match(await dialog.getByRole('combobox', { name: /Spool for filament 1/ }).inputValue(), /^\d+$/, 'a spool is proposed')
  t.same(await barriers(page), [], 'the print dialogue')
  await dialog.getByRole('button', { name: 'Start print' }).click()
  await eventually(() => asked('project_file') === 1)
  await jobIs(page, 'Printing')
  await page.getByText('Sport', { exact: true }).click()
  await page.getByRole('radio', { name: 'Sport', checked: true }).waitFor()
  t.equal(asked('print_speed'), 1)

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await jobIs(page, 'Paused')
  await page.getByRole('button', { name: 'Skip objects …' }).click()
  const boxes = page.locator('svg.plate g')
  await boxes.first().waitFor()
  t.equal(await boxes.count(), 3)
  await boxes.last().click({ force: true })
  t.equal(await page.getByRole('checkbox', { checked: true, name: 'divider' }).count(), 1, 'the picture ticks the list')
  await page.getByRole('button', { name: 'Skip 1' }).click()
  t.equal(asked('skip_objects'), 0, 'nothing is sent before the question is answered')
  await answer(page, 'Skip')
  await eventually(() => asked('skip_objects') === 1)

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await answer(page, 'Cancel')
  t.equal(asked('stop'), 0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await answer(page, 'Stop print')
  await jobIs(page, 'Failed')
  t.same(complaints, [])
})

t.test('spools and files', options, async t => {
  const booted = await bootWeb(t)
  const { printer } = booted
  await printer.card.put('/<img src=x>.txt', 'a name is text')
  const { page, complaints } = await browse(t, { width: 390, height: 844, scheme: 'light' })
  await page.goto(addressOf(booted))
  await card(page, 'Filament').waitFor()

  await page.getByLabel(/Actions for Slot 1/).click()
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await answer(page, 'Load')
  await eventually(() => printer.requests.some(({ command }) => command === 'ams_change_filament'))
  await page.getByLabel(/Actions for Slot 4/).click()
  await page.getByRole('button', { name: 'Edit details …' }).click()
  await page.getByRole('combobox', { name: 'Filament' }).selectOption({ label: 'Bambu PLA Basic' })
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(() => printer.requests.some(({ command }) => command === 'ams_filament_setting'))

  await page.getByText('<img src=x>.txt', { exact: true }).waitFor()
  const bytes = await printer.card.get(PROJECT)
  if (bytes === undefined) throw new Error('the sample is not on the card')
  const file = { name: 'Vase grün & rot.3mf', mimeType: 'application/octet-stream', buffer: bytes }
  await page.getByLabel('Files to upload').setInputFiles(file)
  const row = page.getByRole('listitem').filter({ hasText: file.name })
  await row.waitFor()
  t.same(await printer.card.get(`/${file.name}`), bytes)
  await row.getByLabel(/Actions for/).click()
  await row.getByRole('button', { name: 'Rename …' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('part.3mf')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  const renamed = page.getByRole('listitem').filter({ hasText: /^part\.3mf/ })
  await renamed.getByLabel(/Actions for/).click()
  await renamed.getByRole('button', { name: 'Delete …' }).click()
  await answer(page, 'Delete')
  await renamed.waitFor({ state: 'detached' })
  t.equal(await printer.card.get('/part.3mf'), undefined)
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off on a phone')
  t.same(complaints, [])
})

t.test('two nozzles, alerts, and everyone can use it', options, async t => {
  const booted = await bootWeb(t, { models: [{ model: 'P1S', name: 'p1s' }, { model: 'H2D', name: 'h2d', reportEveryMs: 200 }] })
  const [, h2d] = booted.printers
  const { page, complaints } = await browse(t, { width: 1440, height: 900 })
  await page.goto(addressOf(booted, '?printer=h2d'))
  await page.getByRole('spinbutton', { name: 'Nozzle left, target' }).waitFor()
  await page.getByRole('region', { name: 'AMS HT A' }).waitFor()
  h2d?.patch({ hms: [{ attr: 0x03000100, code: 0x00010008 }] })
  await card(page, 'Alerts').getByText('HMS_0300-0100-0001-0008').waitFor()
  t.match(await card(page, 'Alerts').getByRole('link').getAttribute('href'), /^https:/)
  t.same(await barriers(page), [], 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  t.same(await barriers(page), [], 'light')
  t.same(complaints, [])
  await page.getByRole('combobox', { name: 'Printer' }).selectOption('p1s')
  await page.getByRole('spinbutton', { name: 'Nozzle, target' }).waitFor()
  t.match(page.url(), 'printer=p1s')
  await booted.printer.stop()
  await page.getByText('Offline', { exact: true }).waitFor()
  t.equal(await page.locator('main.old').count(), 1, 'what is old looks old')
})

t.test('a lost login is asked for again in the page', options, async t => {
  const booted = await bootWeb(t, { api: { token: 'correct-horse-battery' } })
  const { page, context } = await browse(t)
  await page.goto(addressOf(booted))
  await page.getByRole('textbox').or(page.locator('input[type=password]')).first().fill('correct-horse-battery')
  await page.keyboard.press('Enter')
  await card(page, 'Job').waitFor()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('textbox', { name: 'Token' }).fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('That token was not accepted.').waitFor()
  await page.getByRole('textbox', { name: 'Token' }).fill('correct-horse-battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'calibration-cube.gcode.3mf', exact: true }).waitFor()
  t.equal(await read(page, "sessionStorage.getItem('prn-token')"), 'correct-horse-battery')
})
