import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { boot } from '../../helpers/boot.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

const options = { skip: noBrowser }
const model = (kind: 'P1S' | 'H2D' | 'A1_MINI', name: string) =>
  ({ model: kind, name, reportEveryMs: 300, sdCard: { samples: true } }) as const
const LISTEN = {
  models: [model('P1S', 'one'), model('P1S', 'two'), model('A1_MINI', 'mini')],
  listen: true,
  config: { api: { host: '127.0.0.1' } }
} as const

t.test('a screen on the wall shows all printers in pages, and what a person should do', options, async t => {
  const { kernel, printers } = await boot(t, LISTEN)
  const { page, pageErrors } = await browse(t, { width: 900, height: 500 })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/wall`)
  await eventually(async () => await page.locator('.pane').count() === 2)
  await page.getByText('1 / 2').waitFor()
  t.equal(await page.getByRole('button').count(), 0, 'nothing can be pressed by accident')
  printers[1]?.patch({ print_error: 0x03004001 })
  await page.getByRole('heading', { name: 'One printer needs you' }).waitFor()
  t.equal(await page.locator('.pane h2').first().textContent(), 'two')
  t.same(await barriers(page), [])
  await page.setViewportSize({ width: 1920, height: 1080 })
  await eventually(async () => await page.locator('.pane').count() === 3)
  t.notOk(await read(page, 'document.documentElement.scrollHeight > innerHeight'), 'all of it is on the screen')
  t.same(pageErrors, [])
})

t.test('several printers: at a glance, by state, and several at once', options, async t => {
  const { kernel, printers } = await boot(t, LISTEN)
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/`)
  const tiles = page.locator('#tiles > li')
  await eventually(async () => await tiles.count() === 3)
  printers[1]?.patch({ print_error: 0x03004001 })
  await page.locator('[data-printer=two]').getByText('Needs help').waitFor()
  t.equal(await tiles.first().getAttribute('data-printer'), 'two', 'who needs a person comes first')
  for (const [width, height] of [[390, 844], [768, 1024], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      t.same(await barriers(page), [], `${width} px, ${scheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }
  await page.getByRole('button', { name: /^Needs you/ }).click()
  t.equal(await tiles.count(), 1)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    t.same(await barriers(page), [], `pressed, with the pointer still above it, ${scheme}`)
  }
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByRole('button', { name: 'Search and filter' }).click()
  await page.getByRole('combobox', { name: 'Model' }).selectOption('A1_MINI')
  t.equal(await tiles.count(), 1)
  await page.getByRole('combobox', { name: 'Model' }).selectOption('')
  await page.getByRole('searchbox').fill('TWO')
  t.equal(await tiles.count(), 1)
  await page.getByRole('searchbox').fill('')

  const bed = (name: string) => kernel.printers.get(name)?.state?.heat.bed.target
  await page.getByRole('checkbox', { name: 'Select one' }).check()
  await page.getByRole('checkbox', { name: 'Select mini' }).check()
  await page.getByText('2 printers selected').waitFor()
  await page.getByRole('button', { name: 'Preheat' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await barriers(page), [], 'the question')
  await dialog.getByRole('spinbutton', { name: 'Bed, °C' }).fill('45')
  t.same([bed('one'), bed('mini')], [0, 0], 'nothing is sent before it is confirmed')
  await dialog.getByRole('button', { name: 'Preheat (2)' }).click()
  await eventually(() => bed('one') === 45 && bed('mini') === 45)
  t.equal(bed('two'), 0)
  await dialog.getByText('mini – done').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: 'Groups' }).click()
  await dialog.getByRole('textbox').fill(' left hall , PETG')
  await dialog.getByRole('button', { name: 'Groups (2)' }).click()
  await dialog.getByText('mini – done').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('combobox', { name: 'Group' }).selectOption('left hall')
  t.equal(await tiles.count(), 2)
  await page.locator('[data-printer=one]').getByText('left hall · PETG').waitFor()
  await page.getByRole('combobox', { name: 'Group' }).selectOption('')

  await page.getByRole('button', { name: 'Camera wall' }).click()
  await eventually(async () => await page.locator('.picture.live img, .picture.live video').count() === 3)
  await page.reload()
  await page.getByRole('button', { name: 'Camera wall', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Camera wall' }).click()
  await page.getByRole('link', { name: 'one' }).click()
  await page.getByRole('region', { name: 'Job', exact: true }).waitFor()
  t.match(page.url(), 'printer?printer=one')
  t.same(pageErrors.filter(error => !/snapshot|stream/.test(error)), [], 'a picture may be broken off')
})

t.test('a name is text, wherever it stands', options, async t => {
  const { kernel } = await boot(t, { ...LISTEN, models: [model('P1S', '<img src=x>'), model('P1S', 'b')] })
  const { page } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/`)
  await page.getByRole('link', { name: '<img src=x>' }).waitFor()
  t.equal(await page.locator('img[src=x]').count(), 0)
})

t.test('what must be settled between the services of a fleet stands above the printers', options, async t => {
  const { kernel } = await boot(t, { ...LISTEN, models: [model('P1S', 'a'), model('P1S', 'b')] })
  const { page } = await browse(t)
  const text = "Several services have a printer named 'p1s'. <b>Give each a name of its own.</b>"
  await page.route('**/api/fleet/nodes', async route => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...await answer.json(), problems: [text] } })
  })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/`)
  await page.locator('#settle').getByText(text).waitFor()
  t.same(await barriers(page), [])
  await page.unroute('**/api/fleet/nodes')
  await page.reload()
  await page.getByRole('link', { name: 'a', exact: true }).waitFor()
  t.equal(await page.locator('#settle').count(), 0, 'nothing to settle')
})
