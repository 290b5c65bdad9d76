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

t.test('a spool is chosen from the catalogue, moved, weighed at its own address, and found among many', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t)
  await page.goto(`${base}/spools`)
  await page.getByRole('button', { name: 'Add a spool' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Which filament/).fill('prusament petg')
  await dialog.getByRole('button', { name: /^Prusament PETG/ }).click()
  t.same(await barriers(page), [], 'the form with what was chosen')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Prusament PETG' }).waitFor()
  const read = async () => (await http('GET', '/api/spools/inventory')).body as any
  const { spools: [spool], types: [type] } = await read()
  t.match(type, { brand: 'Prusament', empty_g: 193, density: 1.27, catalogue: 'prusament-petg' })
  t.match(spool, { type: type.id, net_g: 1000, left_g: 1000 })

  await page.getByRole('link', { name: 'Types' }).click()
  await page.getByRole('button', { name: /^Change Prusament/ }).click()
  await dialog.getByLabel('Drying, hours').fill('7')
  t.same(await barriers(page), [], 'a type')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await read()).types[0].dry_hours === 7)
  t.same(await barriers(page), [], 'the types')

  await page.getByRole('link', { name: 'Places' }).click()
  await page.getByRole('button', { name: 'Add a place' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Dry box')
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('dryer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dry box').waitFor()
  t.same(await barriers(page), [], 'the places')

  const list = ['id,brand,line,material,color,net_g,left_g', ...Array.from({ length: 400 }, (_, n) => `x${n},eSUN,PLA+,PLA,#11223${n % 10},1000,${n}`)]
  const sent = await fetch(`${base}/api/spools/import?apply=true`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: list.join('\n') })
  t.match(await sent.json(), { applied: true, added: 400 })
  await page.goto(`${base}/spools`)
  await page.getByText('Spools: 401').waitFor()
  t.ok(await page.locator('.shelf .row').count() < 60, 'only what can be seen is there')
  await page.getByRole('searchbox', { name: 'Search spools' }).fill('prusament')
  await page.getByText('Spools: 1 ·').waitFor()
  await page.getByRole('checkbox', { name: 'Select Prusament PETG' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
  await dialog.getByRole('combobox', { name: 'Place' }).selectOption({ label: 'Dry box' })
  t.same(await barriers(page), [], 'moving')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await eventually(async () => (await read()).spools.find(({ id }: any) => id === spool.id).place !== '')

  await page.getByRole('link', { name: 'Prusament PETG' }).click()
  await page.waitForURL(`${base}/spools/${spool.id}`)
  await page.getByRole('button', { name: 'Weigh' }).click()
  await dialog.getByLabel(/^On the scale/).fill('605')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('We thought 1,000 g, it is 412 g').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('412 g left').first().waitFor()
  t.same(await barriers(page), [], 'one spool')
  const used = async () => (await read()).spools.find(({ id }: any) => id === spool.id).left_g
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByLabel(/^Name/).fill('My PETG')
  await http('PATCH', `/api/spools/${spool.id}`, { used_g: 600 })
  t.equal(await dialog.getByLabel(/^Name/).inputValue(), 'My PETG', 'what was typed stays when something else changes')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'My PETG' }).waitFor()
  t.equal(await used(), 400, 'and what is left is not set back')
  await page.getByRole('button', { name: 'Write off' }).click()
  await dialog.getByRole('button', { name: 'Write off' }).click()
  await page.getByRole('button', { name: 'Bring back' }).waitFor()

  for (const view of ['buy', 'accuracy']) {
    await page.goto(`${base}/spools#${view}`)
    await page.locator('section.card h2').first().waitFor()
    t.same(await barriers(page), [], view)
  }
  t.same(pageErrors, [])
})
