import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { NO_MOSQUITTO, PASSWORD, startMosquitto } from '../../helpers/mosquitto.js'

t.test('Home Assistant is set up in the browser, after a wrong password', { skip: noBrowser || NO_MOSQUITTO }, async t => {
  const { url } = await startMosquitto(t)
  const { kernel } = await boot(t, {
    models: [], listen: true, config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const { page, pageErrors } = await browse(t)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/homeassistant`)
  await page.getByLabel('Address').fill(`mqtt://127.0.0.1:${new URL(url).port}`)
  await page.getByLabel('User').fill('ha')
  await page.getByLabel('Password').fill('wrong')
  await press('Connect')
  await page.locator('.field.bad', { hasText: 'Password' }).getByText('refuses this user or password').waitFor()
  t.same(await barriers(page), [], 'a field that is wrong')
  await page.getByLabel('Password').fill(PASSWORD)
  await press('Connect')
  await page.getByText('Connected', { exact: true }).waitFor()
  t.equal(await page.getByLabel('Password').inputValue(), '', 'what is stored is not shown')
  await page.setViewportSize({ width: 390, height: 844 })
  t.same(await barriers(page), [], 'connected')
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))
  await press('Disconnect')
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
  t.same(pageErrors, [])
})
