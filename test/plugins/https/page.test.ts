import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

t.test('the root certificate is downloaded on a page that says how to trust it', { skip: noBrowser }, async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/encryption`)
  const link = page.getByRole('link', { name: 'Download the certificate' })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const saved = join(testFolder(t), 'root.crt')
  await download.saveAs(saved)
  const { fingerprint256, ca } = new X509Certificate(await readFile(saved))
  t.ok(ca)
  t.equal(await page.locator('.fingerprint').textContent(), fingerprint256)
  t.equal(await page.getByRole('link', { name: 'Open it encrypted' }).getAttribute('href'),
    `https://127.0.0.1:${kernel.apiPort}/encryption`)
  await page.getByText('iPhone and iPad').click()
  t.ok(await page.getByText('Certificate Trust Settings').isVisible())
  t.same(await barriers(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))
  t.same(pageErrors, [])
})
