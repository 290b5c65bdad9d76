import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { checkBackup } from '../../../plugins/backup/index.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

const SECRET = 'planted-broker-word'

t.test('a backup is made and downloaded in the browser, without secrets', { skip: noBrowser }, async t => {
  const dataDir = testFolder(t)
  const configFile = join(dataDir, 'config.json')
  await writeFile(configFile, JSON.stringify({ plugins: { homeassistant: { broker: `mqtt://me:${SECRET}@127.0.0.1:1` } } }))
  const { kernel, http } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' }, dataDir } })
  t.match(await http('GET', '/api/backup'), { status: 200, body: { backup: null, config_file: configFile } })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/backup`)
  await page.getByRole('button', { name: 'Make a backup' }).click()
  const link = page.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  t.match(download.suggestedFilename(), /^prnd-\d{4}-\d\d-\d\d\.backup$/)
  const saved = join(testFolder(t), 'saved.backup')
  await download.saveAs(saved)
  t.match(await checkBackup(saved), { prn: 'backup', versions: { history: Number } }, 'complete')
  const text = gunzipSync(await readFile(saved)).toString()
  t.match(text, /127\.0\.0\.1:1/)
  t.notMatch(text, SECRET)
  t.same(await barriers(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))

  await page.getByLabel('Make a backup every night').check()
  await page.getByLabel('From').selectOption('00:00')
  await page.getByText(/could be restored: prnd-\d{4}-\d\d-\d\d\.backup/).waitFor()
  t.same(await barriers(page), [])

  const { body: { backup: { id } } } = await http('GET', '/api/backup')
  await http('POST', '/api/backup')
  t.match(await http('GET', `/api/backup/${id}`), { status: 404, body: { reason: /make a new one/ } }, 'only the newest')
  t.equal((await readdir(join(dataDir, 'plugins/backup'))).filter(name => name.endsWith('.backup')).length, 1)
  t.same(pageErrors, [])
  await kernel.close()
  t.same(await readdir(join(dataDir, 'plugins/backup')), ['settings.json'], 'no backup stays behind')
})
