import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import encodeQR from 'qr'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

/** A browser whose camera sees this picture, again and again. */
async function browserSeeing (t: Test, file: string) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome') ?? '',
    args: [
      '--no-sandbox', '--disable-gpu', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`
    ]
  })
  t.teardown(() => browser.close())
  return await browser.newPage({ viewport: { width: 390, height: 844 } })
}

/** A photo of a code, slightly turned and grey, as phones take them. */
async function photoOf (text: string, path: string): Promise<string> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const pixels = Buffer.from(rows.flatMap(row => row.map(isDark => isDark ? 40 : 215)))
  const code = await sharp(pixels, { raw: { width: rows.length, height: rows.length, channels: 1 } })
    .resize(360, 360, { kernel: 'nearest' }).png().toBuffer()
  await sharp(code).rotate(7, { background: '#b0b0b0' }).extend({ top: 60, bottom: 90, left: 120, right: 80, background: '#b0b0b0' })
    .jpeg({ quality: 80 }).toFile(path)
  return path
}

t.test('labels are chosen, seen and downloaded, and a scanned spool is put into a slot', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 300 }],
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t)
  await page.goto(`${base}/spools/labels`)
  await page.getByRole('heading', { name: 'No spools yet' }).waitFor()
  const add = async (name: string) => (await http('POST', '/api/spools', { name, material: 'PLA', color: '#D0021B', net_g: 640 })).body.id
  const [red] = [await add('<b>Red</b>'), await add('Blue')]

  await page.reload()
  const picture = page.getByRole('img', { name: 'Page 1 of 1 with the labels' })
  await picture.waitFor()
  t.same(await barriers(page), [], 'labels')
  await page.getByRole('checkbox', { name: /Blue/ }).uncheck()
  await page.getByRole('combobox', { name: 'Sheet or label' }).selectOption('avery-3474')
  await page.getByRole('button', { name: 'Position 24' }).click()
  await eventually(async () => /ids=s\w+&sheet=avery-3474&start=24/.test(await picture.getAttribute('src') ?? ''))
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  t.equal((await download).suggestedFilename(), 'labels.pdf')

  await page.goto(`${base}/spools/scan`)
  await page.getByRole('button', { name: 'Start the camera' }).waitFor()
  t.same(await barriers(page), [], 'before a scan')
  const photo = page.getByLabel('Take a picture of the code')
  const folder = testFolder(t)
  await photo.setInputFiles(await photoOf('https://elsewhere.test/x', join(folder, 'other.jpg')))
  await page.getByText('This is no code of a spool: https://elsewhere.test/x').waitFor()
  await photo.setInputFiles(await photoOf(`http://192.168.1.5:49152/spools/${red}`, join(folder, 'spool.jpg')))
  await page.getByRole('heading', { name: '<b>Red</b>' }).waitFor()
  await page.getByRole('group', { name: 'x1c' }).getByRole('button', { name: /^AMS A · slot 1/ }).click()
  await page.getByText('<b>Red</b> is in AMS A · slot 1 of x1c.').waitFor()
  t.same(await barriers(page), [], 'with a spool')
  const { slots } = (await http('GET', '/api/spools')).body
  t.equal(slots.find(({ place }: { place: string }) => place === 'ams 0 slot 0').spool, red)

  await page.getByRole('link', { name: 'Print its label' }).click()
  await eventually(async () => (await picture.getAttribute('src'))?.includes(`ids=${red}&`) ?? false)

  await page.goto(`${base}/spools/${red}`)
  await page.getByRole('link', { name: 'Put into a slot' }).click()
  await page.waitForURL(`${base}/spools/scan?spool=${red}`)
  await page.locator('.found h2').waitFor()
  await page.goto(`${base}/spools/scan?spool=gone`)
  await page.getByText('There is no spool gone. It may be used up.').waitFor()
  await page.getByRole('combobox', { name: 'Or choose it here' }).selectOption({ label: 'Blue' })
  await page.getByRole('heading', { name: 'Blue' }).waitFor()
  t.same(pageErrors, [])
})

t.test('the camera reads a code without a further touch', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { body: { id } } = await http('POST', '/api/spools', { name: 'Red', material: 'PLA' })
  const folder = testFolder(t)
  const photo = await sharp(await photoOf(`http://192.168.1.5:49152/spools/${id}`, join(folder, 'spool.jpg')))
    .resize(640, 480, { fit: 'contain', background: '#b0b0b0' }).jpeg().toBuffer()
  await writeFile(join(folder, 'camera.mjpeg'), Buffer.concat(Array.from({ length: 30 }, () => photo)))
  const page = await browserSeeing(t, join(folder, 'camera.mjpeg'))
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/spools/scan`)
  await page.getByRole('heading', { name: 'Red' }).or(page.getByRole('button', { name: 'Start the camera' })).first().waitFor()
  const start = page.getByRole('button', { name: 'Start the camera' })
  if (await start.isVisible()) await start.click()
  await page.getByRole('heading', { name: 'Red' }).waitFor()
  t.match(page.url(), `spool=${id}`)
})
