import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

t.test('a spool is added, put into a slot, weighed and archived', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 300 }],
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/spools`)
  await page.getByRole('button', { name: 'Add a spool' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await barriers(page), [], 'the form')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('<b>Shelf</b> 3')
  await dialog.getByRole('combobox', { name: 'Material' }).fill('PLA')
  await dialog.getByRole('spinbutton', { name: /^Left now/ }).fill('640')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: '<b>Shelf</b> 3' }).waitFor()
  await page.getByText('640 g left').first().waitFor()

  const spools = async () => (await http('GET', '/api/spools')).body
  await page.getByRole('combobox', { name: 'Spool in AMS A · slot 1 of x1c' }).selectOption({ label: '<b>Shelf</b> 3' })
  await page.getByText('AMS A · slot 1 of x1c', { exact: false }).first().waitFor()
  const [spool] = (await spools()).spools
  t.match(spool, { name: '<b>Shelf</b> 3', net_g: 1000, used_g: 360, left_g: 640 })
  await eventually(async () => (await spools()).slots.some((slot: { place: string, spool: string }) =>
    slot.place === 'ams 0 slot 0' && slot.spool === spool.id))
  t.same(await barriers(page), [], 'with a spool')

  await page.getByRole('button', { name: 'Change <b>Shelf</b> 3' }).click()
  await dialog.getByRole('spinbutton', { name: /^Left now/ }).fill('500.5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await spools()).spools[0].left_g === 500.5)
  await page.getByRole('button', { name: 'Change <b>Shelf</b> 3' }).click()
  await dialog.getByRole('button', { name: 'Used up' }).click()
  await page.getByRole('heading', { name: 'No spools yet' }).waitFor()
  t.same(pageErrors, [])
})
