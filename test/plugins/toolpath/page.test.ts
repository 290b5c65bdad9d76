import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser, type Look } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { plateText } from './plate-text.js'

const LAYERS = 120
const FILE = '/part.gcode'

async function open (t: Parameters<typeof browse>[0], look: Look, { language = 'en', speed = 1 } = {}) {
  const booted = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200, speed, sdCard: { samples: true } }],
    listen: true,
    config: { api: { host: '127.0.0.1' } }
  })
  const base = `http://127.0.0.1:${booted.kernel.apiPort}`
  await booted.printer.card.put(FILE, plateText({ layers: LAYERS }))
  await booted.printer.card.put('/cold.gcode', plateText({ layers: LAYERS, startC: 90 }))
  const browsing = await browse(t, { ...look, hasGraphics: true })
  await browsing.context.addCookies([{ name: 'prnd-language', value: language, url: base }])
  const show = async (file: string) => {
    await browsing.page.goto(`${base}/plate?printer=x1c&file=${encodeURIComponent(file)}`)
    await browsing.page.locator('.view[data-picture=full]').waitFor()
  }
  return { ...browsing, ...booted, base, show }
}

/** How many pixels of the picture are of the part: orange or yellow. */
async function partPixels (page: Page): Promise<number> {
  const { data, info } = await sharp(await page.locator('.view canvas').screenshot()).raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) if (data[at]! > data[at + 2]! * 1.6) count++
  return count
}

t.test('a plate is shown layer by layer, from every side, and in words', { skip: noBrowser }, async t => {
  const { page, pageErrors, show } = await open(t, { width: 1440, height: 900, scheme: 'dark' })
  await show(FILE)
  t.match(await page.locator('.plate-head').textContent(), /Good to print.*120 layers/)
  const upTo = page.getByRole('slider', { name: 'Up to' })
  const canvas = page.getByRole('application')
  t.equal(await upTo.getAttribute('aria-valuetext'), 'Layer 120, 24 mm')

  await upTo.focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowLeft')
  t.equal(await upTo.getAttribute('aria-valuetext'), 'Layer 117, 23.4 mm')
  t.equal(await canvas.getAttribute('aria-label'), 'Picture of layers 1 to 117')
  await canvas.focus()
  await page.keyboard.press('Shift+PageDown')
  t.equal(await canvas.getAttribute('aria-label'), 'Picture of layers 1 to 107')
  for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', '+', '-', 'Home']) await page.keyboard.press(key)

  await page.getByText('Layers as a table').click()
  const table = page.getByRole('table')
  await table.getByRole('row', { name: /^107 21.4 mm/ }).waitFor()
  t.equal(await table.getByRole('row').count(), 21, 'a page of them')
  await page.getByRole('button', { name: 'Before' }).click()
  await table.getByRole('button', { name: '60', exact: true }).click()
  t.equal(await upTo.getAttribute('aria-valuetext'), 'Layer 60, 12 mm')
  t.equal(await table.locator('[aria-current=true] th').textContent(), '60')

  for (const name of ['Filament', 'Speed', 'Temperature', 'Flow']) {
    const mode = page.getByRole('button', { name, exact: true })
    await mode.click()
    t.equal(await mode.getAttribute('aria-pressed'), 'true')
  }
  await page.getByText('mm³/s').waitFor()
  t.same(await barriers(page), [], 'desk, dark')

  await page.getByLabel('Speed of playing').selectOption('60')
  const time = page.getByRole('slider', { name: 'Time of the print' })
  await time.fill('0')
  await page.getByRole('button', { name: 'Play' }).click()
  await eventually(async () => Number(await time.inputValue()) > 5)
  await page.getByRole('button', { name: 'Pause' }).click()
  t.equal(await page.locator('.nozzle.unseen').count(), 0, 'the nozzle is where the print is')
  t.same(pageErrors, [])
})

t.test('the picture shows the part, and less of it with fewer layers', { skip: noBrowser }, async t => {
  const { page, show } = await open(t, { width: 900, height: 700, scheme: 'light' })
  await show(FILE)
  const whole = await partPixels(page)
  t.ok(whole > 300, `${whole} pixels of the part`)
  await page.getByRole('slider', { name: 'Up to' }).fill('20')
  await eventually(async () => await page.locator('.view').getAttribute('data-picture') === 'full')
  const low = await partPixels(page)
  t.ok(low > 20 && low < whole / 2, `${low} of ${whole}`)
})

t.test('findings are marks and words that lead to their layer, on a phone and in German', { skip: noBrowser }, async t => {
  const { page, pageErrors, show } = await open(t, { width: 390, height: 844, scheme: 'light' }, { language: 'de' })
  await show('/cold.gcode')
  await page.getByText('Nicht drucken: ein Grund').waitFor()
  const finding = page.getByRole('listitem').filter({ hasText: 'Die Düse ist zu kalt' })
  t.match(await finding.textContent(), /Stopp.*Druckt mit einer Düse von 90 °C\..*Slicen Sie neu.*Schicht 1 · Zeile \d+ · X /)
  await finding.getByRole('button', { name: 'Zeigen' }).click()
  t.match(await page.getByRole('slider', { name: 'Bis' }).getAttribute('aria-valuetext'), /^Schicht 1, 0,2 mm/)
  const mark = page.locator('.mark.stop')
  t.equal(await mark.getAttribute('aria-pressed'), 'true')
  await eventually(async () => await page.locator('.mark.stop:not(.unseen)').count() === 1)
  t.same(await barriers(page), [], 'phone, light')
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off')
  t.same(pageErrors, [])
})

t.test('files are offered, and what cannot be shown is said', { skip: noBrowser }, async t => {
  const { page, base } = await open(t, {})
  await page.goto(`${base}/plate`)
  await page.getByRole('link', { name: 'part.gcode', exact: true }).click()
  await page.locator('.view[data-picture=full]').waitFor()
  t.match(page.url(), /file=%2Fpart\.gcode/)
  await page.goto(`${base}/plate?file=/gone.gcode`)
  await page.getByRole('alert').filter({ hasText: "There is no file '/gone.gcode'" }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
})

t.test('the print of a plate is followed layer by layer', { skip: noBrowser }, async t => {
  const { page, pageErrors, show, http } = await open(t, { width: 1440, height: 900 }, { speed: 20 })
  const file = '/calibration-cube.gcode.3mf'
  const started = await http('POST', '/api/print_3mf', { printer: 'x1c', filename: file, platenum: 1, use_ams: false, accept_mismatch: true })
  t.equal(started.status, 200, JSON.stringify(started.body))
  await show(file)
  const live = page.locator('.live')
  await eventually(async () => /Printing layer [1-9]/.test(await live.textContent({ timeout: 1_000 }).catch(() => '') ?? ''), 30_000)
  const layer = Number(/layer (\d+)/.exec(await live.textContent() ?? '')?.[1])
  const upTo = page.getByRole('slider', { name: 'Up to' })
  await eventually(async () => Number(await upTo.inputValue()) >= layer)
  t.not(await upTo.inputValue(), await upTo.getAttribute('max'), 'what is still to come is pale')
  const follow = page.getByRole('button', { name: 'Follow the print' })
  t.equal(await follow.getAttribute('aria-pressed'), 'true')
  await upTo.fill('1')
  t.equal(await follow.getAttribute('aria-pressed'), 'false', 'a choice of layers ends it')
  await follow.click()
  await eventually(async () => Number(await upTo.inputValue()) >= layer)
  t.same(pageErrors, [])
})

t.test('a browser without WebGL gets single layers from above', { skip: noBrowser }, async t => {
  const { page, base } = await open(t, {})
  await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')
  await page.goto(`${base}/plate?printer=x1c&file=${FILE}`)
  const picture = (layer: number) => page.getByRole('img', { name: `Layer ${layer} from above` })
  await picture(LAYERS).waitFor()
  await page.getByRole('slider', { name: 'Up to' }).fill('7')
  await picture(7).waitFor()
  await eventually(async () => await read<boolean>(page, "document.querySelector('.flat img').naturalWidth > 0"))
})

t.test('while a plate is read for the first time, the page says how far it is, and can cancel it', { skip: noBrowser }, async t => {
  const { page, base } = await open(t, {})
  await page.route(/toolpath\/summary/, () => {}) // it never answers
  await page.route(/toolpath\/progress/, route => route.fulfill({ json: { is_reading: true, bytes: 43, total: 100 } }))
  await page.goto(`${base}/plate?printer=x1c&file=${FILE}`)
  await page.getByText(/^43%/).waitFor()
  t.equal(await page.getByRole('progressbar').getAttribute('value'), '0.43')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').filter({ hasText: 'The reading was cancelled.' }).waitFor()
  await page.unroute(/toolpath\/summary/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.plate-head').waitFor()
})

t.test('a link leads to the layer and the finding that it names', { skip: noBrowser }, async t => {
  const { page, base, http } = await open(t, { width: 1440, height: 900 })
  const { body } = await http('GET', '/api/toolpath/summary', { file: '/cold.gcode' })
  const [{ line, layer }] = body.findings
  await page.goto(`${base}/plate?printer=x1c&file=/cold.gcode&layer=${layer}&line=${line}`)
  await page.locator('.findings li.chosen').waitFor()
  t.match(await page.getByRole('slider', { name: 'Up to' }).getAttribute('aria-valuetext'), new RegExp(`^Layer ${layer}, `))
})
