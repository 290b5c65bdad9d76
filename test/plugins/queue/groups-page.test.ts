import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { fastDaemon, start } from './helpers.js'

t.test('a group is made, changed and removed on the page', { skip: noBrowser }, async t => {
  const booted = await start(t, {
    preset: fastDaemon, models: [{ model: 'X1C', name: 'x1c' }], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { http, kernel } = booted
  const groups = async () => (await http('GET', '/api/queue/groups')).body.groups as any[]
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  const shots = process.env.PRN_SHOTS
  const shoot = async (name: string) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true }) }
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/queue/groups`)
  await page.getByText('Prints start at any hour').waitFor()
  await shoot('groups-none')
  await page.getByRole('button', { name: 'Add a group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('x1c')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose one printer at least.').waitFor()
  t.same(await groups(), [], 'nothing is stored before it can be')
  await dialog.getByRole('checkbox', { name: 'x1c' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('not the name of a printer').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hall <b>2</b>')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('not the name of a printer').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hall 2')
  await dialog.getByRole('checkbox', { name: 'Start prints only in these hours' }).check()
  await dialog.getByLabel('From').fill('22:00')
  await dialog.getByLabel('To', { exact: true }).fill('06:00')
  await dialog.getByRole('checkbox', { name: 'Fri' }).uncheck({ force: true })
  await dialog.getByRole('spinbutton', { name: 'Time between two starts' }).fill('2.5')
  await dialog.getByRole('spinbutton', { name: 'Hold a printer' }).fill('1')
  await shoot('groups-dialog')
  t.same(await barriers(page), [], 'the dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await groups()).length === 1)
  t.match(await groups(), [{
    name: 'Hall 2', printers: ['x1c'], hours: { from: '22:00', to: '06:00', days: [1, 2, 3, 4] }, spacing_s: 150, self_clearing: false, stop_after_failures: 1
  }])
  await page.getByText('Mon–Thu · 22:00–06:00').waitFor()
  await page.getByText('A printer is held after one failed print.').waitFor()

  await page.getByRole('button', { name: 'Edit: Warm up by material' }).click()
  await dialog.getByRole('textbox', { name: 'Material' }).fill('asa')
  await dialog.getByRole('spinbutton', { name: 'Bed, °C' }).fill('95')
  await dialog.getByRole('button', { name: 'Add a material' }).click()
  await dialog.getByRole('textbox', { name: 'Material' }).nth(1).fill('ABS')
  await dialog.getByRole('spinbutton', { name: 'Bed, °C' }).nth(1).fill('105')
  await dialog.getByRole('spinbutton', { name: 'Chamber, °C' }).nth(1).fill('50')
  await shoot('warming-dialog')
  t.same(await barriers(page), [], 'the dialog of materials')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /ABS.*105 °C.*50 °C/ }).waitFor()
  t.match((await http('GET', '/api/queue/warming')).body, {
    rows: [{ material: 'ASA', bed: 95, chamber: null, minutes: 10 }, { material: 'ABS', bed: 105, chamber: 50 }], otherwise: 'ask', may_change: true
  })

  await page.getByRole('button', { name: 'Edit: Hall 2' }).click()
  await dialog.getByRole('spinbutton', { name: 'Hold a printer' }).fill('')
  await dialog.getByRole('checkbox', { name: 'Start prints only in these hours' }).uncheck()
  await dialog.getByRole('checkbox', { name: /remove finished prints by themselves/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  t.equal((await groups())[0].self_clearing, false, 'plates that clear themselves are confirmed twice')
  await dialog.getByRole('checkbox', { name: /I have watched/ }).check()
  await shoot('groups-clearing')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await groups())[0].self_clearing === true)
  t.match(await groups(), [{ hours: null, spacing_s: 150, stop_after_failures: null }])
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await barriers(page), [], `${width} px, ${colorScheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }

  await page.setViewportSize({ width: 390, height: 844 })
  await shoot('groups-phone')
  await page.getByRole('button', { name: 'Edit: Warm up by material' }).click()
  await shoot('warming-phone')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit: Hall 2' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hall 3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Hall 3' }).waitFor()

  await http('POST', '/api/queue/pause', { of: 'Hall 3', paused: true } as never)
  await page.reload()
  await page.getByRole('button', { name: 'Remove: Hall 3' }).click()
  await dialog.getByText('It is paused').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Remove' }).isDisabled(), true)
  await http('POST', '/api/queue/pause', { of: 'Hall 3', paused: false } as never)
  await page.reload()
  await page.getByRole('button', { name: 'Remove: Hall 3' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await eventually(async () => (await groups()).length === 0)
  await page.getByRole('heading', { name: 'Prints start at any hour' }).waitFor()
  t.same(pageErrors.filter(error => !/400/.test(error)), [])
})
