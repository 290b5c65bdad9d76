import type { Page } from 'playwright-core'
import t from 'tap'
import type { Test } from 'tap'
import { definePlugin } from '../../../core/index.js'
import { defineHudPanel } from '../../../plugins/camera/index.js'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { barriers } from '../web/desk.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { bootCamera } from './helpers/boot.js'
import { showing, startJpegPeer } from './helpers/jpeg-peer.js'
import { picture } from './helpers/pictures.js'

const options = { skip: noBrowser }

const FACTORS = {
  material: 0.2,
  platform: 0.3,
  progress: 0.5,
  anomaly: 0.1,
  thermal: 0.4,
  humidity: 0.6,
  stability: 0.3,
  settings: 0.1
}

const RESULT = {
  verdict: 'clean',
  stable_verdict: 'warning',
  stage_gated: false,
  success_probability: 0.9,
  decision_confidence: 0.8,
  hot_pct: 0.0123,
  strand_score: 0.5,
  diff_score: null,
  layer: 4,
  total_layers: 20,
  ams_humidity: 2,
  timestamp: 'now',
  factor_contributions: FACTORS,
  status: { word: 'warning', reason: null, sight: 'clear', health: 0.65, summary: 'Something may be wrong.' }
}

const PANELS = [
  defineHudPanel({ id: 'spool', title: 'Spool', slot: 'hud', render: ({ name }) => `<p>of ${name}</p><script>x()</script>` }),
  defineHudPanel({ id: 'broken', title: 'Broken', slot: 'hud', render: () => { throw new Error('no') } })
]

/** A printing virtual printer behind a camera of our own, with what other plugins may add to the page. */
async function scene (t: Test, result?: object) {
  const printer = createVirtualPrinter({ model: 'A1', name: 'cam' })
  await printer.start()
  t.teardown(() => printer.stop())
  const { serial, accessCode } = printer
  const peer = await startJpegPeer(t, serial, accessCode, showing([await picture('1'), await picture('2')], 100))
  const plate = await picture('plate', 200, 200)
  const more = definePlugin({
    name: 'neighbour',
    version: '1.0.0',
    kernel: '^2.0.0',
    provides: result ? ['jobHealth'] : [],
    contributes: { panels: PANELS },
    setup ({ provide }) {
      if (result) provide('jobHealth', { result: () => result, image: async () => undefined })
      provide('projects' as never, { pictureOfJob: () => plate, layoutOfJob: async () => undefined } as never)
    }
  })
  const booted = await bootCamera(t, {
    printers: [{ serial, accessCode, tls: { mode: 'insecure' }, ports: { mqtt: printer.ports.mqtt, camera: peer.port } }],
    more: [more]
  })
  printer.startJob({ name: 'bracket <b>3</b>', layers: 20, minutes: 90 })
  await eventually(() => booted.kernel.printers.get('cam')?.state?.job.subtaskName === 'bracket <b>3</b>')
  const { body } = await booted.http('POST', '/api/start_stream', { printer: 'cam' })
  return { printer, peer, url: body.url as string, http: booted.http }
}

const read = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression)
const textOf = (page: Page, id: string) => page.locator(`#${id}`).textContent()
const isBright = (page: Page) => read<boolean>(page, `(() => {
  const canvas = document.getElementById('picture')
  return canvas.width === 1280 && canvas.getContext('2d').getImageData(600, 300, 1, 1).data.slice(0, 3).some(value => value > 20)
})()`)

t.test('shows picture, job and neighbours without a complaint', options, async t => {
  const { url, printer } = await scene(t, RESULT)
  printer.patch({ wifi_signal: '-58dBm', spd_lvl: 3 })
  const { page, pageErrors } = await browse(t)
  await page.goto(url)
  await eventually(() => isBright(page), 15_000)
  await eventually(async () => (await textOf(page, 'state'))?.match(/Preparing|Printing/) !== null)
  t.equal(await page.title(), 'prnd — cam')
  t.equal(await textOf(page, 'job-name'), 'bracket <b>3</b>')
  await eventually(async () => await textOf(page, 'verdict') === 'Warning')
  const figures = await Promise.all(['composite', 'hot', 'strand', 'diff', 'health-ams'].map(id => textOf(page, id)))
  t.same(figures, ['65 %', '1.2 %', '0.5000', '–', 'Wet'])
  t.equal(await page.locator('#radar polygon.shape').count(), 1)
  await eventually(async () => await page.locator('#panel-spool p').textContent() === 'of cam')
  t.equal(await page.locator('#more section').count(), 1, 'the broken panel is left out')
  await eventually(() => page.locator('#thumbnail').isVisible())
  t.ok(await page.locator('#layout').isVisible())
  t.equal(await page.locator('#temperature-rows dt').first().textContent(), 'Nozzle')
  await eventually(() => page.locator('#notice').isHidden()) // on a busy machine a picture may be late
  t.same(await barriers(page), [])
  t.same(pageErrors, [])
  const german = await (await fetch(url, { headers: { 'accept-language': 'de' } })).text()
  t.match(german, /<html lang="de">[^]*Verbleibend[^]*Bereit/)
  t.notMatch(german, /\{\{|>(Remaining|Elapsed|Filament use|Fans|Plate)</, 'nothing is left in English')
})

t.test('stands by without a job monitor, and says what is wrong and open', options, async t => {
  const { url, printer } = await scene(t)
  printer.patch({ print_error: 0x03008004, hms: [{ attr: 0x07002300, code: 0x00020001 }] })
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  await page.goto(url)
  await eventually(async () => await page.locator('#error-list a').count() === 2, 10_000)
  for (const link of await page.locator('#error-list a').all()) t.match(await link.getAttribute('href'), /^https:\/\//)
  t.equal(await textOf(page, 'verdict'), 'Standby')
  t.notOk(await page.locator('#radar').isVisible())
  t.equal(await read(page, 'document.documentElement.scrollWidth'), 390, 'nothing stands over')
  t.same(pageErrors, [])
})

t.test('tells when the stream drops, and goes on when it comes back', options, async t => {
  const { url, peer, http } = await scene(t)
  const { page } = await browse(t)
  await page.goto(`${url}?resolution=720p&quality=70`)
  await eventually(() => isBright(page), 15_000)
  const good = peer.show
  peer.show = socket => socket.end()
  await http('POST', '/api/stop_stream', { printer: 'cam' })
  const notice = page.locator('#notice')
  const says = async () => await notice.isVisible() ? await notice.textContent() ?? '' : ''
  await eventually(async () => /^The stream server does not answer.*Trying again/.test(await says()), 20_000)
  peer.show = good
  await http('POST', '/api/start_stream', { printer: 'cam', port: Number(new URL(url).port) })
  await eventually(async () => await says() === '', 20_000)
  t.ok(await isBright(page))
})

t.test('the portal opens the page in a window of its own', options, async t => {
  const { url } = await scene(t)
  const { page, context } = await browse(t)
  await page.goto(`${url}open?resolution=180p&quality=50&name=prnd-cam-180p-50`)
  const opened = () => context.pages().find(page => page.url() === `${url}?resolution=180p&quality=50`)
  await eventually(() => opened() !== undefined)
  t.equal(await read(opened() ?? page, 'window.name'), 'prnd-cam-180p-50')
})
