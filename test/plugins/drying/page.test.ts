import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

t.test('a plan is written, read, accepted and removed on the page, and heats nothing before', { skip: noBrowser }, async t => {
  const { kernel, http, printer } = await boot(t, {
    models: ['H2D'], listen: true, config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  const dialog = page.getByRole('dialog')
  const plans = async (): Promise<any> => (await http('GET', '/api/drying_plans')).body
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/spools/drying`)
  await page.getByText('No drying plan yet').waitFor()
  const chip = await page.locator('.side a[aria-current=page]').boundingBox()
  t.ok(chip !== null && chip.x >= 0 && chip.x + chip.width <= 390, 'the chip of this page is in sight')

  await page.getByRole('button', { name: 'Add a plan' }).click()
  await dialog.getByLabel('Name').fill('<b>Nylon</b>')
  await dialog.getByLabel('From humidity').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Say when it is due: from which humidity, or after how many days.').waitFor()
  await dialog.getByLabel('From humidity').fill('99')
  await dialog.getByLabel('Begins from').fill('22:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Give both hours, from and until, or neither.').waitFor()
  t.same(await barriers(page), [], 'the dialogue')
  await dialog.getByLabel('Begins before').fill('06:00')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Not accepted').waitFor()
  await page.getByText('from 99 % humidity').waitFor()
  await page.getByRole('button', { name: 'Read and accept' }).click()
  await dialog.getByText('It begins at 99 % humidity in the unit.').waitFor()
  await dialog.getByText('Units heat for hours although nobody watches.').waitFor()
  t.match((await plans()).plans, [{ name: '<b>Nylon</b>', accepted_by: '', from: '22:00', until: '06:00' }], 'reading accepts nothing')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Accepted by somebody on the service’s machine').waitFor()
  t.same(await barriers(page), [], 'the page')
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))

  await page.getByRole('button', { name: 'Remove <b>Nylon</b>' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await plans()).plans.length, 1)
  await page.getByRole('button', { name: 'Remove <b>Nylon</b>' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No drying plan yet').waitFor()
  t.same((await plans()).plans, [])
  t.notOk(printer.requests.some(({ body }: any) => body.command === 'ams_filament_drying'), 'nothing was heated')
  t.same(pageErrors, [])
})
