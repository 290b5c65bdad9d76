import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'
import { CLIENT, startProvider } from './openid.js'

t.test('in a browser: from the login page to the provider, and back to the page that was wanted', { skip: noBrowser }, async t => {
  const { issuer } = await startProvider(t, { u1: { preferred_username: 'anna', groups: ['prnd-admins'] } })
  const dataDir = testFolder(t)
  await writeFile(join(dataDir, 'secret'), CLIENT.secret)
  const openid = {
    issuer,
    clientId: CLIENT.id,
    clientSecret: { file: join(dataDir, 'secret') },
    roleClaim: 'groups',
    roles: { 'prnd-admins': 'administrate' }
  }
  const { kernel } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }],
    listen: true,
    config: { dataDir, api: { host: '127.0.0.1' }, plugins: { people: { openid } } }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  await page.goto(`${base}/people`)
  t.match(page.url(), /\/login\?/, 'nobody comes in before the first login')
  const button = page.getByRole('link', { name: /OpenID|Log in/ })
  await button.waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    t.same(await barriers(page), [], colorScheme)
  }
  await button.click()
  await page.locator('input[name=login]').fill('u1')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click() // what the service may know

  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  t.equal(new URL(page.url()).href, `${base}/people`, 'its cookie is strict, and comes along all the same')
  const row = page.getByRole('listitem').filter({ hasText: 'logs in at the provider' })
  await row.getByText('anna').waitFor()
  t.equal(await row.getByRole('button', { name: /password/i }).count(), 0, 'there is no password to set')
  t.same(await barriers(page), [], 'people')
  await page.goto(`${base}/settings`)
  await page.getByText('Logged in as anna').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await button.waitFor()
  t.same(pageErrors.filter(error => !error.startsWith('Failed to load resource')), [])
})
