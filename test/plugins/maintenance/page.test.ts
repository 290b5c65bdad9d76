import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

/** A printer that connects late is looked at a minute later. */
const LOOKED_AT_MS = 90_000

t.test('what is due is done in two touches, with a photo, and taken back', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 300 }],
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  await eventually(() => kernel.services.maintenance.statuses.length === 1, LOOKED_AT_MS)
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/maintenance`)
  await page.getByText('Nothing is due. Well looked after.').waitFor()
  t.same(await barriers(page), [], 'nothing due')

  await page.getByRole('button', { name: 'Used before?' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton', { name: 'Time it has printed, hours' }).fill('310')
  t.same(await barriers(page), [], 'earlier use')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('x1c · 310 of 300 h · never recorded as done').first().waitFor()
  t.same(await barriers(page), [], 'two tasks due')

  await page.getByRole('listitem').filter({ hasText: 'Wipe the carbon rods' }).getByRole('button', { name: 'Done' }).click()
  const picture = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#00ff00' } }).png().toBuffer()
  await dialog.getByLabel(/^Photo/).setInputFiles({ name: 'rods.png', mimeType: 'image/png', buffer: picture })
  await dialog.getByRole('textbox', { name: /^Note/ }).fill('<b>black</b> dust')
  t.same(await barriers(page), [], 'the form')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Wipe the carbon rods on x1c is recorded.').waitFor()
  const done = async () => (await http('GET', '/api/maintenance/history')).body.done
  await eventually(async () => (await done())[0]?.photo === true)
  t.match(await done(), [{ task: 'rods', note: '<b>black</b> dust', undone: false }])

  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('<b>black</b> dust').waitFor()
  await page.getByRole('button', { name: 'Photo of Wipe the carbon rods' }).click()
  await dialog.getByRole('img', { name: 'Photo' }).waitFor()
  t.same(await barriers(page), [], 'the photo')
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back').waitFor()
  t.match(await done(), [{ undone: true }])

  await page.getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('button', { name: 'Add a task' }).click()
  await dialog.getByRole('textbox', { name: 'What is to do' }).fill('Empty the bin')
  await dialog.getByRole('spinbutton', { name: 'Days' }).fill('7')
  await dialog.getByRole('checkbox', { name: /queue starts nothing/ }).check()
  t.same(await barriers(page), [], 'a task')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Empty the bin').first().waitFor()
  t.match((await http('GET', '/api/maintenance')).body.tasks.at(-1), { name: 'Empty the bin', every: { days: 7 }, blocks: true, own: true })
  t.same(pageErrors, [])
})
