import t from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { FAST, fastDaemon, queueOf, start } from '../queue/helpers.js'
import { barriers } from '../web/desk.js'
import { boxStl } from './models.js'
import { all, bundleOf, MINE } from './preset-files.js'

const skip = noBrowser || (findProgram('prusa-slicer') === undefined && 'no prusa-slicer')

t.test('models are dropped, seen on the bed, sliced and queued, on a phone', { skip }, async t => {
  const booted = await start(t, {
    preset: fastDaemon,
    models: [{ model: 'X1C', name: 'x1c', ...FAST }],
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/slice`)
  t.same(await barriers(page), [], 'nothing there yet')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'model/stl', buffer })
  await page.locator('input[type=file]').setInputFiles([
    file('tile.stl', boxStl([30, 30, 2])), file('<b>bar.stl', boxStl([60, 6, 3])), file('broken.stl', Buffer.from('solid'))
  ])
  await page.locator('.model').nth(1).waitFor()
  t.ok((await page.locator('.model b').allTextContents()).includes('-b-bar.stl'), 'with signs that file names may have')
  t.match(await page.getByRole('alert').first().textContent(), /broken\.stl/)
  await page.getByRole('button', { name: 'One tile.stl more' }).click()
  const bed = page.getByRole('img', { name: 'The models on the bed' })
  await bed.waitFor()
  t.match(await bed.getAttribute('src'), /^data:image\/png/)

  await page.getByRole('button', { name: 'Move by hand' }).click()
  const tiles = page.getByRole('button', { name: /^tile\.stl, at/ })
  await tiles.nth(1).waitFor()
  t.same(await barriers(page), [], 'the bed from above')
  const corner = (await page.locator('.above').boundingBox())!
  const { x, y, width, height } = (await tiles.first().boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(corner.x + corner.width * 0.25, corner.y + corner.height * 0.25, { steps: 4 })
  await page.mouse.up()
  await page.getByText('at 64, 192 mm').waitFor()
  t.equal(await page.locator('.model').count(), 3, 'the other copy stays where it is')
  await page.getByRole('button', { name: 'tile.stl, at 64, 192 mm' }).press('Shift+ArrowRight')
  await page.getByText('at 74, 192 mm').waitFor()
  await page.getByRole('button', { name: 'tile.stl, at 74, 192 mm' }).press('Shift+ArrowLeft')
  await page.getByRole('button', { name: 'tile.stl, at 64, 192 mm' }).press('Shift+ArrowLeft')
  await page.getByText('at 54, 192 mm').waitFor()
  t.equal(await page.locator('.model').count(), 3, 'the same copy moves on before the service has answered')

  const slice = page.getByRole('button', { name: 'Slice', exact: true })
  t.ok(await slice.isDisabled(), 'the start code was not allowed yet')
  await page.getByRole('button', { name: 'Allow it on x1c' }).click()
  const loaded = page.getByRole('group', { name: 'In the printer' })
  t.ok(await loaded.getByRole('radio').first().isChecked(), 'a spool that is loaded is offered first')
  await page.getByRole('radio', { name: /^TPU/ }).last().check()
  await page.getByRole('radio', { name: /^Draft/ }).check()
  t.same(await barriers(page), [], 'models, choices')
  const preset = (one: { readonly name: string }) =>
    ({ name: `${one.name}.json`, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(one)) })
  const importing = page.locator('input[type=file][accept*=bbscfg]')
  await importing.setInputFiles([{ name: 'mine.bbscfg', mimeType: '', buffer: bundleOf(Object.values(MINE)) }])
  await page.getByText('which was not given').waitFor()
  await importing.setInputFiles([...all.map(preset)])
  await page.getByText('OrcaSlicer or Bambu Studio slices with it').waitFor()
  t.same(await barriers(page), [], 'an imported profile')
  t.match(await page.locator('.profile option').last().textContent(), 'My walls, My PLA')
  await page.locator('.profile select').selectOption('')
  await slice.click()
  await page.locator('.done').waitFor()
  t.match(await page.locator('.done .amounts').textContent(), /min.*g.*layers/)
  t.same(await barriers(page), [], 'the plate')
  t.match(await page.getByRole('link', { name: 'Look at the layers' }).getAttribute('href'), /plate\?.*library%3A[0-9a-f]{64}%2F/)
  await page.getByRole('button', { name: 'Print on x1c' }).click()
  await page.getByText('in the queue of x1c, but it cannot start yet').waitFor()
  t.match(await page.locator('.done').textContent(), /TPU/, 'no such spool is loaded')
  t.match((await queueOf(booted)).jobs, [{ name: 'tile', state: 'blocked' }])
  t.same(pageErrors.filter(error => !error.includes('400')), [], 'only the broken model, and the profile without its parents')
})
