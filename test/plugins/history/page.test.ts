import t from 'tap'
import { DAY_MS } from '../../../plugins/history/sums.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { madeUp } from './rows.js'

const PRINTS = 120
const NOW = Date.UTC(2026, 10, 20, 7)
const LAST = `print-${PRINTS - 1}`
const SECONDS = Array.from({ length: 200 }, (_, at) => at * 30)

t.test('prints are found, read, corrected and counted', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { database } = kernel.services
  for (let number = 0; number < PRINTS; number++) {
    for (const row of madeUp(number, NOW - PRINTS * DAY_MS / 2, DAY_MS / 2, 3)) database.put(row)
  }
  database.put({ table: 'history_prints', values: { ...madeUp(PRINTS - 1, NOW - PRINTS * DAY_MS / 2, DAY_MS / 2, 3)[0]?.values, id: LAST, name: '<b>Vase</b>' } })
  database.put({
    table: 'history_events',
    values: { id: 'one', print: LAST, at: NOW, kind: 'alert', name: 'job_failed', severity: 'high', text: '<i>broken</i>' }
  })
  const { writeTelemetry } = await import('../../../plugins/history/details/queries.js')
  await database.query<any, void>(db => writeTelemetry(db, LAST, NOW, {
    tool: SECONDS.map(at => [at, 215 + at % 7]),
    tool_target: SECONDS.map(at => [at, 220]),
    bed: SECONDS.map(at => [at, 60]),
    part_fan: SECONDS.map(at => [at, at % 100]),
    speed: SECONDS.map(at => [at, 100])
  }))

  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  const shots = process.env.PRN_SHOTS
  const shoot = async (name: string) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: false }) }
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/history`)
  const rows = page.locator('[data-print]')
  const names = () => page.locator('.print h2').allTextContents()
  await eventually(async () => await rows.count() === 50)
  t.equal((await names())[0], '<b>Vase</b>', 'names are text')
  await shoot('list-1440')

  await page.getByRole('button', { name: 'More' }).scrollIntoViewIfNeeded()
  await eventually(async () => await rows.count() >= 100)
  await eventually(async () => {
    if (await rows.count() < PRINTS) await page.getByRole('button', { name: 'More' }).scrollIntoViewIfNeeded().catch(() => {})
    return await rows.count() === PRINTS
  })
  t.equal(new Set(await names()).size, PRINTS, 'each once')

  await page.getByRole('searchbox').fill('bracket 118')
  await eventually(async () => (await names()).join() === 'Bracket 118 for shelf 118')
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Result').selectOption('failed')
  await eventually(async () => await rows.count() > 0 && (await page.locator('.print .badge').allTextContents())
    .every(text => text === 'Failed'))
  t.match(await page.getByRole('link', { name: 'CSV' }).getAttribute('href'), /format=csv&result=failed/)
  await page.getByLabel('Material').selectOption('PETG')
  await eventually(async () => /^PETG [a-z]+$/m.test((await page.locator('.print .spool').allTextContents()).join('\n')))
  await page.getByLabel('Result').selectOption('')
  await page.getByLabel('Material').selectOption('')

  await page.getByRole('link', { name: '<b>Vase</b>' }).click()
  await page.getByText('<i>broken</i>').waitFor()
  await page.locator('[data-chart=temperatures]').waitFor()
  t.match(await page.locator('[data-chart=temperatures] .legend').textContent(), /Nozzle.*215 to 221 °C/)
  t.equal(await page.locator('[data-chart=health]').count(), 0, 'no chart without values')
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await barriers(page), [], `a print, ${width} px, ${colorScheme}`)
      await shoot(`print-${width}-${colorScheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }

  await page.getByRole('textbox', { name: 'Note' }).fill('Warped <b>')
  await page.getByLabel('Rating').selectOption('2')
  await page.getByLabel('Tags, separated by commas').fill('gift, toy')
  await page.getByLabel('Correct the result').selectOption('cancelled')
  t.match((await http('GET', `/api/history/${LAST}`)).body, { note: null }, 'nothing is sent before it is saved')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  t.match((await http('GET', `/api/history/${LAST}`)).body,
    { note: 'Warped <b>', rating: 2, tags: ['gift', 'toy'], result: 'cancelled' })

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await http('GET', `/api/history/${LAST}`)).status, 200)
  await page.getByRole('button', { name: 'Delete' }).click()
  t.same(await barriers(page), [], 'the dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await eventually(async () => (await names())[0] === 'Bracket 118 for shelf 118')
  t.equal((await http('GET', `/api/history/${LAST}`)).status, 404)

  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByText('Filament ran out').waitFor()
  t.match(await page.locator('.figure').first().textContent(), /119/)
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.same(await barriers(page), [], `statistics, ${width} px`)
    await shoot(`statistics-${width}`)
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }
  await page.getByRole('link', { name: 'Prints', exact: true }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually(async () => await rows.count() === 50)
  t.same(await barriers(page), [], 'the list on a phone')
  await shoot('list-390')
  t.same(pageErrors.filter(error => !/thumbnail|picture|404/.test(error)), [], 'but for pictures that are not there')
})
