import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootCharts } from './boot.js'
import { browse, noBrowser } from './chromium.js'
import { recordOf } from './view.js'

const TITLES =
  ['Temperature History', 'Fan Speeds', 'Anomaly & Health', 'Failure Analysis', 'Camera Calibration', 'AMS Filament']
const LISTEN = { listen: true, config: { api: { host: '127.0.0.1' } } }
const options = { skip: noBrowser }

const addressOf = ({ kernel, name }: Awaited<ReturnType<typeof bootCharts>>) =>
  `http://127.0.0.1:${kernel.apiPort}/api/charts?printer=${encodeURIComponent(name)}`
const statusOf = (page: Page) => page.getByRole('status').textContent()
/** Runs an expression in the page: the compiler knows nothing of documents here. */
const read = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression)
const styleOf = (page: Page, selector: string, property: string) =>
  read<string>(page, `getComputedStyle(document.querySelector('${selector}')).${property}`)
const strokeOf = (page: Page) => styleOf(page, '.l1', 'stroke')
/** Colours of the page and of its first drawing. */
const coloursOf = async (page: Page) => [await styleOf(page, 'body', 'backgroundColor'), await styleOf(page, '.bg', 'fill')]
const DARK = ['rgb(13, 17, 23)', 'rgb(22, 27, 34)']
const LIGHT = ['rgb(246, 248, 250)', 'rgb(255, 255, 255)']

t.test('loads without a complaint and says what it is', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page, pageErrors } = await browse(t)
  await page.goto(addressOf(booted))
  t.equal(await page.title(), 'Charts of x1c')
  t.same(await page.getByRole('heading', { level: 1 }).allTextContents(), ['Charts of x1c'])
  t.same(await page.getByRole('heading', { level: 2 }).allTextContents(), TITLES)
  for (const title of TITLES) {
    t.equal(await page.getByRole('region', { name: title, exact: true }).count(), 1, `region ${title}`)
    t.equal(await page.getByRole('img', { name: title, exact: true }).count(), 1, `drawing ${title}`)
  }
  t.equal(await page.getByRole('combobox', { name: 'Theme' }).count(), 1)
  t.equal(await page.getByRole('button', { name: 'Refresh' }).count(), 1)
  t.equal(await page.getByRole('banner').count() + await page.getByRole('main').count(), 2)
  t.equal(await page.locator('html').getAttribute('lang'), 'en')
  const ids = await read<string[]>(page, "[...document.querySelectorAll('[id]')].map(({ id }) => id)")
  t.equal(new Set(ids).size, ids.length, 'no id twice')
  t.equal(await strokeOf(page), 'rgb(242, 132, 60)', 'the style of the drawings applies')
  t.same(pageErrors, [])
})

t.test('refreshes what changed, and tells', options, async t => {
  let now = Date.now()
  const booted = await bootCharts(t, { ...LISTEN, dependencies: { now: () => now } })
  const { page, pageErrors } = await browse(t)
  const state = () => booted.kernel.printers.get('x1c')?.state
  await eventually(() => state()?.ams.units.every(({ model }) => model !== 'UNKNOWN')) // comes after the first report
  await page.goto(addressOf(booted))
  const button = page.getByRole('button', { name: 'Refresh' })
  const answered = page.waitForResponse(/charts_panels/)
  await button.click()
  await answered
  await eventually(async () => await page.locator('.chart svg').count() === 6)
  await eventually(async () => /^Updated/.test(await statusOf(page) ?? ''))
  const before = await statusOf(page)
  await read(page, "document.querySelectorAll('.chart svg').forEach(svg => { svg.dataset.old = '' })")
  now += 5_000
  booted.printer.patch({ bed_temper: 77 })
  await eventually(() => state()?.heat.bed.actual === 77)
  await button.click()
  await eventually(async () => await statusOf(page) !== before)
  t.match(await statusOf(page), /^Updated \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const old = await read<boolean[]>(page,
    "[...document.querySelectorAll('.chart')].map(place => place.querySelector('[data-old]') !== null)")
  t.same([old[0], old[5]], [false, true], 'temperatures are new, filaments are the same element')
  t.match(await page.getByRole('img', { name: TITLES[0] ?? '' }).locator('desc').textContent(), 'Bed 77 °C')
  t.not(await strokeOf(page), 'none', 'the style applies to what came later too')
  t.same(pageErrors, [])
})

t.test('refreshes by itself every 30 seconds, and at once when it is seen again', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page } = await browse(t)
  await page.clock.install()
  let asked = 0
  page.on('request', request => { if (request.url().includes('charts_panels')) asked++ })
  await page.goto(addressOf(booted))
  await page.clock.runFor(29_000)
  t.equal(asked, 0)
  await page.clock.runFor(2_000)
  await eventually(() => asked === 1)
  await eventually(async () => /^Updated/.test(await statusOf(page) ?? ''))
  await read(page, "Object.defineProperty(document, 'hidden', { value: true, configurable: true }).title")
  await page.clock.runFor(120_000)
  t.equal(asked, 1, 'not while nobody looks')
  await read(page, "Object.defineProperty(document, 'hidden', { value: false }).dispatchEvent(new Event('visibilitychange'))")
  await eventually(() => asked === 2)
})

t.test('keeps what it shows when the printer or the service is gone, and says so', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page } = await browse(t)
  await page.goto(addressOf(booted))
  await booted.kernel.printers.disconnect('x1c')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await eventually(async () => (await statusOf(page))?.startsWith('Not updated'))
  t.match(await statusOf(page), /^Not updated: Printer 'x1c' not connected\. The charts are of \d{4}-/)
  t.equal(await page.locator('.chart svg').count(), 6)
  await page.route('**/charts_panels*', route => route.abort())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await eventually(async () => (await statusOf(page))?.includes('the service does not answer'))
  t.equal(await page.locator('.chart svg').count(), 6)
})

t.test('a drawing that is none leaves the old one in its place', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page } = await browse(t)
  await page.goto(addressOf(booted))
  const panels = ['<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', '<p>no</p>', '', '', '', '']
  await page.route('**/charts_panels*', route => route.fulfill({ json: { panels, ts: '2026-01-01 00:00:00' } }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await eventually(async () => await statusOf(page) === 'Updated 2026-01-01 00:00:00')
  t.equal(await page.locator('.chart svg[role=img]').count(), 6)
})

t.test('dark unless the reader prefers light; the switch decides and is remembered', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page, pageErrors } = await browse(t)
  await page.goto(addressOf(booted))
  t.same(await coloursOf(page), DARK)
  await page.emulateMedia({ colorScheme: 'light' })
  t.same(await coloursOf(page), LIGHT)
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  t.same(await coloursOf(page), DARK)
  await page.reload()
  t.same(await coloursOf(page), DARK)
  t.equal(await page.getByRole('combobox', { name: 'Theme' }).inputValue(), 'dark')
  t.same(pageErrors, [])
})

t.test('a phone: nothing is cut off, text stays legible', options, async t => {
  const long = { model: 'P1S', name: 'the-printer-in-the-cellar-behind-the-shelf-with-the-filament' } as const
  const booted = await bootCharts(t, { ...LISTEN, models: [long, 'X1C'] })
  const { page } = await browse(t, { width: 360, height: 740 })
  await page.goto(addressOf(booted))
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))
  const [first, second] = await page.getByRole('region').all()
  t.equal((await first?.boundingBox())?.x, (await second?.boundingBox())?.x, 'one below the other')
  const { width = 0 } = await page.locator('.chart svg').first().boundingBox() ?? {}
  t.ok(width * 12 / 400 >= 9.5, `the smallest text is ${(width * 12 / 400).toFixed(1)} px high`)
})

const NAME_OF_FOCUS = '(now => now.getAttribute("aria-labelledby") || now.name || now.id || now.textContent)(document.activeElement)'

t.test('everything is reached by keyboard', options, async t => {
  const booted = await bootCharts(t, { ...LISTEN, models: ['X1C', 'P1S'] })
  const { page } = await browse(t)
  await page.goto(addressOf(booted))
  const reached: string[] = []
  for (let step = 0; step < 10; step++) {
    await page.keyboard.press('Tab')
    reached.push(await read<string>(page, NAME_OF_FOCUS))
  }
  t.same(reached, ['printer', 'Show', 'refresh', 'theme', 'panel-temperature', 'panel-fans', 'panel-health',
    'panel-failure', 'panel-calibration', 'panel-filament'])
  await page.getByRole('combobox', { name: 'Printer' }).focus()
  await page.keyboard.press('ArrowDown')
  t.match(page.url(), 'printer=x1c', 'choosing alone goes nowhere')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/printer=p1s/)
  t.same(await page.getByRole('heading', { level: 1 }).allTextContents(), ['Charts of p1s'])
})

t.test('the page of a printer that is not there leads back', options, async t => {
  const booted = await bootCharts(t, LISTEN)
  const { page } = await browse(t)
  await page.goto(addressOf(booted).replace('x1c', 'nope'))
  t.equal(await page.getByRole('alert').textContent(), "Printer 'nope' not connected")
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/printer=x1c/)
})

t.test('the page in a file works by itself', options, async t => {
  const { tool, name } = await bootCharts(t, { records: () => [recordOf(60)] })
  const { value } = await tool('open_charts', { name })
  const { page, pageErrors } = await browse(t)
  await page.goto(pathToFileURL(value.output_path).href)
  t.equal(await page.getByRole('img').count(), 6)
  t.equal(await strokeOf(page), 'rgb(242, 132, 60)')
  t.same(await coloursOf(page), DARK)
  t.same(pageErrors, [])
})
