import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { browse, noBrowser } from '../charts/chromium.js'

t.test('the page to explore the interface has nothing to complain of', { skip: noBrowser }, async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/api/docs`)
  await page.locator('.opblock-tag').first().click()
  await page.locator('.opblock-summary').first().click()
  await page.waitForSelector('.opblock-body')
  t.equal(await page.getByRole('link', { name: '← prnd' }).getAttribute('href'), '../../')

  await page.goto(`http://127.0.0.1:${kernel.apiPort}/explorer`)
  const inside = page.frameLocator('iframe')
  await inside.locator('.opblock-tag').first().waitFor()
  t.equal(await inside.locator('.home').count(), 0, 'the rail leads back')
  t.equal(await page.locator('.side [aria-current=page]').textContent(), 'API')
  await page.emulateMedia({ colorScheme: 'dark' })
  await inside.locator('html.dark-mode').waitFor({ state: 'attached' })
  t.same(pageErrors, [])
})
