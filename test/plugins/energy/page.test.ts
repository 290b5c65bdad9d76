import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { shelly2 } from './plugs.js'

t.test('a plug is added, tested and switched on the page, and prices are set', { skip: noBrowser }, async t => {
  const plug = await shelly2(t)
  Object.assign(plug, { watts: 42, wh: 5_000 })
  const { kernel, http } = await boot(t, {
    models: [], listen: true, config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const { page, pageErrors } = await browse(t)
  const dialog = page.getByRole('dialog')
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/energy`)
  await page.getByText('No plugs yet').waitFor()
  await page.getByRole('button', { name: 'Add a plug' }).click()
  await dialog.getByLabel('Name').fill('Lamp')
  await dialog.getByLabel('Address').fill(plug.host)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await dialog.getByText('It answers: On, 42 W, counter 5 kWh.').waitFor()
  t.same(await barriers(page), [], 'the dialogue')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Standing alone').waitFor()
  plug.watts = 0
  await page.getByRole('button', { name: 'Switch off Lamp' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('It is off.').waitFor()
  t.equal(plug.isOn, false)
  await page.getByRole('button', { name: 'Edit prices' }).click()
  await dialog.getByLabel('Price of a kWh').first().fill('0.4')
  await dialog.getByLabel('Currency').fill('EUR')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('€0.40').first().waitFor()
  t.match((await http('GET', '/api/energy')).body, { price_now: 0.4, plugs: [{ name: 'Lamp', is_on: false }] })
  await page.setViewportSize({ width: 390, height: 844 })
  t.same(await barriers(page), [], 'on a phone')
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))
  t.same(pageErrors, [])
})
