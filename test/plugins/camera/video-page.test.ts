import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { bootCamera, X1_SERIAL } from './helpers/boot.js'
import { startVideoCamera } from './helpers/rtsp-camera.js'
import { clip } from './helpers/units.js'

const options = { skip: noBrowser || (findProgram('ffmpeg') === undefined && 'ffmpeg is not installed') }
const FRAME_MS = 33

const read = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression)

/** Counts what the browser shows of the video. */
const COUNT = `(() => {
  const video = document.querySelector('video')
  window.shown = 0
  const next = () => { window.shown++; video.requestVideoFrameCallback(next) }
  video.requestVideoFrameCallback(next)
})()`
const shown = (page: Page) => read<number>(page, 'window.shown')
const behind = (page: Page) => read<number>(page, `(() => {
  const { buffered, currentTime } = document.querySelector('video')
  return buffered.length === 0 ? 99 : buffered.end(buffered.length - 1) - currentTime
})()`)

async function scene (t: Test) {
  const peer = await startVideoCamera(t, await clip({ seconds: 2, size: '640x360' }), FRAME_MS)
  const printers = [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }]
  const { http } = await bootCamera(t, { listen: true, printers })
  const { body } = await http('POST', '/api/start_stream', { printer: 'cam' })
  return { peer, url: body.url as string, sharedUrl: body.shared_url as string }
}

t.test('the live page plays video, close to what the camera shows, under either address', options, async t => {
  const { url, sharedUrl, peer } = await scene(t)
  for (const address of [url, sharedUrl]) {
    const { page, pageErrors } = await browse(t)
    await page.goto(address)
    await page.locator('#video').waitFor()
    await read(page, COUNT)
    await eventually(async () => await shown(page) > 40)
    await eventually(async () => await behind(page) < 0.6)
    t.equal(await read(page, "document.querySelector('video').videoWidth"), 640)
    t.ok(await page.locator('#picture').isHidden())
    await eventually(() => page.locator('#notice').isHidden())
    t.same(pageErrors, [])
    t.equal(peer.open, 1)
    await page.close()
  }
})

t.test('video goes on after the camera hung up, and shows pictures where a size is asked for', options, async t => {
  const { url, peer } = await scene(t)
  const { page } = await browse(t)
  await page.goto(url)
  await page.locator('#video').waitFor()
  await read(page, COUNT)
  await eventually(async () => await shown(page) > 10)
  peer.hangUp()
  await eventually(() => peer.total === 2)
  const before = await shown(page)
  await eventually(async () => await shown(page) > before + 10, 20_000)
  await page.goto(`${url}?resolution=180p`)
  await eventually(() => read<boolean>(page, "document.getElementById('picture').width === 320"), 20_000)
  t.ok(await page.locator('#video').isHidden())
})
