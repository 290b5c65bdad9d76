import t from 'tap'
import pino from 'pino'
import type { CameraFeedDeps } from '../../../../plugins/camera/camera-feed.js'
import { createCameraTaps } from '../../../../plugins/camera/camera-taps.js'
import { createFpsMeter } from '../../../../plugins/camera/fps-meter.js'
import { createJpegFeed } from '../../../../plugins/camera/jpeg-feed.js'
import { picture } from '../helpers/pictures.js'

const log = pino({ level: 'silent' })

t.test('a flood of small pictures ends the connection', async t => {
  const jpeg = await picture('1', 64, 64)
  let count = 0
  const ended = new Promise(resolve => {
    const feed = createJpegFeed(async ({ onJpeg, signal }) => {
      try {
        for (; count < 10_000; count++) onJpeg(jpeg)
      } catch (error) {
        resolve(error)
      }
      return await new Promise<never>((_resolve, reject) => { signal.addEventListener('abort', () => reject(signal.reason)) })
    }, {
      session: { name: 'cam', config: {} }, protocol: 'jpeg', log, now: Date.now, taps: createCameraTaps(log).of({} as never), retryMs: () => 60_000
    } as unknown as CameraFeedDeps)
    const alive = setInterval(() => {}, 1_000) // what the feed waits for keeps no process alive
    feed.attach()
    t.teardown(async () => { clearInterval(alive); await feed.close() })
  })
  t.match(await ended, { kind: 'bad_data', message: /more pictures than 120 a second/ })
  t.ok(count < 4_000, `${count} came through`)
})

t.test('the rate of pictures is right after a clock that was set back', async t => {
  let now = 3_600_000
  const rate = createFpsMeter(() => now)
  for (let at = 0; at < 5_000; at++) rate.count()
  now = 0
  for (let at = 0; at < 50; at++) rate.count()
  t.equal(rate.value(), 5)
})
