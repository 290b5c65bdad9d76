import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { madeUp } from './rows.js'

t.test('prices are set where the statistics are, and price the past', { skip: noBrowser }, async t => {
  const config = { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  const { kernel, http } = await boot(t, { models: [], listen: true, config })
  const since = Date.UTC(2026, 10, 20, 7)
  for (const row of Array.from({ length: 12 }, (_, number) => madeUp(number, since, 3_600_000, 3)).flat()) {
    kernel.services.database.put(row.table === 'history_prints' ? row : { ...row, values: { ...row.values, cost: null } })
  }
  await kernel.services.database.settled()
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  const shots = process.env.PRN_SHOTS
  const shoot = async (name: string) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true }) }
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/history#statistics`)
  await page.getByRole('button', { name: 'Set prices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton', { name: 'Price of PLA', exact: true }).fill('20')
  await dialog.getByRole('button', { name: 'Another material' }).click()
  await dialog.getByRole('spinbutton', { name: 'Price of another material' }).fill('31.5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Name the material').waitFor()
  await dialog.getByRole('textbox', { name: 'Material' }).fill('PLA')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('in the list already').waitFor()
  await dialog.getByRole('textbox', { name: 'Material' }).fill('TPU')
  await shoot('prices-dialog')
  t.same(await barriers(page), [], 'the dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('31.5', { exact: true }).waitFor()
  t.match((await http('GET', '/api/history/prices')).body, { origin: 'stored', prices: [{ material: 'PLA', price: 20 }, { material: 'TPU', price: 31.5 }] })
  await eventually(async () => /Cost/.test(await page.locator('.figures').textContent() ?? ''))
  t.ok((await http('GET', '/api/history/statistics')).body.cost as number > 0, 'the past has a cost')
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await barriers(page), [], `${width} px, ${colorScheme}`)
      await shoot(`prices-${width}-${colorScheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }
  t.same(pageErrors, [])
})
